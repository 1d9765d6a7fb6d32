package index_test

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// testSuccessors replaces a memory twice, by ones that a request may not get. The texts
// name what keeps the successor from it.
func (s *suite) testSuccessors() {
	kinds := map[string]func(*memory.Declared){
		"plain":       func(*memory.Declared) {},
		"archived":    func(d *memory.Declared) { d.Tier = memory.TierArchive },
		"forgotten":   func(d *memory.Declared) { d.Forgotten = ptr(true) },
		"private":     func(d *memory.Declared) { d.Private = ptr(true) },
		"quarantined": func(d *memory.Declared) { d.Trust = memory.TrustQuarantined },
		"ignored":     func(d *memory.Declared) { d.ImportanceLabel = memory.ImportanceIgnore },
		"expired":     func(d *memory.Declared) { d.Expires = indextest.Noon.Add(-time.Minute) },
		"scoped":      func(d *memory.Declared) { d.Scope = "work" },
		"owned":       func(d *memory.Declared) { d.User = "lena" },
		"later":       func(d *memory.Declared) { d.Created = indextest.Noon.Add(time.Hour) },
	}
	b := indextest.File("MEMORY.md")
	add := func(text string, d memory.Declared) {
		p := indextest.Placement("MEMORY.md", len(b.Placements), text)
		if d.Created.IsZero() {
			d.Created = indextest.Noon.Add(-24 * time.Hour)
		}
		p.Block.Annotations = d
		b.Placements = append(b.Placements, p)
	}
	for kind, hide := range kinds {
		successor := memory.Declared{}
		hide(&successor)
		add("new "+kind, successor)
		add("port "+kind, memory.Declared{SupersededBy: indextest.ID("new " + kind)})
		successor.SupersededBy = indextest.ID("last " + kind)
		add("middle "+kind, successor)
		add("last "+kind, memory.Declared{})
		add("port by_way_of_"+kind, memory.Declared{SupersededBy: indextest.ID("middle " + kind)})
	}
	s.apply(indextest.Noon, b)
	if store, ok := s.store.(interface{ Load(context.Context) error }); ok {
		must.Do(s, store.Load(s.Context()))
	}
	withheld := "forgotten ignored private quarantined"
	for _, c := range []struct {
		name string
		p    memory.Predicate
		want string
	}{
		{"now", memory.Predicate{View: memory.View{Now: indextest.Noon}}, "expired " + withheld},
		{"before one expired", memory.Predicate{View: memory.View{Now: indextest.Noon.Add(-time.Hour)}}, withheld},
		{"as of a time before one was said", memory.Predicate{View: memory.View{AsOf: indextest.Noon}}, "expired later " + withheld},
		{"in another scope", memory.Predicate{View: memory.View{Now: indextest.Noon, Scope: "home"}}, "expired scoped " + withheld},
		{"in its scope", memory.Predicate{View: memory.View{Now: indextest.Noon, Scope: "work"}}, "expired " + withheld},
		{"of another user", memory.Predicate{View: memory.View{Now: indextest.Noon, Users: []string{""}}}, "expired owned " + withheld},
		{"of its user", memory.Predicate{View: memory.View{Now: indextest.Noon, Users: []string{"", "lena"}}}, "expired " + withheld},
	} {
		c.p.Model, c.p.Pushed = true, true
		want := strings.Fields(c.want)
		slices.Sort(want)
		for way, got := range map[string][]string{"in memory": s.holding(b, c.p, false), "in SQL": s.holding(b, c.p, true)} {
			slices.Sort(got)
			if all := strings.ReplaceAll(strings.Join(got, " "), "port ", ""); all != strings.Join(want, " ") {
				s.Errorf("%s, %s: %q holds, want %q", c.name, way, all, want)
			}
		}
	}
}

// holding returns the replaced memories that pass a predicate. If that names their ids, an
// index asks its tables.
func (s *suite) holding(b memory.Batch, p memory.Predicate, named bool) (texts []string) {
	s.Helper()
	var ids []memory.ID
	for _, placed := range b.Placements {
		if strings.HasPrefix(placed.Block.Text, "port ") {
			ids = append(ids, placed.ID)
		}
	}
	if named {
		p.IDs = ids
	}
	found := must.Get(s.Visible(s.Context(), ids, p))(s)
	for _, m := range found {
		if texts = append(texts, m.Text); m.SupersededBy != nil {
			s.Errorf("%q shows that %s exists", m.Text, *m.SupersededBy)
		}
	}
	return texts
}
