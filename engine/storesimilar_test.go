package engine_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
)

func toolStores(text, replaces string) memory.StoreRequest {
	return memory.StoreRequest{Text: text, Replaces: replaces, Source: memory.SourceTool, For: memory.AudienceModel}
}

// Texts about one thing that do not say the same both stay. The answer names the older one, so
// that whoever knows what was meant can replace it.
func TestSimilarMemoryIsNamedAndCanBeReplaced(t *testing.T) {
	for _, tt := range []struct{ name, older, newer string }{
		{"another order", "I prefer tea over coffee", "I prefer coffee over tea"},
		{"a negation", "Visitors may park in the yard", "Visitors may not park in the yard"},
		{"another word", "The guests of Lena sleep in the attic", "The guests of Lena sleep in the cellar room"},
	} {
		for _, again := range []bool{false, true} {
			t.Run(tt.name, func(t *testing.T) {
				c := newCaptureWorld(t, nil)
				old := c.storeAs(toolStores(tt.older, "")).Memory.ID
				a := c.storeAs(toolStores(tt.newer, ""))
				if a.Duplicate || len(a.Superseded) > 0 || !slices.Equal(a.Similar, memory.List[memory.SimilarMemory]{{ID: old, Text: tt.older}}) {
					t.Fatalf("%+v", a)
				}
				c.expectHits(tt.older, old, a.Memory.ID)
				if !again {
					return
				}
				replaced := c.storeAs(toolStores(tt.newer, string(old)))
				if replaced.Memory.ID != a.Memory.ID || !slices.Equal(replaced.Superseded, memory.List[memory.ID]{old}) {
					t.Fatalf("%+v", replaced)
				}
				if by := c.show(memory.ShowRequest{ID: string(old)}).Memory.SupersededBy; by == nil || *by != a.Memory.ID {
					t.Errorf("superseded by %v", by)
				}
				c.undo(1)
				if by := c.show(memory.ShowRequest{ID: string(old)}).Memory.SupersededBy; by != nil {
					t.Errorf("after undo, superseded by %v", *by)
				}
			})
		}
	}
}

// expectHits fails unless a search finds some memories, and none of them is superseded.
func (c *captureWorld) expectHits(query string, want ...memory.ID) {
	c.t.Helper()
	a, err := c.Search(c.t.Context(), memory.SearchRequest{Query: query})
	if err != nil {
		c.t.Fatal(err)
	}
	for _, id := range want {
		if !slices.ContainsFunc(a.Hits, func(h memory.Hit) bool { return h.ID == id && h.SupersededBy == nil }) {
			c.t.Errorf("a search does not find %s as it was", id.Short())
		}
	}
}

func TestNewTextReplacesTheMemoryThatItNames(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- The heron nests behind the mill\n"})
	byHand := c.idOf("The heron nests behind the mill")
	old := c.storeAs(toolStores("The guests of Lena sleep in the attic", "")).Memory.ID
	a := c.storeAs(toolStores("Visitors get the blue room", string(old)))
	if !slices.Equal(a.Superseded, memory.List[memory.ID]{old}) {
		t.Errorf("%+v", a)
	}
	for name, r := range map[string]memory.StoreRequest{
		"a person's line":    toolStores("The heron moved to the island", string(byHand)),
		"a superseded one":   toolStores("The guests of Lena sleep elsewhere", string(old)),
		"both extend and it": {Text: "The heron moved to the island", Replaces: string(byHand), Extend: string(byHand)},
		"an unknown one":     toolStores("The heron moved to the island", "ffffffffffff"),
	} {
		if a, err := c.Store(t.Context(), r); err == nil {
			t.Errorf("%s was replaced: %+v", name, a)
		} else if !errors.Is(err, memory.ErrConflict) && !errors.Is(err, memory.ErrInvalid) && !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A model does not learn of what it may not see.
func TestSimilarMemoriesArePrivate(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- I prefer tea over coffee <!-- private -->\n"})
	if a := c.storeAs(toolStores("I prefer coffee over tea", "")); len(a.Similar) > 0 {
		t.Errorf("a model was told %+v", a.Similar)
	}
	if a := c.storeAs(memory.StoreRequest{Text: "I prefer coffee over green tea"}); len(a.Similar) == 0 {
		t.Error("a person was told of no similar memory")
	}
}
