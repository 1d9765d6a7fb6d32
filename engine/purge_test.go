package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// TestForgottenTextStaysForgottenAfterItsRowIsPurged lets a forgotten text return
// after its memory was missing for longer than the retention time.
func TestForgottenTextStaysForgottenAfterItsRowIsPurged(t *testing.T) {
	const text, edited = "The locker in the harbour opens with 4711 and the key", "The locker in the old harbour opens with 4711 and the key"
	visible := func(w *world) int {
		answer := must.Get(w.Search(w.t.Context(), memory.SearchRequest{Query: "locker harbour"}))(w.t)
		n := 0
		for _, h := range answer.Hits {
			if strings.Contains(h.Text, "locker") {
				n++
			}
		}
		return n
	}
	for name, tt := range map[string]struct {
		only    bool
		returns string // the text that returns
		in      string // its file
		left    int    // missing memories after the purge
	}{
		"every copy, same file":        {false, text, "memory/a.md", 0},
		"every copy, another file":     {false, text, "memory/b.md", 0},
		"every copy, its past text":    {false, edited, "memory/b.md", 1},
		"this memory only, same file":  {true, text, "memory/a.md", 1},
		"this memory only, other file": {true, text, "memory/b.md", 1},
	} {
		t.Run(name, func(t *testing.T) {
			saved := now
			defer func() { now = saved }()
			w := newWorld(t, map[string]string{"memory/a.md": "- " + text + "\n", "MEMORY.md": "- Ada keeps a parrot\n"})
			index := func() {
				t.Helper()
				must.Get(w.Index(t.Context(), memory.IndexRequest{}, nil))(t)
			}
			if tt.returns == edited {
				w.write("memory/a.md", "- "+edited+"\n")
				index()
				w.write("memory/a.md", "- "+text+"\n")
			}
			m := w.shown("locker")
			r := memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(m.ID)}, Only: tt.only}
			must.Get(w.Decide(t.Context(), r))(t)
			w.write("memory/a.md", "")
			index()
			for range 2 { // a day before the retention time, and a day after it
				now = now.Add(90*24*time.Hour + time.Hour)
				must.Do(t, w.PurgeMissing(t.Context()))
			}
			list, err := w.List(t.Context(), memory.ListRequest{Missing: true, Filter: memory.Filter{Forgotten: true}})
			if err != nil || list.Total != tt.left {
				t.Errorf("%d missing memories are left, want %d, %v", list.Total, tt.left, err)
			}
			w.write(tt.in, "- "+tt.returns+"\n")
			index()
			if n := visible(w); n != 0 {
				t.Errorf("the text is visible again: %d hits", n)
			}
		})
	}
}
