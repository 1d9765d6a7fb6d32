package entity

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// thing is a person or thing, by one of its names.
type thing struct {
	Found
	key     string
	of      []*thing // whose other name it is
	decided bool     // a person decided whose
	isName  bool     // else it may be one
	forms   map[string]int
}

// addAlias makes a name another name of a thing. It may be that of several.
func (t *thing) addAlias(alias *thing) {
	if alias != nil && alias != t && !slices.Contains(alias.of, t) {
		alias.of = append(alias.of, t)
	}
}

// addSources adds what states the names.
func (t *thing) addSources(sources ...string) {
	t.Sources = slices.Compact(slices.Sorted(slices.Values(append(t.Sources, sources...))))
}

// isAliasOf reports whether a person decided that a name is another name of a thing.
func (t *thing) isAliasOf(of *thing) bool {
	for t.decided && len(t.of) == 1 && t != of {
		t = t.of[0]
	}
	return t == of
}

// meanings returns the things that a name may mean: those whose other name it is. If it is the
// title of a note of its own, or that of several, it is also a thing of its own. Files may name
// each other.
func (t *thing) meanings() (all []*thing) {
	seen := map[*thing]bool{}
	var visit func(*thing)
	visit = func(t *thing) {
		if seen[t] {
			return
		}
		seen[t] = true
		isOwn := !t.decided && (len(t.of) > 1 || slices.Contains(t.Sources, sourceTitle))
		if len(t.of) == 0 || isOwn {
			all = append(all, t)
		}
		for _, of := range t.of {
			visit(of)
		}
	}
	visit(t)
	if len(all) == 0 {
		all = []*thing{t}
	}
	return all
}

// form returns the form that is most frequent, of those with a capital if there are any.
func (t *thing) form() string {
	return slices.MinFunc(slices.Collect(maps.Keys(t.forms)), func(a, b string) int {
		if isSmall(a) != isSmall(b) {
			return map[bool]int{true: 1, false: -1}[isSmall(a)]
		}
		return cmp.Or(t.forms[b]-t.forms[a], strings.Compare(a, b))
	})
}

func isSmall(name string) bool { return strings.ToLower(name) == name }

// gazetteer joins the names of each thing. The memories of a name that may mean several things
// are about none of them for sure.
func (b *builder) gazetteer() *Gazetteer {
	g := &Gazetteer{named: map[string][]*thing{}, states: map[int]bool{}, notes: b.notes}
	at := map[*thing][]int{}
	isOnlyInAddress := func(t *thing) bool { return !t.isName && slices.Equal(t.Sources, []string{sourceEmail}) }
	for _, t := range b.byKey {
		t.of = slices.DeleteFunc(t.of, isOnlyInAddress)
	}
	for _, t := range b.byKey {
		if means := t.meanings(); t.isName && len(means) == 1 {
			means[0].isName = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(b.byKey)) {
		t := b.byKey[key]
		if !t.isName || b.notes.OnlyFound && len(t.At) == 0 {
			continue
		}
		means := t.meanings()
		of := means[0]
		g.named[key] = means
		if _, known := at[of]; !known {
			g.things = append(g.things, of)
		}
		at[of] = append(at[of], t.At...)
		t.Name = cmp.Or(t.Name, t.form())
		if t != of {
			of.Aliases = append(of.Aliases, t.Name)
			of.addSources(t.Sources...)
		}
	}
	for _, t := range g.things {
		b.complete(t, at[t])
	}
	isGone := func(t *thing) bool { return t.Memories == 0 && !slices.Contains(t.Sources, sourceDecided) }
	g.things = slices.DeleteFunc(g.things, isGone)
	for key, means := range g.named {
		g.named[key] = slices.DeleteFunc(means, isGone)
	}
	slices.SortFunc(g.things, func(a, b *thing) int { return cmp.Or(b.Memories-a.Memories, strings.Compare(a.key, b.key)) })
	return g
}

// complete adds the memories about a thing. Where a name must be found, one that is not found is
// not shown.
func (b *builder) complete(t *thing, at []int) {
	if t.Name = cmp.Or(t.Name, t.form()); b.notes.OnlyFound && len(t.At) == 0 {
		t.Name, t.Aliases = t.Aliases[0], t.Aliases[1:]
	}
	t.At = slices.Compact(slices.Sorted(slices.Values(at)))
	t.Memories = len(t.At)
	for _, i := range t.At {
		created := b.notes.Memories[i].CreatedAt
		if t.First.IsZero() || created.Before(t.First) {
			t.First = created
		}
		if created.After(t.Last) {
			t.Last = created
		}
	}
}
