package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
)

// shownInBlock matches the percentage of a line of a block.
var shownInBlock = regexp.MustCompile(`(?m)^- .*\((\d+)%\)$`)

// TestOneNumberEverywhere asks random workspaces. A search, the injected block, the receipt of
// the block and an explanation show the same percentage of a memory. A search lists them in falling
// order.
func TestOneNumberEverywhere(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(property.Number(1<<30)), 1))
	things := []string{"port", "deploy", "backup", "heron", "kitchen", "printer", "rent", "choir", "harbour", "ferry"}
	one := func() string { return things[random.IntN(len(things))] }
	compared := 0
	for range 6 {
		var lines strings.Builder
		for i := range 5 + random.IntN(40) {
			fmt.Fprintf(&lines, "- The %s of the %s number %d is near the %s\n", one(), one(), i, one())
		}
		w := newWorldWith(t, map[string]string{"MEMORY.md": lines.String()}, nil)
		for range 4 {
			ask := fmt.Sprintf("Where is the %s of the %s?", one(), one())
			shown, last := map[memory.ID]float64{}, 1.0
			for _, h := range w.searchHits(ask) {
				if percentOf(h.Similarity) > percentOf(last) {
					t.Errorf("%q: %v after %v", ask, h.Similarity, last)
				}
				last, shown[h.ID] = h.Similarity, h.Similarity
				if a := w.explain(h.ID, ask); !isOneNumber(a.Similarity, last) {
					t.Errorf("%q: a search shows %v, explain %v", ask, last, a.Similarity)
				}
			}
			block := w.recallDelivered(memory.RecallRequest{Prompt: ask, Session: "s"})
			if len(block.Hits) == 0 {
				continue
			}
			for _, m := range w.last(memory.LastRequest{}).Injected {
				if want, found := shown[m.ID]; found && !isOneNumber(m.Similarity, want) {
					t.Errorf("%q: a search shows %v, last %v", ask, want, m.Similarity)
				}
			}
			for i, line := range shownInBlock.FindAllStringSubmatch(block.Context, -1) {
				h := block.Hits[i]
				if want, found := shown[h.ID]; line[1] != strconv.Itoa(percentOf(h.Similarity)) || found && !isOneNumber(h.Similarity, want) {
					t.Errorf("%q: a search shows %v, the block %s%%", ask, want, line[1])
				}
				compared++
			}
		}
	}
	if compared < 5 {
		t.Errorf("only %d percentages of blocks were compared: the test shows nothing", compared)
	}
}

// isOneNumber reports whether two similarities are equal, but for the rounding of vectors: an
// index that is loaded rounds them differently.
func isOneNumber(a, b float64) bool { return math.Abs(a-b) < 1e-4 }

func percentOf(similarity float64) int { return int(math.Round(100 * similarity)) }

func (w *world) explain(id memory.ID, query string) memory.ExplainAnswer {
	w.t.Helper()
	a := must.Get(w.Explain(w.t.Context(), memory.ExplainRequest{ID: string(id), Query: query}))(w.t)
	return a
}

// A search lists what superseded a memory before it.
func TestSearchListsTheSuccessorFirst(t *testing.T) {
	c := newCaptureWorld(t, nil)
	old := c.storeAs(toolStores("The staging port of the collector is 8080", "")).Memory.ID
	next := c.storeAs(toolStores("Port 9999 is where it listens since Monday", string(old))).Memory.ID
	a := must.Get(c.Search(t.Context(), memory.SearchRequest{Query: "What is the staging port of the collector?"}))(t)
	at := func(id memory.ID) int {
		return slices.IndexFunc(a.Hits, func(h memory.Hit) bool { return h.ID == id })
	}
	if at(next) < 0 || at(old) < at(next) || a.Hits[at(old)].SupersededBy == nil || a.Hits[at(old)].Similarity > a.Hits[at(next)].Similarity {
		t.Errorf("%+v", a.Hits)
	}
}
