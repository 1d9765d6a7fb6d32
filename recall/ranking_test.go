package recall_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/internal/property"
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

// TestWordsCountAsFarAsTheQuestionIsFound compares a memory that matches one word by
// chance with a memory of nearly the same meaning.
func TestWordsCountAsFarAsTheQuestionIsFound(t *testing.T) {
	for _, tt := range []struct {
		name    string
		emb     embed.Embedder
		covered float64 // the largest share of the question's words at any candidate
		cosine  float64 // of the memory with the words; the other one has 0.35
		want    []memory.ID
	}{
		{"half of the words are found", tableEmbedder{}, 0.5, 0.15, []memory.ID{"words", "meaning"}},
		{"hardly a word is found", tableEmbedder{}, 0.1, 0.15, []memory.ID{"meaning", "words"}},
		{"half of the words, with a sentence transformer", fixedEmbedder{}, 0.3, 0.15, []memory.ID{"meaning", "words"}},
		{"nearly all words, with a sentence transformer", fixedEmbedder{}, 0.7, 0.25, []memory.ID{"words", "meaning"}},
		{"nearly all words, which the meaning does not confirm", fixedEmbedder{}, 0.7, 0.15, []memory.ID{"meaning", "words"}},
		{"nearly all words, in a memory without a vector", fixedEmbedder{}, 0.7, 0, []memory.ID{"words", "meaning"}},
		{"nearly all words, with a name", fixedEmbedder{}, 0.7, 0.15, []memory.ID{"words", "meaning"}},
		{"hardly a word, in a language that the table does not know", tableEmbedder{}, 0.1, 0.15, []memory.ID{"words", "meaning"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{}
			src.add("words", 0.5, "Alpha")
			src.add("meaning", 0.5, "Bravo")
			src.addSignals("words", memory.Signals{Context: 4, Coverage: tt.covered, MeanCosine: 0.1, Cosine: tt.cosine, NeighbourCosine: tt.cosine})
			src.addSignals("meaning", memory.Signals{MeanCosine: 0.1, Cosine: 0.35, NeighbourCosine: 0.35})
			r, ask := recall.New(src, tt.emb, recall.Defaults()), "which pets live aboard"
			if strings.Contains(tt.name, "language") {
				ask = "welche Tiere sind an Bord"
			}
			if strings.Contains(tt.name, "name") {
				ask = "which pets live with Alpha"
			}
			wantIDs(t, mustSearch(t, r, recall.SearchOptions{Text: ask}).Hits, tt.want...)
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
	property.Check(t, func(t *rapid.T) {
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
