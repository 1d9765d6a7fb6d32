package recall_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// wordSource is a source whose search finds the memories that have a word of the query.
type wordSource struct {
	*fakeSource
	cosines map[memory.ID]float64
	speaker string
	queries []string // the words of each search

	restLift float64 // of every memory
}

func (src *wordSource) Search(_ context.Context, q memory.Query, p memory.Predicate, k int, nearest bool) (found memory.SearchResult, err error) {
	var words []string
	for _, t := range q.Terms {
		words = append(words, t.Text)
	}
	src.queries = append(src.queries, strings.Join(words, " "))
	var all []memory.Signals
	for _, m := range src.memories {
		if len(p.IDs) > 0 && !slices.Contains(p.IDs, m.ID) {
			continue
		}
		n := 0.0
		for _, w := range words {
			if strings.Contains(strings.ToLower(m.Text), strings.TrimSuffix(w, "s")) {
				n++
			}
		}
		share := n / float64(max(1, len(words)))
		all = append(all, memory.Signals{Candidate: memory.Candidate{ID: m.ID, Score: share}, Context: n, Coverage: share, Cosine: src.cosines[m.ID], MeanCosine: 0.1, RestLift: src.restLift, Speaker: src.speaker})
	}
	slices.SortStableFunc(all, func(a, b memory.Signals) int { return cmp.Compare(b.Cosine, a.Cosine) })
	for i, s := range all {
		isNear := nearest && i < k
		if s.Context > 0 || isNear {
			found.Signals = append(found.Signals, s)
		}
		if isNear {
			found.Nearest = append(found.Nearest, memory.Candidate{ID: s.ID, Score: s.Cosine})
		}
	}
	return found, nil
}

// lenaNotes returns a source with seven notes about Lena, and their cosines.
func lenaNotes() *wordSource {
	src := &wordSource{fakeSource: &fakeSource{}, cosines: map[memory.ID]float64{}}
	for i, text := range []string{"Lena prefers tabs.", "Lena is allergic to hazelnuts.", "Lena ran 10 km.", "Call her Lena.", "Marisol is the wife of Lena.",
		"Lena never picks the film.", "Lena wants short answers."} {
		m := src.add(fmt.Sprintf("a%d", i), 0, text)
		src.cosines[m.ID] = 0.12
	}
	src.cosines["a1"] = 0.3
	return src
}

// askLena returns the texts that a source injects.
func askLena(t *testing.T, src *wordSource, ask string) (texts []string) {
	t.Helper()
	r := recall.New(src, tableEmbedder{}, recall.Defaults())
	answer, _, err := r.Recall(t.Context(), now, recall.Prompt{Text: ask})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range answer.Hits {
		texts = append(texts, h.Text)
	}
	return texts
}

func TestNotesThatShareANameAreComparedWithTheRest(t *testing.T) {
	for _, tt := range []struct {
		name, ask string
		change    func(*wordSource)
		want      int // memories; -1: any number
		search    string
	}{
		{"what stands out by its meaning answers", "What can Lena not eat?", nil, 1, "eat"},
		{"nothing stands out", "What can Lena not eat?", func(src *wordSource) { src.cosines["a1"] = 0.14 }, 0, "eat"},
		{"everything is asked for", "What do you know about Lena?", nil, 7, "lena"},
		{"the prompt tells, and a note has its word", "We talk of the film with Lena", func(src *wordSource) { src.cosines["a1"] = 0.14 }, -1, "talk film"},
		{"a name of few notes is a word like others", "What does Marisol eat?", func(src *wordSource) { src.restLift = 0.2 }, 1, "marisol eat"},
		{"nothing but a name of few notes is shared", "What does Marisol eat?", nil, 0, "marisol eat"},
		{"another word of a note about it is shared", "Whose wife is Marisol?", nil, 1, "wife marisol"},
		{"nearly anything about it is asked for", "What does Marisol think?", nil, 1, "marisol think"},
		{"talk has speakers instead", "What can Lena not eat?", func(src *wordSource) { src.speaker = "ann" }, -1, "lena eat"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := lenaNotes()
			if tt.change != nil {
				tt.change(src)
			}
			if got := askLena(t, src, tt.ask); tt.want >= 0 && len(got) != tt.want {
				t.Errorf("injected %q, want %d", got, tt.want)
			}
			if !slices.Contains(src.queries, tt.search) {
				t.Errorf("searched for %q, want %q among it", src.queries, tt.search)
			}
		})
	}
}

// A question about Lena and the port asks about two things that no note joins.
// TestASubjectHasNoSecondWay asks a question that is near to all notes about its subject.
func TestASubjectHasNoSecondWay(t *testing.T) {
	for _, tt := range []struct {
		name, ask string
		want      bool
	}{
		{"nothing stands out", "What can Lena not eat?", false},
		{"there is no subject", "What can she not eat?", true},
	} {
		src := lenaNotes()
		for id := range src.cosines {
			src.cosines[id] = 0.4
		}
		src.cosines["a1"] = 0.42
		answer, _, err := recall.New(src, fixedEmbedder{}, recall.Defaults()).Recall(t.Context(), now, recall.Prompt{Text: tt.ask})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(answer.Hits) > 0; got != tt.want {
			t.Errorf("%s: %d memories", tt.name, len(answer.Hits))
		}
	}
}

func TestAQuestionAboutSeveralThingsHasNoSubject(t *testing.T) {
	src := lenaNotes()
	src.add("b0", 0, "Esbjerg is a port.")
	askLena(t, src, "When was Lena at the port of Esbjerg?")
	if !slices.Contains(src.queries, "lena port esbjerg") {
		t.Errorf("searched for %q", src.queries)
	}
}

// In a large workspace, the notes nearest to the rest of the question are about others.
func TestNotesAboutTheSubjectAreFoundAmongMany(t *testing.T) {
	src := lenaNotes()
	for i := range 300 {
		m := src.add(fmt.Sprintf("b%d", i), 0, "Fish is good.")
		src.cosines[m.ID] = 0.4
	}
	if got := askLena(t, src, "What can Lena not eat?"); !slices.Equal(got, []string{"Lena is allergic to hazelnuts."}) {
		t.Errorf("injected %q", got)
	}
}
