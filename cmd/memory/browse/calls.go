package browse

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/glob"
)

// maxHits is how many hits are listed: some screens of them. Further hits fit worse than a
// more exact query.
const maxHits = 50

// search finds the hits of a query; without a query, the newest memories.
func (m *model) search(key searchKey) func(context.Context, *job) tea.Cmd {
	return m.call(func(ctx context.Context, b api.Backend, workspace string) (apply func(), err error) {
		limit := maxHits
		var answer memory.SearchAnswer
		if strings.TrimSpace(key.query) != "" {
			answer, err = b.Search(ctx, memory.SearchRequest{Workspace: workspace, Query: key.query, Limit: &limit})
		} else {
			var newest memory.ListAnswer
			newest, err = b.List(ctx, memory.ListRequest{Workspace: workspace, Sort: "created_at", Limit: &limit})
			answer.Stale, answer.Indexing = newest.Stale, newest.Indexing
			for _, found := range newest.Memories {
				answer.Hits = append(answer.Hits, memory.Hit{Memory: found})
			}
		}
		return func() {
			keep := cmp.Or(m.focus, m.chosen().ID)
			m.hits, m.focus = answer.Hits, ""
			m.at = max(0, min(m.at, len(m.hits)-1))
			if key.query != m.found.query {
				m.at = 0
			} else if at := slices.IndexFunc(m.hits, func(h memory.Hit) bool { return h.ID == keep }); at >= 0 {
				m.at = at
			}
			m.choosing = m.choosing && len(m.hits) > 0
			if notes := searchNotes(answer); notes != "" && m.notice == "" {
				m.notice = notes
			}
		}, err
	})
}

// searchNotes returns what a person should know about the hits; usually nothing.
func searchNotes(answer memory.SearchAnswer) string {
	notes := slices.Clone(answer.Notices)
	if len(answer.Hits) == 0 && len(notes) == 0 {
		notes = append(notes, "No relevant memories found")
	}
	if n := answer.ForgottenMatches; n > 0 {
		notes = append(notes, fmt.Sprintf("%d hidden because forgotten", n))
	}
	for _, lane := range []memory.Lane{memory.LaneText, memory.LaneVector} {
		if state := cmp.Or(answer.Lanes[lane], "ok"); state != "ok" {
			notes = append(notes, fmt.Sprintf("the %s lane is not available: %s", lane, state))
		}
	}
	if answer.Indexing != nil {
		notes = append(notes, "the files are still being indexed: hits may be missing")
	}
	if answer.Stale {
		notes = append(notes, "the index could not be updated: the newest edits may be missing")
	}
	return strings.Join(notes, "; ")
}

// shownNeighbours is how many memories before and after the chosen one are shown.
const shownNeighbours = 2

// describe finds the explanation and the neighbours of a memory.
func (m *model) describe(chosen memory.Memory, query string) func(context.Context, *job) tea.Cmd {
	return m.call(func(ctx context.Context, b api.Backend, workspace string) (apply func(), err error) {
		var d detail
		d.explanation, err = b.Explain(ctx, memory.ExplainRequest{ID: string(chosen.ID), Workspace: workspace, Query: query})
		if err != nil {
			return nil, err
		}
		all := 0
		file, err := b.List(ctx, memory.ListRequest{Workspace: workspace, Filter: memory.Filter{Path: glob.Escape(chosen.Path)}, Sort: "path", Limit: &all})
		for i, found := range file.Memories {
			if found.ID == chosen.ID {
				d.before, d.after = file.Memories[max(0, i-shownNeighbours):i], file.Memories[i+1:min(len(file.Memories), i+1+shownNeighbours)]
			}
		}
		return func() { m.detail = d }, err
	})
}

// decide makes a decision about a memory.
func (m *model) decide(action memory.Action, chosen memory.Memory) {
	m.waiting = append(m.waiting, &job{start: m.call(func(ctx context.Context, b api.Backend, workspace string) (apply func(), err error) {
		answer, err := b.Decide(ctx, memory.DecideRequest{Action: action, Workspace: workspace, IDs: []string{string(chosen.ID)}})
		return func() {
			m.notice = string(action) + ": " + chosen.Text
			for _, u := range answer.Unchanged {
				m.notice = u.Reason
			}
			m.notice = strings.Join(append([]string{m.notice}, answer.Notices...), "; ")
			if answer.Batch != "" && len(answer.Changed) > 0 {
				m.decided = append(m.decided, decision{answer.Batch, chosen.ID})
			}
			m.changes++
		}, err
	})})
}

// undo reverses the last decision of this screen, and chooses its memory.
func (m *model) undo() {
	m.waiting = append(m.waiting, &job{start: m.call(func(ctx context.Context, b api.Backend, workspace string) (apply func(), err error) {
		if len(m.decided) == 0 {
			return nil, memory.Invalid("", "there is nothing to undo here").WithHint("memory undo reverses earlier commands")
		}
		last := m.decided[len(m.decided)-1]
		answer, err := b.ReviewStep(ctx, memory.ReviewStepRequest{Workspace: workspace, Action: memory.ReviewUndo, Batch: last.batch})
		return func() {
			m.notice = strings.Join(append([]string{"undone"}, answer.Notices...), "; ")
			m.decided, m.focus = m.decided[:len(m.decided)-1], last.id
			m.changes++
		}, err
	})})
}

// open shows the file of a memory in an editor. Then the file is indexed again.
func (m *model) open(chosen memory.Memory) {
	if chosen.Missing {
		m.notice = "the text is no longer in " + chosen.Path
		return
	}
	reindex := m.call(func(ctx context.Context, b api.Backend, workspace string) (apply func(), err error) {
		_, err = b.Index(ctx, memory.IndexRequest{Workspace: workspace, Paths: []string{chosen.Path}}, nil)
		return func() { m.changes++ }, err
	})
	m.waiting = append(m.waiting, &job{start: func(ctx context.Context, j *job) tea.Cmd {
		program := m.Open(ctx, chosen)
		return tea.ExecProcess(program, func(err error) tea.Msg {
			if err != nil {
				return outcome{job: j, err: memory.Unavailable(err, "run %s", program.Path).WithHint("VISUAL and EDITOR choose the editor")}
			}
			return reindex(ctx, j)()
		})
	}})
}
