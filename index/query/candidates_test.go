package query_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// zipfWords draws words with the frequencies of natural text.
type zipfWords struct {
	random *rand.Rand
	zipf   *rand.Zipf
}

func newZipfWords(seed uint64) zipfWords {
	r := rand.New(rand.NewPCG(seed, 3))
	return zipfWords{r, rand.NewZipf(r, 1.1, 20, 5_000)}
}

func (z zipfWords) draw(n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%dord", z.zipf.Uint64())
	}
	return words
}

// question returns a query of some words, each with five expansions.
func (z zipfWords) question(words int) memory.Query {
	q := query(z.draw(words)...)
	for i := range q.Terms {
		for _, word := range z.draw(5) {
			q.Terms[i].Expansions = append(q.Terms[i].Expansions, memory.Expansion{Text: word, Weight: 0.5})
		}
	}
	return q
}

// apply adds files of a hundred memories, fifteen under a heading. It edits every fifth
// file afterwards, so that the chunks of its memories are written elsewhere.
func (z zipfWords) apply(t testing.TB, db *index.DB, files int) {
	t.Helper()
	fill := func(f int) {
		var lines []string
		for i := range 100 {
			lines = append(lines, fmt.Sprintf("%s f%dm%d", strings.Join(z.draw(8+z.random.IntN(25)), " "), f, i))
		}
		b := file(fmt.Sprintf("memory/%d.md", f), lines...)
		for i := range b.Placements {
			b.Placements[i].Block.Heading = []string{fmt.Sprint(i / 15)}
		}
		apply(t, db, noon, b)
	}
	for f := range files {
		fill(f)
	}
	for f := 0; f < files; f += 5 {
		fill(f)
	}
}

// TestTablesFindWhatTheSearchIndexFinds bounds how far the answers may differ. The
// tables score as the search index does, but only the candidates, and with an estimate of
// the average length. The bounds leave room for other texts.
func TestTablesFindWhatTheSearchIndexFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: the race detector finds nothing")
	}
	const files, questions, hits = 20, 12, 10
	z, db := newZipfWords(1), fresh(t)
	z.apply(t, db, files)
	type question struct {
		memory.Query
		memory.Predicate
	}
	var asked []question
	for i := range questions {
		q := z.question(4 + 2*i)
		asked = append(asked, question{q, memory.Predicate{}}, question{q, memory.Predicate{Path: "memory/7.md"}})
	}
	answers := func() (all [][]memory.ID) {
		for _, q := range asked {
			found, err := db.Search(t.Context(), q.Query, q.Predicate, 100, false)
			if err != nil || len(found.Signals) < hits {
				t.Fatal(len(found.Signals), err)
			}
			var ids []memory.ID
			for _, s := range found.Signals[:hits] {
				ids = append(ids, s.ID)
			}
			all = append(all, ids)
		}
		return all
	}
	tables := answers()
	load(t, db)
	missing := 0
	for i, ids := range answers() {
		same := hits
		for _, id := range ids {
			if !slices.Contains(tables[i], id) {
				same--
			}
		}
		missing += hits - same
		if same < 8 {
			t.Errorf("%d words, path %q: the tables find %d of %d", len(asked[i].Terms), asked[i].Path, same, hits)
		}
	}
	if total := hits * len(asked); missing > total/20 {
		t.Errorf("the tables miss %d of %d hits", missing, total)
	}
}
