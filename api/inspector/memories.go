package inspector

import (
	"strconv"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
)

const memoriesPerPage = 50

// memoriesPage lists memories by their state.
type memoriesPage struct {
	Lines          []line
	Total          int
	Tiers          map[memory.Tier]int
	Tier, Type     string
	Path, State    string
	Entity         string // the person or thing that the memories are about
	Related        memory.List[knowledge.Edge]
	Scene          string // the scene that they are of
	Previous, Next string
	First, Last    int
}

// memories lists all memories, with filters.
func (q *request) memories() (any, error) {
	p := memoriesPage{Tier: q.param("tier"), Type: q.param("type"), Path: q.param("path"), State: q.param("state"), Entity: q.param("entity"), Scene: q.param("scene")}
	offset, _ := strconv.Atoi(q.param("from"))
	offset = max(0, offset)
	limit := memoriesPerPage
	r := memory.ListRequest{Workspace: q.page.Workspace, Limit: &limit, Offset: offset, Sort: "created_at",
		Filter: memory.Filter{Path: p.Path, Entity: p.Entity, Scene: p.Scene, Deep: true, Forgotten: p.State == "forgotten", Expired: p.State == "expired"},
		Pinned: p.State == "pinned", Missing: p.State == "missing"}
	var err error
	if p.Tier != "" {
		if r.Tier, err = memory.ParseTier(p.Tier); err != nil {
			return nil, err
		}
	}
	if p.Type != "" {
		if r.Type, err = memory.ParseType(p.Type); err != nil {
			return nil, err
		}
	}
	answer, err := q.backend.List(q.Context(), r)
	if err != nil {
		return nil, err
	}
	if p.Entity != "" && offset == 0 {
		graph, err := q.backend.Graph(q.Context(), memory.ListRequest{Workspace: q.page.Workspace, Filter: memory.Filter{Entity: p.Entity}})
		if err == nil { // else the name may mean several things, or nothing
			p.Related = graph.Edges
		}
	}
	for _, m := range answer.Memories {
		p.Lines = append(p.Lines, q.newLine(m))
	}
	p.Total, p.Tiers, p.First, p.Last = answer.Total, answer.Tiers, offset+1, offset+len(p.Lines)
	at := func(from int) string {
		return q.page.URL("/memories", "tier", p.Tier, "type", p.Type, "path", p.Path, "state", p.State, "entity", p.Entity, "scene", p.Scene, "from", strconv.Itoa(from))
	}
	if offset > 0 {
		p.Previous = at(max(0, offset-limit))
	}
	if p.Last < p.Total {
		p.Next = at(offset + limit)
	}
	return p, nil
}

// names lists the people and things that the memories name.
func (q *request) names() (any, error) {
	answer, err := q.backend.Entities(q.Context(), memory.ListRequest{Workspace: q.page.Workspace})
	return answer, err
}

// scenes lists the memories that belong together.
func (q *request) scenes() (any, error) {
	return q.backend.Scenes(q.Context(), memory.ListRequest{Workspace: q.page.Workspace})
}

// memoryPage shows one memory with all that is known about it.
type memoryPage struct {
	line
	Shown   memory.ShowAnswer
	Explain memory.ExplainAnswer
	History memory.List[memory.AuditRow]
	Draft   string // the text in the field
	Was     string // the text that the person saw first
	IsEdit  bool
}

// memory shows one memory: its text, its state, its versions, and its history.
func (q *request) memory() (any, error) {
	id, w := q.PathValue("id"), q.page.Workspace
	shown, err := q.backend.Show(q.Context(), memory.ShowRequest{ID: id, Workspace: w})
	if err != nil {
		return nil, err
	}
	p := memoryPage{line: q.newLine(shown.Memory), Shown: shown, Draft: shown.Text, Was: shown.Text, IsEdit: q.param("edit") != ""}
	if f := q.page.Flash; f != nil && f.id == string(shown.ID) && f.draft != "" {
		p.Draft, p.IsEdit = f.draft, true
	}
	if p.Explain, err = q.backend.Explain(q.Context(), memory.ExplainRequest{ID: id, Workspace: w}); err != nil {
		return nil, err
	}
	audit, err := q.backend.Audit(q.Context(), memory.AuditRequest{ID: string(shown.ID), Workspace: w, Limit: 100})
	p.History = audit.Audit
	return p, err
}
