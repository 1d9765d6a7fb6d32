package engine_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// TestIDOfAUserTellsNothingOfOthers stores and captures the words of lena, where ben has the
// very text and where he has not. Her ids are the same, also after the index is built again.
func TestIDOfAUserTellsNothingOfOthers(t *testing.T) {
	const text, sentence = "The trip to Venice is planned for May", "Remember that the ring is hidden in the blue vase."
	run := func(others ...string) (ids []memory.ID) {
		c := newFamily(t, nil)
		keep := func(user string) (ids []memory.ID) {
			s := memory.Sender{User: user}
			stored := must.Get(c.Store(t.Context(), memory.StoreRequest{Text: text, Source: memory.SourceTool, Sender: s, For: memory.AudienceModel}))(t)
			captured := c.capture(memory.CaptureRequest{Sender: s, Session: user, Messages: said(sentence)})
			if len(captured.Stored) != 1 {
				t.Fatal(reasons(captured))
			}
			return []memory.ID{stored.Memory.ID, captured.Stored[0].ID}
		}
		for _, user := range others {
			keep(user)
		}
		ids = keep("lena")
		own := func() (ids []memory.ID) {
			listed := must.Get(c.List(t.Context(), memory.ListRequest{Sender: memory.Sender{User: "lena"}}))(t)
			for _, m := range listed.Memories {
				ids = append(ids, m.ID)
			}
			slices.Sort(ids)
			return ids
		}
		sorted := slices.Sorted(slices.Values(ids))
		must.Get(c.Index(t.Context(), memory.IndexRequest{Force: true}, nil))(t)
		if got := own(); !slices.Equal(got, sorted) {
			t.Errorf("after %v and a rebuild lena has %v, before %v", others, got, sorted)
		}
		c.options.Workspaces[0].DBPath = t.TempDir() + "/clone.db" // the files alone
		c.restart()
		if got := own(); !slices.Equal(got, sorted) {
			t.Errorf("after %v a clone has %v of lena, before %v", others, got, sorted)
		}
		return ids
	}
	alone := run()
	for _, others := range [][]string{{"ben"}, {"ben", "telegram:9"}} {
		if ids := run(others...); !slices.Equal(ids, alone) {
			t.Errorf("after %v lena gets %v, else %v", others, ids, alone)
		}
	}
}
