package entity

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
)

// Graph returns what is related to a name, up to a number of hops. Of each name it has at most
// limit edges; 0: all. near has what the edges reach, with the name itself.
func (g *Gazetteer) Graph(name string, hops, limit int) (graph knowledge.Graph, near []Found) {
	at := map[int][]*thing{} // the things of a memory
	for _, t := range g.things {
		for _, i := range t.At {
			at[i] = append(at[i], t)
		}
	}
	graph.Name = name
	known, reached := map[string]bool{}, []string{name}
	for hop := range hops + 1 {
		of := reached
		reached = nil
		for _, name := range of {
			if known[name] {
				continue
			}
			known[name] = true
			found := g.Find(name)
			near = append(near, found...)
			if hop == hops {
				continue
			}
			edges := g.edgesOf(name, found, at)
			edges = slices.DeleteFunc(edges, func(e knowledge.Edge) bool { return known[e.Other(name)] })
			if limit > 0 && len(edges) > limit {
				graph.LeftOut += len(edges) - limit
				edges = edges[:limit]
			}
			for _, e := range edges {
				e.Hops = hop + 1
				reached = append(reached, e.Other(name))
				graph.Edges = append(graph.Edges, e)
			}
		}
	}
	return graph, near
}

// edgesOf returns the edges of a name, the strongest first. Two names have only those of their
// strongest kind.
func (g *Gazetteer) edgesOf(name string, found []Found, at map[int][]*thing) (edges []knowledge.Edge) {
	kinds := map[string]knowledge.Kind{}
	for _, e := range g.edges {
		if other := e.Other(name); (e.Subject == name || e.Object == name) && (kinds[other] == "" || kinds[other] == e.Kind) {
			kinds[other] = e.Kind
			edges = append(edges, e)
		}
	}
	together := map[*thing]*edge{}
	for _, f := range found[:min(1, len(found))] {
		for _, i := range f.At {
			for _, t := range at[i] {
				if t.Name == name || kinds[t.Name] != "" {
					continue
				}
				if together[t] == nil {
					together[t] = &edge{Edge: knowledge.Edge{Subject: name, Relation: "with", Object: t.Name, Kind: knowledge.Together}}
				}
				together[t].addSource(&g.notes.Memories[i])
			}
		}
	}
	stronger := len(edges)
	for _, t := range g.things {
		if e := together[t]; e != nil {
			edges = append(edges, e.complete())
		}
	}
	slices.SortStableFunc(edges[stronger:], func(a, b knowledge.Edge) int { return b.Memories - a.Memories })
	return edges
}

// edge is an edge with all its sources.
type edge struct {
	knowledge.Edge
	all []*memory.Memory
}

// addSource adds a memory, and takes the least trust.
func (e *edge) addSource(m *memory.Memory) {
	if len(e.all) > 0 && e.all[len(e.all)-1].ID == m.ID {
		return
	}
	e.all = append(e.all, m)
	e.Trust = memory.LowerTrust(e.Trust, m.Trust)
	if e.Since.IsZero() || m.CreatedAt.Before(e.Since) {
		e.Since = m.CreatedAt
	}
}

// complete lists the newest sources.
func (e *edge) complete() knowledge.Edge {
	e.Memories = len(e.all)
	slices.SortStableFunc(e.all, func(a, b *memory.Memory) int { return b.CreatedAt.Compare(a.CreatedAt) })
	for _, m := range e.all[:min(knowledge.MaxSources, len(e.all))] {
		e.Sources = append(e.Sources, knowledge.Evidence{ID: m.ID, Place: m.Place()})
	}
	return e.Edge
}

// join makes edges of what the memories state, and of links, in the order of their time. A new
// value ends the older one of the same subject, if the relation has one value at a time.
func (b *builder) join(g *Gazetteer) {
	var all []*edge
	open := map[[2]string][]*edge{} // by subject and relation
	compare := func(x, y statement) int {
		return b.notes.Memories[x.at].CreatedAt.Compare(b.notes.Memories[y.at].CreatedAt)
	}
	if b.notes.IsOver != nil {
		b.stated = slices.DeleteFunc(b.stated, func(s statement) bool { return b.notes.IsOver(&b.notes.Memories[s.at]) })
	}
	slices.SortStableFunc(b.stated, compare)
	of := make([]*edge, len(b.stated))
	for i, s := range b.stated {
		subject, object := shown(s.subject), cmp.Or(shown(s.object), s.value)
		m := &b.notes.Memories[s.at]
		key := [2]string{subject, s.relation}
		isSame := func(e *edge) bool { return e.Object == object }
		if isMutual(s.relation) && slices.ContainsFunc(open[[2]string{object, s.relation}], func(e *edge) bool { return e.Object == subject }) {
			key[0], object = object, subject
		}
		at := slices.IndexFunc(open[key], isSame)
		if at < 0 {
			open[key] = append(open[key], &edge{Edge: knowledge.Edge{Subject: key[0], Relation: s.relation, Object: object, Kind: knowledge.Stated}})
			at = len(open[key]) - 1
			all = append(all, open[key][at])
		}
		of[i] = open[key][at]
		of[i].addSource(m)
		open[key] = slices.DeleteFunc(open[key], func(e *edge) bool {
			isOver := s.isEnded && isSame(e) || !s.isEnded && !isSame(e) && hasOneValue(s.relation) && e.Since.Before(m.CreatedAt)
			if isOver {
				e.Until = &m.CreatedAt
			}
			return isOver
		})
	}
	for i, s := range b.stated {
		g.states[s.at] = g.states[s.at] || s.isEnded || of[i].Until == nil
	}
	links := map[[2]string]*edge{}
	for _, s := range b.links {
		key := [2]string{shown(s.subject), shown(s.object)}
		if key[0] == key[1] {
			continue
		}
		if links[key] == nil {
			links[key] = &edge{Edge: knowledge.Edge{Subject: key[0], Relation: s.relation, Object: key[1], Kind: knowledge.Link}}
			all = append(all, links[key])
		}
		links[key].addSource(&b.notes.Memories[s.at])
	}
	for _, e := range all {
		if e.Subject != e.Object {
			g.edges = append(g.edges, e.complete())
		}
	}
	slices.SortStableFunc(g.edges, func(x, y knowledge.Edge) int {
		return cmp.Or(strings.Compare(string(y.Kind), string(x.Kind)), cmp.Compare(isOpen(y), isOpen(x)), strings.Compare(x.Relation, y.Relation), y.Since.Compare(x.Since))
	})
}

func isOpen(e knowledge.Edge) int {
	if e.Until == nil {
		return 1
	}
	return 0
}

// shown returns the name under which a thing is shown, "" for nil. What may mean several things
// has its own.
func shown(t *thing) string {
	if t == nil {
		return ""
	}
	if means := t.meanings(); len(means) == 1 {
		t = means[0]
	}
	return cmp.Or(t.Name, t.form())
}
