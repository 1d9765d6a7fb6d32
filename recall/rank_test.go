package recall_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/recall"
)

// says gives a memory signals in the world that it was added to.
func (w *world) says(id memory.ID, s memory.Signals) {
	s.ID = id
	w.signals = append(w.signals, s)
}

func ranked(w *world, change ...func(*recall.Settings)) *recall.Recaller {
	return recaller(w, append([]func(*recall.Settings){func(s *recall.Settings) { s.Fusion = recall.FusionRanking }}, change...)...)
}

func TestRankingGoesByItsSignals(t *testing.T) {
	may := created(time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC))
	for _, tt := range []struct {
		name, ask         string
		better, worse     memory.Signals
		betterIs, worseIs string // their texts
		better2           func(*memory.Memory)
		speakers          []string
	}{
		{"words in context", "harbour", memory.Signals{Context: 4}, memory.Signals{Context: 2}, "Alpha", "Bravo", nil, nil},
		{"the cosine", "harbour", memory.Signals{Cosine: 0.6}, memory.Signals{Cosine: 0.3}, "Alpha", "Bravo", nil, nil},
		{"a neighbour's cosine", "harbour", memory.Signals{NeighbourCosine: 0.6}, memory.Signals{NeighbourCosine: 0.3}, "Alpha", "Bravo", nil, nil},
		{"who is named says it", "what does Ann like?", memory.Signals{Speaker: "ann"}, memory.Signals{Speaker: "bob"}, "Alpha", "Bravo", nil, []string{"ann", "bob"}},
		{"an answer before a question", "harbour", memory.Signals{AfterQuestion: true}, memory.Signals{}, "Alpha", "Bravo?", nil, nil},
		{"a time where one is wanted", "when does it open?", memory.Signals{}, memory.Signals{}, "It opens last week", "It opens", nil, nil},
		{"a number where one is wanted", "how many boats?", memory.Signals{}, memory.Signals{}, "Three boats", "Boats", nil, nil},
		{"the month that is named", "what happened in May?", memory.Signals{}, memory.Signals{}, "Alpha", "Bravo", may, nil},
		{"an identifier as it stands", "TW-2107", memory.Signals{Context: 1}, memory.Signals{Context: 3, Cosine: 0.9, NeighbourCosine: 0.9}, "about TW-2107", "about TW-2108", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{speakers: tt.speakers}
			change := tt.better2
			if change == nil {
				change = func(*memory.Memory) {}
			}
			w.add("worse", 0.5, tt.worseIs)
			w.add("better", 0.5, tt.betterIs, change)
			w.says("worse", tt.worse)
			w.says("better", tt.better)
			wantIDs(t, search(t, ranked(w), recall.SearchOptions{Text: tt.ask}).Hits, "better", "worse")
		})
	}
}

func TestASingleLaneOrdersAlone(t *testing.T) {
	w := &world{speakers: []string{"ann"}}
	w.add("words", 0.4, "Alpha")
	w.add("meaning", 0.6, "Bravo")
	w.says("words", memory.Signals{Context: 5, Speaker: "bob"})
	w.says("meaning", memory.Signals{Context: 4, Cosine: 0.9, Speaker: "ann"})
	ask := "what does Ann say of the harbour"
	wantIDs(t, search(t, ranked(w), recall.SearchOptions{Text: ask, Lane: memory.LaneText}).Hits, "words", "meaning")
	wantIDs(t, search(t, ranked(w), recall.SearchOptions{Text: ask, Lane: memory.LaneVector}).Hits, "meaning", "words")
	wantIDs(t, search(t, ranked(w), recall.SearchOptions{Text: ask}).Hits, "meaning", "words")
}

func TestRankingPointsAddUpToTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{speakers: []string{"ann", "bob"}}
		for i := range rapid.IntRange(2, 20).Draw(t, "n") {
			m := w.add(string(id("m%02d", i)), 0.5, rapid.SampledFrom([]string{"yesterday", "three boats", "is it?", "ERR-9 came", "nothing"}).Draw(t, "text")+" "+string(id("Subject%d", i)),
				created(now.AddDate(0, 0, -rapid.IntRange(0, 400).Draw(t, "days"))))
			share := rapid.Float64Range(0, 1)
			w.says(m.ID, memory.Signals{Candidate: memory.Candidate{Score: share.Draw(t, "words")}, Context: 9 * share.Draw(t, "context"), Coverage: share.Draw(t, "covered"),
				MeanCosine: share.Draw(t, "usual"), Cosine: share.Draw(t, "cosine"), NeighbourCosine: share.Draw(t, "near"),
				Speaker: rapid.SampledFrom([]string{"", "ann", "bob"}).Draw(t, "who"), AfterQuestion: rapid.Bool().Draw(t, "after")})
		}
		ask := rapid.SampledFrom([]string{"when did Ann see ERR-9?", "how many boats in May", "boats"}).Draw(t, "ask")
		answer, err := ranked(w).Search(t.Context(), now, recall.SearchOptions{Text: ask, Explain: true, Limit: 50})
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
				t.Fatalf("%v with %v points stands after %v", h.ID, sum, last)
			}
			last = sum
			if !(h.Similarity > 0 && h.Similarity < 1) {
				t.Fatalf("similarity %v", h.Similarity)
			}
		}
	})
}

func TestSimilarityTellsWhetherAnythingAnswers(t *testing.T) {
	similarity := func(s memory.Signals, emb oneVector) float64 {
		w := &world{}
		w.add("a", 0, "Alpha")
		s.Score, s.Context = s.Coverage, 1
		w.says("a", s)
		set := recall.Defaults()
		return search(t, recall.New(w, emb, set), recall.SearchOptions{Text: "harbour boats"}).Hits[0].Similarity
	}
	answer := memory.Signals{Coverage: 1, MeanCosine: 0.1, Cosine: 0.6, NeighbourCosine: 0.5}
	chance := memory.Signals{Coverage: 0.2, MeanCosine: 0.1, Cosine: 0.15, NeighbourCosine: 0.2}
	if s := similarity(answer, oneVector{}); s < 0.8 {
		t.Errorf("an answer has %v", s)
	}
	if s := similarity(chance, oneVector{}); s > recall.DefaultFloor {
		t.Errorf("chance has %v", s)
	}
	out := oneVector{zero: true}
	answer.Cosine, answer.NeighbourCosine, chance.Cosine, chance.NeighbourCosine = 0, 0, 0, 0
	if s := similarity(answer, out); s < 0.8 {
		t.Errorf("without vectors an answer has %v", s)
	}
	if s := similarity(chance, out); s > recall.DefaultFloor {
		t.Errorf("without vectors chance has %v", s)
	}
}

// table is an embedder as the binary has it, not a sentence transformer.
type table struct{ oneVector }

func (table) Model() string { return "static/test" }

// TestWhatEmbedsIsWeighedAsItWasMeasured asks the same of a sentence transformer
// and of the table in the binary.
func TestWhatEmbedsIsWeighedAsItWasMeasured(t *testing.T) {
	ask := func(emb embed.Embedder) (similarity, cosine float64) {
		w := &world{}
		w.add("a", 0, "Alpha")
		w.says("a", memory.Signals{Candidate: memory.Candidate{Score: 0.5}, Context: 1, Coverage: 0.5, MeanCosine: 0.1, Cosine: 0.4, NeighbourCosine: 0.4})
		h := search(t, recall.New(w, emb, recall.Defaults()), recall.SearchOptions{Text: "harbour boats", Explain: true}).Hits[0]
		at := slices.IndexFunc(h.Ranking, func(f memory.Factor) bool { return f.Name == "cosine" })
		return h.Similarity, h.Ranking[at].Weight
	}
	bySentence, cosineBySentence := ask(oneVector{})
	byTable, cosineByTable := ask(table{})
	if bySentence >= byTable {
		t.Errorf("with the same signals a sentence transformer says %v, the table %v: its blocks would be empty less often", bySentence, byTable)
	}
	if cosineBySentence <= cosineByTable {
		t.Errorf("a sentence transformer's cosine weighs %v, the table's %v", cosineBySentence, cosineByTable)
	}
	unseen, _ := ask(oneVector{zero: true})
	if alike, _ := ask(table{oneVector{zero: true}}); unseen != alike {
		t.Errorf("without vectors a sentence transformer says %v, the table %v", unseen, alike)
	}
}

// TestSimilarityIsOfTheWholeQuestion compares two answers by what tells a question
// that something answers from one that nothing does.
func TestSimilarityIsOfTheWholeQuestion(t *testing.T) {
	half := memory.Signals{Candidate: memory.Candidate{Score: 0.5}, Context: 1, Coverage: 0.5, Cosine: 0.4, NeighbourCosine: 0.4}
	near := half
	near.MeanCosine = 0.3
	for _, tt := range []struct {
		name        string
		ask, less   string // questions
		more, other memory.Signals
		speakers    []string
	}{
		{"what stands out from the rest", "harbour boats", "harbour boats", half, near, nil},
		{"many words found", "harbour boats lie where gulls cry", "harbour boats", half, half, nil},
		{"a name is no word found", "harbour boats", "Ann harbour", half, half, []string{"ann"}},
		{"writing without spaces has words", "港口里的船只", "港", half, half, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			similarity := func(ask string, s memory.Signals) float64 {
				w := &world{speakers: tt.speakers}
				w.add("a", 0, "Alpha")
				w.says("a", s)
				return search(t, recall.New(w, oneVector{}, recall.Defaults()), recall.SearchOptions{Text: ask}).Hits[0].Similarity
			}
			if more, less := similarity(tt.ask, tt.more), similarity(tt.less, tt.other); more <= less {
				t.Errorf("%v is not more than %v", more, less)
			}
		})
	}
}

// TestWhatRanksFarBehindIsDoubted gives two memories the same signals but for
// those that order.
func TestWhatRanksFarBehindIsDoubted(t *testing.T) {
	for _, tt := range []struct {
		name    string
		best    string
		context float64 // of the other, where the best has 10
		equal   bool
	}{
		{"far behind", "Bravo", 0.2, false},
		{"within what right answers do", "Bravo", 5, true},
		{"an identifier leaves the others alone", "about TW-2107", 5, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			w.add("best", 0, tt.best)
			w.add("other", 0, "Charlie")
			w.says("best", memory.Signals{Context: 10, Coverage: 0.5})
			w.says("other", memory.Signals{Context: tt.context, Coverage: 0.5})
			ask := "did TW-2107 come"
			found := map[memory.ID]memory.Hit{}
			for _, h := range search(t, ranked(w), recall.SearchOptions{Text: ask, Explain: true}).Hits {
				found[h.ID] = h
			}
			doubt := 0.0
			for _, f := range found["other"].Ranking {
				if f.Name == "behind" {
					doubt = f.Value
				}
			}
			if (doubt == 0) != tt.equal {
				t.Errorf("it is %v behind", doubt)
			}
		})
	}
}

func TestDatesInAQuestion(t *testing.T) {
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 10, 0, 0, 0, time.UTC) } // now is Friday, 20 November 2026
	for _, tt := range []struct {
		ask        string
		month, day time.Time // what is dated so
		not        time.Time
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
		{"99999999999999999999 days ago", time.Time{}, time.Time{}, day(2026, 11, 1)},
	} {
		t.Run(tt.ask, func(t *testing.T) {
			points := func(at time.Time) float64 {
				w := &world{}
				w.add("a", 0.5, "Alpha", created(at))
				w.says("a", memory.Signals{Context: 1})
				sum := 0.0
				for _, f := range search(t, ranked(w), recall.SearchOptions{Text: tt.ask, Explain: true}).Hits[0].Ranking {
					if f.Name == "month" || f.Name == "day" {
						sum += f.Value
					}
				}
				return sum
			}
			if !tt.month.IsZero() && points(tt.month) != 1 {
				t.Errorf("%v has %v", tt.month, points(tt.month))
			}
			if !tt.day.IsZero() && points(tt.day) != 2 {
				t.Errorf("%v has %v", tt.day, points(tt.day))
			}
			if n := points(tt.not); n != 0 {
				t.Errorf("%v has %v", tt.not, n)
			}
		})
	}
}

func TestWordsAlike(t *testing.T) {
	alike := func(word string) []memory.Expansion {
		return []memory.Expansion{{Text: word + "ish", Weight: 0.5}, {Text: "the", Weight: 0.9}}
	}
	for _, tt := range []struct {
		name, ask string
		want      map[string][]string // by term
	}{
		{"plain words", "harbour boats", map[string][]string{"harbour": {"harbourish"}, "boats": {"boatsish"}}},
		{"irregular forms first", "where they went", map[string][]string{"went": {"go", "gone", "goes", "wentish"}}},
		{"and of a form with an ending", "writing", map[string][]string{"writing": {"wrote", "written", "writingish"}}},
		{"no names", "who met Beatriz in Lyon", map[string][]string{"met": {"meet", "metish"}, "beatriz": nil, "lyon": nil}},
		{"a first word is no name", "Boats of Ann", map[string][]string{"boats": {"boatsish"}, "ann": nil}},
		{"nobody who speaks", "ann said so", map[string][]string{"ann": nil, "said": {"say", "saidish"}}},
		{"no identifiers", "read src/token_store.go and ERR9", map[string][]string{"token": nil, "store": nil, "read": {"readish"}}},
		{"no acronyms", "the API limit", map[string][]string{"api": nil, "limit": {"limitish"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{speakers: []string{"ann"}}
			search(t, ranked(w, func(s *recall.Settings) { s.Expand = alike }), recall.SearchOptions{Text: tt.ask})
			for _, term := range w.query.Terms {
				want, asked := tt.want[term.Text]
				if !asked {
					continue
				}
				var got []string
				for _, a := range term.Expansions {
					got = append(got, a.Text)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s is like %v, want %v", term.Text, got, want)
				}
				delete(tt.want, term.Text)
			}
			if len(tt.want) > 0 {
				t.Errorf("not asked for: %v of %v", tt.want, lastChanged(w.query.Terms))
			}
		})
	}
}
