package recall_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/recall"
)

// addSignals sets the signals that Search returns for a memory.
func (src *fakeSource) addSignals(id memory.ID, s memory.Signals) {
	s.ID = id
	src.signals = append(src.signals, s)
}

// newSignalRecaller is newRecaller with the fusion "ranking".
func newSignalRecaller(src *fakeSource, change ...func(*recall.Settings)) *recall.Recaller {
	return newRecaller(src, append([]func(*recall.Settings){func(s *recall.Settings) { s.Fusion = recall.FusionRanking }}, change...)...)
}

func TestRankingFollowsItsSignals(t *testing.T) {
	may := created(time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC))
	for _, tt := range []struct {
		name, ask     string
		better, worse memory.Signals
		betterText    string
		worseText     string
		change        func(*memory.Memory) // of the better one
		speakers      []string
	}{
		{"words in context", "harbour", memory.Signals{Context: 4}, memory.Signals{Context: 2}, "Alpha", "Bravo", nil, nil},
		{"the cosine", "harbour", memory.Signals{Cosine: 0.6}, memory.Signals{Cosine: 0.3}, "Alpha", "Bravo", nil, nil},
		{"a neighbour's cosine", "harbour", memory.Signals{NeighbourCosine: 0.6}, memory.Signals{NeighbourCosine: 0.3}, "Alpha", "Bravo", nil, nil},
		{"the named speaker", "what does Ann like?", memory.Signals{Speaker: "ann"}, memory.Signals{Speaker: "bob"}, "Alpha", "Bravo", nil, []string{"ann", "bob"}},
		{"an answer after a question", "harbour", memory.Signals{AfterQuestion: true}, memory.Signals{}, "Alpha", "Bravo?", nil, nil},
		{"a time, if the question wants one", "when does it open?", memory.Signals{}, memory.Signals{}, "It opens last week", "It opens", nil, nil},
		{"a number, if the question wants one", "how many boats?", memory.Signals{}, memory.Signals{}, "Three boats", "Boats", nil, nil},
		{"the named month", "what happened in May?", memory.Signals{}, memory.Signals{}, "Alpha", "Bravo", may, nil},
		{"a whole identifier", "TW-2107", memory.Signals{Context: 1}, memory.Signals{Context: 3, Cosine: 0.9, NeighbourCosine: 0.9}, "about TW-2107", "about TW-2108", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{speakers: tt.speakers}
			change := tt.change
			if change == nil {
				change = func(*memory.Memory) {}
			}
			src.add("worse", 0.5, tt.worseText)
			src.add("better", 0.5, tt.betterText, change)
			src.addSignals("worse", tt.worse)
			src.addSignals("better", tt.better)
			wantIDs(t, mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: tt.ask}).Hits, "better", "worse")
		})
	}
}

func TestLaneAskedAloneOrdersAlone(t *testing.T) {
	src := &fakeSource{speakers: []string{"ann"}}
	src.add("words", 0.4, "Alpha")
	src.add("meaning", 0.6, "Bravo")
	src.addSignals("words", memory.Signals{Context: 5, Speaker: "bob"})
	src.addSignals("meaning", memory.Signals{Context: 4, Cosine: 0.9, Speaker: "ann"})
	ask := "what does Ann say of the harbour"
	wantIDs(t, mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: ask, Lane: memory.LaneText}).Hits, "words", "meaning")
	wantIDs(t, mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: ask, Lane: memory.LaneVector}).Hits, "meaning", "words")
	wantIDs(t, mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: ask}).Hits, "meaning", "words")
}

func TestRankingPointsAddUpToTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := &fakeSource{speakers: []string{"ann", "bob"}}
		for i := range rapid.IntRange(2, 20).Draw(t, "n") {
			m := src.add(string(idf("m%02d", i)), 0.5, rapid.SampledFrom([]string{"yesterday", "three boats", "is it?", "ERR-9 came", "nothing"}).Draw(t, "text")+" "+string(idf("Subject%d", i)),
				created(now.AddDate(0, 0, -rapid.IntRange(0, 400).Draw(t, "days"))))
			share := rapid.Float64Range(0, 1)
			src.addSignals(m.ID, memory.Signals{Candidate: memory.Candidate{Score: share.Draw(t, "words")}, Context: 9 * share.Draw(t, "context"), Coverage: share.Draw(t, "covered"),
				MeanCosine: share.Draw(t, "usual"), Cosine: share.Draw(t, "cosine"), NeighbourCosine: share.Draw(t, "near"),
				Speaker: rapid.SampledFrom([]string{"", "ann", "bob"}).Draw(t, "who"), AfterQuestion: rapid.Bool().Draw(t, "after")})
		}
		ask := rapid.SampledFrom([]string{"when did Ann see ERR-9?", "how many boats in May", "boats"}).Draw(t, "ask")
		answer, err := newSignalRecaller(src).Search(t.Context(), now, recall.SearchOptions{Text: ask, Explain: true, Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		const window = 0.2
		last := math.Inf(1)
		for _, h := range answer.Hits {
			sum := 0.0
			for _, f := range h.Ranking {
				sum += f.Points
			}
			if sum > last+window+1e-9 {
				t.Fatalf("%v with %v points is listed after a hit with %v", h.ID, sum, last)
			}
			last = sum
			if !(h.Similarity > 0 && h.Similarity < 1) {
				t.Fatalf("similarity %v is not between 0 and 1", h.Similarity)
			}
		}
	})
}

func TestSimilarityIsHighForAnAnswerAndLowForChance(t *testing.T) {
	similarity := func(s memory.Signals, emb fixedEmbedder) float64 {
		src := &fakeSource{}
		src.add("a", 0, "Alpha")
		s.Score, s.Context = s.Coverage, 1
		src.addSignals("a", s)
		set := recall.Defaults()
		return mustSearch(t, recall.New(src, emb, set), recall.SearchOptions{Text: "harbour boats"}).Hits[0].Similarity
	}
	answer := memory.Signals{Coverage: 1, MeanCosine: 0.1, Cosine: 0.6, NeighbourCosine: 0.5}
	chance := memory.Signals{Coverage: 0.2, MeanCosine: 0.1, Cosine: 0.15, NeighbourCosine: 0.2}
	if s := similarity(answer, fixedEmbedder{}); s < 0.8 {
		t.Errorf("an answer has similarity %v", s)
	}
	if s := similarity(chance, fixedEmbedder{}); s > recall.DefaultFloor {
		t.Errorf("a memory that matches by chance has similarity %v", s)
	}
	out := fixedEmbedder{zero: true}
	answer.Cosine, answer.NeighbourCosine, chance.Cosine, chance.NeighbourCosine = 0, 0, 0, 0
	if s := similarity(answer, out); s < 0.8 {
		t.Errorf("without vectors an answer has similarity %v", s)
	}
	if s := similarity(chance, out); s > recall.DefaultFloor {
		t.Errorf("without vectors a memory that matches by chance has similarity %v", s)
	}
}

// tableEmbedder passes for the embedding table of the binary.
type tableEmbedder struct{ fixedEmbedder }

func (tableEmbedder) Model() string { return "static/test" }

// TestSentenceTransformerHasItsOwnWeights compares it with the binary's embedding
// table for the same signals.
func TestSentenceTransformerHasItsOwnWeights(t *testing.T) {
	ask := func(emb embed.Embedder) (similarity, cosine float64) {
		src := &fakeSource{}
		src.add("a", 0, "Alpha")
		src.addSignals("a", memory.Signals{Candidate: memory.Candidate{Score: 0.5}, Context: 1, Coverage: 0.5, MeanCosine: 0.1, Cosine: 0.4, NeighbourCosine: 0.4})
		h := mustSearch(t, recall.New(src, emb, recall.Defaults()), recall.SearchOptions{Text: "harbour boats", Explain: true}).Hits[0]
		i := slices.IndexFunc(h.Ranking, func(f memory.Factor) bool { return f.Name == "cosine" })
		return h.Similarity, h.Ranking[i].Weight
	}
	bySentence, cosineBySentence := ask(fixedEmbedder{})
	byTable, cosineByTable := ask(tableEmbedder{})
	if bySentence >= byTable {
		t.Errorf("similarity %v with a sentence transformer is not below %v with the table: its blocks would be empty less often", bySentence, byTable)
	}
	if cosineBySentence <= cosineByTable {
		t.Errorf("weight %v of a sentence transformer's cosine is not above %v of the table's", cosineBySentence, cosineByTable)
	}
	noVectors, _ := ask(fixedEmbedder{zero: true})
	if byTable, _ := ask(tableEmbedder{fixedEmbedder{zero: true}}); noVectors != byTable {
		t.Errorf("without vectors, similarity %v with a sentence transformer differs from %v with the table", noVectors, byTable)
	}
}

// TestSimilarityConsidersTheWholeQuestion compares similarities by the signals that
// tell whether anything answers a question.
func TestSimilarityConsidersTheWholeQuestion(t *testing.T) {
	half := memory.Signals{Candidate: memory.Candidate{Score: 0.5}, Context: 1, Coverage: 0.5, Cosine: 0.4, NeighbourCosine: 0.4}
	near := half
	near.MeanCosine = 0.3
	for _, tt := range []struct {
		name        string
		ask, less   string // questions
		more, other memory.Signals
		speakers    []string
	}{
		{"a cosine far above the mean", "harbour boats", "harbour boats", half, near, nil},
		{"more words found", "harbour boats lie where gulls cry", "harbour boats", half, half, nil},
		{"a speaker is no word", "harbour boats", "Ann harbour", half, half, []string{"ann"}},
		{"CJK has words", "港口里的船只", "港", half, half, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			similarity := func(ask string, s memory.Signals) float64 {
				src := &fakeSource{speakers: tt.speakers}
				src.add("a", 0, "Alpha")
				src.addSignals("a", s)
				return mustSearch(t, recall.New(src, fixedEmbedder{}, recall.Defaults()), recall.SearchOptions{Text: ask}).Hits[0].Similarity
			}
			if more, less := similarity(tt.ask, tt.more), similarity(tt.less, tt.other); more <= less {
				t.Errorf("similarity %v is not above %v", more, less)
			}
		})
	}
}

// TestSumFarBelowTheBestLowersTheSimilarity gives two memories the same signals
// except those that order.
func TestSumFarBelowTheBestLowersTheSimilarity(t *testing.T) {
	for _, tt := range []struct {
		name    string
		best    string
		context float64 // of the other; the best has 10
		equal   bool
	}{
		{"far below", "Bravo", 0.2, false},
		{"4.6 points below", "Bravo", 0.8, false}, // words in context weigh 5
		{"4.4 points below", "Bravo", 1.2, true},
		{"2.5 points below", "Bravo", 5, true},
		{"identifiers do not count", "about TW-2107", 5, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("best", 0, tt.best)
			src.add("other", 0, "Charlie")
			src.addSignals("best", memory.Signals{Context: 10, Coverage: 0.5})
			src.addSignals("other", memory.Signals{Context: tt.context, Coverage: 0.5})
			ask := "did TW-2107 come"
			found := map[memory.ID]memory.Hit{}
			for _, h := range mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: ask, Explain: true}).Hits {
				found[h.ID] = h
			}
			behind := 0.0
			for _, f := range found["other"].Ranking {
				if f.Name == "behind" {
					behind = f.Value
				}
			}
			if (behind == 0) != tt.equal {
				t.Errorf("signal behind = %v", behind)
			}
		})
	}
}

func TestAtMostEightFoundWordsRaiseTheSimilarity(t *testing.T) {
	similarity := func(words int) float64 {
		src := &fakeSource{}
		src.add("a", 0, "Alpha")
		src.addSignals("a", memory.Signals{Candidate: memory.Candidate{Score: 0.5}, Context: 1, Coverage: 1, Cosine: 0.1})
		var ask strings.Builder
		for i := range words {
			ask.WriteString(string(idf("word%c ", 'a'+i)))
		}
		return mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: ask.String()}).Hits[0].Similarity
	}
	if seven, eight, nine := similarity(7), similarity(8), similarity(9); seven >= eight || eight != nine {
		t.Errorf("similarity %v for seven words, %v for eight, %v for nine", seven, eight, nine)
	}
}

// recordingEmbedder keeps the texts that it embeds.
type recordingEmbedder struct {
	fixedEmbedder
	texts []string
}

func (e *recordingEmbedder) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	e.texts = append(e.texts, texts...)
	return e.fixedEmbedder.Embed(ctx, kind, texts)
}

func TestSpeakersAreRemovedBeforeEmbedding(t *testing.T) {
	for _, tt := range []struct{ ask, want string }{
		{"what does Ann like", "what does like"},
		{"Ann's boat, where?", "boat, where?"},
		{"where is Ann?", "where is ?"},
		{"harbour of Ann, please", "harbour of please"},
		{"Ann harbour", "Ann harbour"}, // one word without the name
		{"Ann", "Ann"},
		{"Annabel sails today", "Annabel sails today"},
	} {
		e := &recordingEmbedder{}
		mustSearch(t, recall.New(&fakeSource{speakers: []string{"ann"}}, e, recall.Defaults()), recall.SearchOptions{Text: tt.ask})
		if want := []string{tt.want}; !slices.Equal(e.texts, want) {
			t.Errorf("%q is embedded as %q, want %q", tt.ask, e.texts, want)
		}
	}
}

func TestDatesInAQuestion(t *testing.T) {
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 10, 0, 0, 0, time.UTC) } // now is Friday, 20 November 2026
	for _, tt := range []struct {
		ask        string
		month, day time.Time // dates with the signal "month", and with "day" as well
		not        time.Time // a date with neither
	}{
		{"what did we do in May?", day(2024, 5, 3), time.Time{}, day(2024, 6, 3)},
		{"on 7 May", day(2024, 5, 3), day(2025, 5, 7), day(2024, 6, 7)},
		{"on May 7th, 2025", day(2025, 5, 3), day(2025, 5, 7), day(2024, 5, 7)},
		{"im März", day(2026, 3, 1), time.Time{}, day(2026, 4, 1)},
		{"en diciembre", day(2025, 12, 1), time.Time{}, day(2025, 11, 1)},
		{"en août", day(2025, 8, 1), time.Time{}, day(2025, 9, 1)},
		{"may I march on?", time.Time{}, time.Time{}, day(2026, 5, 1)},
		{"in 2024", day(2024, 8, 1), time.Time{}, day(2025, 8, 1)},
		{"yesterday", day(2026, 11, 19), time.Time{}, day(2026, 11, 18)},
		{"gestern", day(2026, 11, 19), time.Time{}, day(2026, 11, 20)},
		{"what happened last week", day(2026, 11, 11), time.Time{}, day(2026, 11, 17)},
		{"letzte Woche", day(2026, 11, 9), time.Time{}, day(2026, 11, 16)},
		{"la semana pasada", day(2026, 11, 15), time.Time{}, day(2026, 11, 8)},
		{"last month", day(2026, 10, 31), time.Time{}, day(2026, 11, 1)},
		{"2 weeks ago", day(2026, 11, 5), time.Time{}, day(2026, 11, 12)},
		{"in the past 3 days", day(2026, 11, 18), time.Time{}, day(2026, 11, 15)},
		{"4000 days ago", day(2015, 12, 8), time.Time{}, day(2015, 12, 4)},
		{"5001 days ago", time.Time{}, time.Time{}, day(2013, 3, 13)},
		{"99999999999999999999 days ago", time.Time{}, time.Time{}, day(2026, 11, 1)},
	} {
		t.Run(tt.ask, func(t *testing.T) {
			points := func(at time.Time) float64 {
				src := &fakeSource{}
				src.add("a", 0.5, "Alpha", created(at))
				src.addSignals("a", memory.Signals{Context: 1})
				sum := 0.0
				for _, f := range mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: tt.ask, Explain: true}).Hits[0].Ranking {
					if f.Name == "month" || f.Name == "day" {
						sum += f.Value
					}
				}
				return sum
			}
			if !tt.month.IsZero() && points(tt.month) != 1 {
				t.Errorf("%v: month + day = %v, want 1", tt.month, points(tt.month))
			}
			if !tt.day.IsZero() && points(tt.day) != 2 {
				t.Errorf("%v: month + day = %v, want 2", tt.day, points(tt.day))
			}
			if n := points(tt.not); n != 0 {
				t.Errorf("%v: month + day = %v, want 0", tt.not, n)
			}
		})
	}
}

func TestQueryTermsAreExpanded(t *testing.T) {
	synonyms := func(word string) []memory.Expansion {
		return []memory.Expansion{{Text: word + "ish", Weight: 0.5}, {Text: "the", Weight: 0.9}}
	}
	for _, tt := range []struct {
		name, ask string
		want      map[string][]string // expansions of each term
	}{
		{"ordinary words", "harbour boats", map[string][]string{"harbour": {"harbourish"}, "boats": {"boatsish"}}},
		{"irregular forms before synonyms", "where they went", map[string][]string{"went": {"go", "gone", "goes", "wentish"}}},
		{"irregular forms of a base form with an ending", "writing", map[string][]string{"writing": {"wrote", "written", "writingish"}}},
		{"names have none", "who met Beatriz in Lyon", map[string][]string{"met": {"meet", "metish"}, "beatriz": nil, "lyon": nil}},
		{"a capital at the start is no name", "Boats of Ann", map[string][]string{"boats": {"boatsish"}, "ann": nil}},
		{"speakers have none", "ann said so", map[string][]string{"ann": nil, "said": {"say", "saidish"}}},
		{"identifiers have none", "read src/token_store.go and ERR9", map[string][]string{"token": nil, "store": nil, "read": {"readish"}}},
		{"acronyms have none", "the API limit", map[string][]string{"api": nil, "limit": {"limitish"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{speakers: []string{"ann"}}
			mustSearch(t, newSignalRecaller(src, func(s *recall.Settings) { s.Expand = synonyms }), recall.SearchOptions{Text: tt.ask})
			for _, term := range src.query.Terms {
				want, ok := tt.want[term.Text]
				if !ok {
					continue
				}
				var got []string
				for _, a := range term.Expansions {
					got = append(got, a.Text)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s has expansions %v, want %v", term.Text, got, want)
				}
				delete(tt.want, term.Text)
			}
			if len(tt.want) > 0 {
				t.Errorf("terms %v are missing in %v", tt.want, formatTerms(src.query.Terms))
			}
		})
	}
}
