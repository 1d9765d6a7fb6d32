package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// TestDestroyOfAMiddleVersionKeepsTheOldestSuperseded destroys the second of three
// versions. The third one supersedes the first one then.
func TestDestroyOfAMiddleVersionKeepsTheOldestSuperseded(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Lena prefers meetings in the morning\n"})
	first := c.idOf("Lena prefers meetings in the morning")
	second := c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning, before ten", Extend: string(first)}).Memory.ID
	third := c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning, before ten, in room 4", Extend: string(second)}).Memory.ID
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{string(second)}, Confirm: true}))(t)
	if m := c.show(memory.ShowRequest{ID: string(first)}); m.SupersededBy == nil || *m.SupersededBy != third || !strings.Contains(c.read("MEMORY.md"), third.InFile()) {
		t.Errorf("%v\n%s", m.SupersededBy, c.read("MEMORY.md"))
	}
}

// TestMemoriesThatSupersedeThemselvesAreVisible declares links that lead back.
func TestMemoriesThatSupersedeThemselvesAreVisible(t *testing.T) {
	texts := []string{"the red tractor is in the barn today", "the blue wagon is at the gate today", "the green cart is at the wall today", "the old plough is under the roof today"}
	body := "- " + strings.Join(texts, "\n- ") + "\n"
	for name, successors := range map[string][]int{"one": {0, -1, -1, -1}, "two": {1, 0, -1, -1}, "three": {1, 2, 0, -1}} {
		t.Run(name, func(t *testing.T) {
			c := newCaptureWorld(t, map[string]string{"MEMORY.md": body})
			var head strings.Builder
			looped := 0
			for i, successor := range append(successors, 0)[:4] {
				if i == 3 {
					successor = 0 // leads into the loop, and stays superseded
				} else if successor >= 0 {
					looped++
				}
				if successor >= 0 {
					fmt.Fprintf(&head, "  - {id: %q, quote: %q, superseded_by: %q}\n", c.idOf(texts[i]).InFile(), texts[i], c.idOf(texts[successor]).InFile())
				}
			}
			c.write("MEMORY.md", "---\nmemories:\n"+head.String()+"---\n"+body)
			c.index()
			for _, inMemory := range []bool{false, true} {
				if inMemory {
					must.Do(t, c.Load(t.Context(), ""))
				}
				for i, text := range texts {
					found := must.Get(c.Search(t.Context(), memory.SearchRequest{Query: text, For: memory.AudienceModel}))(t)
					if got := slices.ContainsFunc(found.Hits, func(h memory.Hit) bool { return h.Text == text }); got != (i < 3) {
						t.Errorf("a model finds %q: %v (in memory: %v)", text, got, inMemory)
					}
				}
			}
			status, err := c.Status(t.Context())
			if err != nil || !slices.ContainsFunc(status.Workspaces[0].Notices, func(n string) bool { return strings.Contains(n, fmt.Sprintf("no effect on %d memories", looped)) }) {
				t.Errorf("%q, %v", status.Workspaces[0].Notices, err)
			}
		})
	}
}

// TestStoreLeavesANoteInAnotherEncoding stores beside a note in UTF-16 and one in
// Latin-1.
func TestStoreLeavesANoteInAnotherEncoding(t *testing.T) {
	for name, note := range map[string]string{"UTF-16": "\xff\xfe-\x00 \x00h\x00i\x00\r\x00\n\x00", "Latin-1": "- caf\xe9\n"} {
		t.Run(name, func(t *testing.T) {
			c := newCaptureWorld(t, nil)
			path := c.storeAs(memory.StoreRequest{Text: "The zebra is in the stable"}).Memory.Path
			c.write(path, note)
			a := c.storeAs(memory.StoreRequest{Text: "The giraffe is in the garden"})
			if c.read(path) != note || a.Memory.Path == path || c.idOf("The giraffe is in the garden") != a.Memory.ID {
				t.Errorf("%s is %q; stored in %s", path, c.read(path), a.Memory.Path)
			}
		})
	}
}
