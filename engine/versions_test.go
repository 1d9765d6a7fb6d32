package engine_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
)

func (c *captureWorld) storeAs(r memory.StoreRequest) memory.StoreAnswer {
	c.t.Helper()
	a, err := c.Store(c.t.Context(), r)
	if err != nil {
		c.t.Fatalf("store %q: %v", r.Text, err)
	}
	return a
}

func (c *captureWorld) show(r memory.ShowRequest) memory.ShowAnswer {
	c.t.Helper()
	a := must.Get(c.Show(c.t.Context(), r))(c.t)
	return a
}

func TestStoreFindsSimilarMemories(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- The staging server listens on port 8080\n- Lena prefers meetings in the morning\n- Nobody deploys on Friday afternoons\n"})
	lena := c.idOf("Lena prefers meetings in the morning")
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(c.idOf("Nobody deploys on Friday afternoons"))}}))(t)
	for _, tt := range []struct {
		name      string
		request   memory.StoreRequest
		duplicate bool
		conflict  bool
	}{
		{name: "equal", request: memory.StoreRequest{Text: "Lena prefers meetings in the morning"}, duplicate: true},
		{name: "equal, by force", request: memory.StoreRequest{Text: "Lena prefers meetings in the morning", Force: true}, duplicate: true},
		{name: "in other words", request: memory.StoreRequest{Text: "Lena prefers the meetings in the morning."}, duplicate: true},
		{name: "by a tool", request: memory.StoreRequest{Text: "Lena prefers the meetings in the morning.", Source: memory.SourceTool}, duplicate: true},
		{name: "another value", request: memory.StoreRequest{Text: "The staging server listens on port 8081"}},
		{name: "like a forgotten one", request: memory.StoreRequest{Text: "Nobody deploys on the Friday afternoons."}, conflict: true},
		{name: "like a forgotten one, by force", request: memory.StoreRequest{Text: "Nobody deploys on the Friday afternoons.", Force: true}, conflict: true},
		{name: "in other words, by force", request: memory.StoreRequest{Text: "Lena prefers the meetings in the morning.", Force: true}},
	} {
		a, err := c.Store(t.Context(), tt.request)
		switch {
		case tt.conflict != errors.Is(err, memory.ErrConflict) || !tt.conflict && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case a.Duplicate != tt.duplicate:
			t.Errorf("%s: %+v", tt.name, a)
		case tt.duplicate && (a.Memory.ID != lena || a.Message == nil || *a.Message != "Similar memory exists" || a.Similarity == nil):
			t.Errorf("%s: %+v", tt.name, a)
		}
	}
}

func TestExtendSupersedesTheOldMemory(t *testing.T) {
	for name, change := range map[string]func(*engine.Options){
		"front matter":   func(*engine.Options) {},
		"decisions file": func(o *engine.Options) { o.Workspaces[0].DecisionsFile = true },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Lena prefers meetings in the morning\n"}, change)
			old := c.idOf("Lena prefers meetings in the morning")
			a := c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning, before ten", Extend: string(old)[:8]})
			if a.Duplicate || !slices.Equal(a.Superseded, []memory.ID{old}) {
				t.Fatalf("%+v", a)
			}
			last := c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning, before ten, in room 4", Extend: string(a.Memory.ID)})
			check := func(when string) {
				t.Helper()
				m := c.show(memory.ShowRequest{ID: string(last.Memory.ID)})
				if len(m.Supersedes) != 2 || m.Supersedes[0].ID != a.Memory.ID || m.Supersedes[1].ID != old || m.Supersedes[1].Text == "" || len(m.Successors) != 0 {
					t.Errorf("%s: the last version supersedes %+v, successors %+v", when, m.Supersedes, m.Successors)
				}
				m = c.show(memory.ShowRequest{ID: string(old)})
				if m.SupersededBy == nil || *m.SupersededBy != a.Memory.ID || len(m.Successors) != 2 || m.Successors[1].ID != last.Memory.ID {
					t.Errorf("%s: the first version: %v, %+v", when, m.SupersededBy, m.Successors)
				}
			}
			check("at once")
			c.loseIndex()
			check("after a lost index")
			c.write("memory/2026-11-21.md", strings.Replace(c.read("memory/2026-11-21.md"), "in room 4", "in room 4 upstairs", 1))
			c.index()
			check("after an edit")
		})
	}
}

// loseIndex deletes the database and indexes again.
func (c *captureWorld) loseIndex() {
	c.t.Helper()
	must.Do(c.t, c.Close())
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(c.db + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			c.t.Fatal(err)
		}
	}
	c.open()
}

func TestUndoReversesExtend(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Lena prefers meetings in the morning\n"})
	before := c.read("MEMORY.md")
	old := c.idOf("Lena prefers meetings in the morning")
	c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning, before ten", Extend: string(old)})
	if !strings.Contains(c.read("MEMORY.md"), "superseded_by: ") {
		t.Fatal(c.read("MEMORY.md"))
	}
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo}))(t)
	if m := c.show(memory.ShowRequest{ID: string(old)}); m.SupersededBy != nil || c.read("MEMORY.md") != before {
		t.Errorf("superseded by %v:\n%s", m.SupersededBy, c.read("MEMORY.md"))
	}
}

func TestSupersedingSurvivesAClone(t *testing.T) {
	c := newCaptureWorld(t, nil)
	old := c.tell("s", "1", "Remember that the staging port is 8080.").Stored[0]
	newer := c.tell("s", "2", "Remember that the staging port is 8081.")
	if !slices.Equal(newer.Superseded, []memory.ID{old.ID}) {
		t.Fatalf("%+v", newer)
	}
	clone := newCaptureWorld(t, nil)
	must.Do(t, os.CopyFS(clone.dir, os.DirFS(c.dir)))
	clone.index()
	if m := clone.show(memory.ShowRequest{ID: string(old.ID)}); m.SupersededBy == nil || *m.SupersededBy != newer.Stored[0].ID {
		t.Errorf("in the clone: %+v", m.SupersededBy)
	}
	found, err := clone.Search(t.Context(), memory.SearchRequest{Query: "staging port", For: memory.AudienceModel})
	if err != nil || slices.ContainsFunc(found.Hits, func(h memory.Hit) bool { return h.ID == old.ID }) {
		t.Errorf("a model finds %+v, %v", found.Hits, err)
	}
}

func TestWhatMayNotBeExtended(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Lena prefers meetings in the morning\n"})
	lena := string(c.idOf("Lena prefers meetings in the morning"))
	for _, tt := range []struct {
		name    string
		request memory.StoreRequest
		want    error
	}{
		{"another statement", memory.StoreRequest{Text: "Lena prefers meetings in the evening", Extend: lena}, memory.ErrInvalid},
		{"the same statement", memory.StoreRequest{Text: "Lena prefers meetings in the morning.", Extend: lena}, memory.ErrInvalid},
		{"a tool, and a line of a person", memory.StoreRequest{Text: "Lena prefers meetings in the morning, before ten", Extend: lena, Source: memory.SourceTool}, memory.ErrConflict},
		{"an unknown id", memory.StoreRequest{Text: "Lena prefers meetings in the morning, before ten", Extend: "00000000"}, memory.ErrNotFound},
	} {
		if _, err := c.Store(t.Context(), tt.request); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := os.Stat(c.dir + "/memory"); err == nil {
		t.Error("a refused text was written")
	}
}

func TestVersionsNeverShowForgottenTexts(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Lena prefers meetings in the morning\n"})
	old := c.idOf("Lena prefers meetings in the morning")
	a := c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning, before ten", Extend: string(old)})
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(old)}}))(t)
	m := c.show(memory.ShowRequest{ID: string(a.Memory.ID)})
	if len(m.Supersedes) != 1 || m.Supersedes[0].Text != "" || !m.Supersedes[0].Forgotten {
		t.Errorf("a person: %+v", m.Supersedes)
	}
	if m = c.show(memory.ShowRequest{ID: string(a.Memory.ID), For: memory.AudienceModel}); len(m.Supersedes) != 1 || m.Supersedes[0].Text != "" {
		t.Errorf("a model: %+v", m.Supersedes)
	}
}

func TestDestroyOfANewVersionRevivesTheOldOne(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Lena prefers meetings in the morning\n"})
	old := c.idOf("Lena prefers meetings in the morning")
	a := c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning, before ten", Extend: string(old)})
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{string(a.Memory.ID)}, Confirm: true}))(t)
	if m := c.show(memory.ShowRequest{ID: string(old)}); m.SupersededBy != nil || strings.Contains(c.read("MEMORY.md"), "superseded") {
		t.Errorf("%v\n%s", m.SupersededBy, c.read("MEMORY.md"))
	}
}

func TestStoringASupersededTextAgainRevivesIt(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Lena prefers meetings in the morning\n"})
	old := c.idOf("Lena prefers meetings in the morning")
	c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning, before ten", Extend: string(old)})
	a := c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning"})
	if !a.Duplicate || a.Memory.ID != old || a.Memory.SupersededBy != nil {
		t.Errorf("%+v", a)
	}
}

// TestRemovedSuccessorSupersedesNothing deletes the newer one of two versions by hand.
// The older one was hidden for ever.
func TestRemovedSuccessorSupersedesNothing(t *testing.T) {
	c := newCaptureWorld(t, nil)
	first := c.tell("s", "1", "Remember that the staging port is 8080.").Stored[0]
	second := c.tell("s", "2", "Remember that the staging port is 8081.").Stored[0]
	third := c.tell("s", "3", "Remember that the staging port is 8082.").Stored[0]
	full := c.read(capturedFile)
	without := func(text string, memories ...memory.Memory) string {
		lines := strings.SplitAfter(text, "\n")
		return strings.Join(slices.DeleteFunc(lines, func(line string) bool {
			return slices.ContainsFunc(memories, func(m memory.Memory) bool { return strings.HasPrefix(line, "- "+m.Text) })
		}), "")
	}
	check := func(when string, id, want memory.ID) {
		t.Helper()
		m := c.show(memory.ShowRequest{ID: string(id)}).Memory
		list := must.Get(c.List(t.Context(), memory.ListRequest{}))(t)
		listed := list.Memories[slices.IndexFunc(list.Memories, func(m memory.Memory) bool { return m.ID == id })]
		explained := must.Get(c.Explain(t.Context(), memory.ExplainRequest{ID: string(id)}))(t)
		found := must.Get(c.Search(t.Context(), memory.SearchRequest{Query: "staging port", For: memory.AudienceModel}))(t)
		injected := slices.ContainsFunc(found.Hits, func(h memory.Hit) bool { return h.ID == id })
		for name, by := range map[string]*memory.ID{"show": m.SupersededBy, "list": listed.SupersededBy, "explain": explained.Memory.SupersededBy} {
			if (want == "") != (by == nil) || by != nil && *by != want {
				t.Errorf("%s: %s says that it is superseded by %v, want %q", when, name, by, want)
			}
		}
		if injected != (want == "") || explained.Eligible != (want == "") {
			t.Errorf("%s: a model finds it: %v; explain: %v", when, injected, explained.Eligible)
		}
	}
	check("at first", first.ID, second.ID)
	for _, inMemory := range []bool{false, true} {
		if inMemory {
			must.Do(t, c.Load(t.Context(), ""))
		}
		c.write(capturedFile, without(full, second))
		c.index()
		check("without the second", first.ID, third.ID)
		c.write(capturedFile, without(full, second, third))
		c.index()
		check("without both", first.ID, "")
		c.write(capturedFile, full)
		c.index()
		check("with all again", first.ID, second.ID)
	}
	audit, err := c.Audit(t.Context(), memory.AuditRequest{Source: "file", Action: "revive"})
	if err != nil || audit.Total != 2 {
		t.Errorf("%d revivals are audited, %v", audit.Total, err)
	}
	c.write(capturedFile, without(full, second, third))
	c.index()
	c.at = c.at.AddDate(1, 0, 0)
	must.Do(t, c.PurgeMissing(t.Context()))
	check("after the retention time", first.ID, "")
}

// TestUnknownSuccessorIsReported loses the index together with the newer version.
func TestUnknownSuccessorIsReported(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- Lena prefers meetings in the morning\n"})
	old := c.idOf("Lena prefers meetings in the morning")
	a := c.storeAs(memory.StoreRequest{Text: "Lena prefers meetings in the morning, before ten", Extend: string(old)})
	c.write(a.Memory.Path, "")
	c.loseIndex()
	status, err := c.Status(t.Context())
	if err != nil || !slices.ContainsFunc(status.Workspaces[0].Notices, func(n string) bool { return strings.Contains(n, old.Short()) && strings.Contains(n, "superseded_by") }) {
		t.Errorf("%q, %v", status.Workspaces[0].Notices, err)
	}
}
