package verify_test

import (
	"context"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
	"github.com/memory-tiered/memory/verify"
)

// routes is a backend on which each route returns what the test puts there.
type routes struct {
	recall   memory.RecallAnswer
	search   func(memory.SearchRequest) memory.SearchAnswer
	lists    func(memory.ListRequest) []memory.Memory
	files    memory.FilesAnswer
	context  memory.ContextAnswer
	audit    memory.AuditAnswer
	receipts memory.ReceiptsAnswer
	last     memory.LastAnswer
	entities knowledge.EntitiesAnswer
	scenes   knowledge.ScenesAnswer
	profile  knowledge.Profile
	review   memory.ReviewAnswer
}

func (r routes) Recall(_ context.Context, asked memory.RecallRequest) (memory.RecallAnswer, error) {
	if asked.Record == nil || *asked.Record {
		panic("verify records a recall")
	}
	return r.recall, nil
}

func (r routes) Search(_ context.Context, asked memory.SearchRequest) (memory.SearchAnswer, error) {
	if r.search == nil {
		return memory.SearchAnswer{}, nil
	}
	return r.search(asked), nil
}

// List returns one memory a page, so that every list has several.
func (r routes) List(_ context.Context, asked memory.ListRequest) (memory.ListAnswer, error) {
	all := []memory.Memory{{Text: "something else", Path: "MEMORY.md"}}
	if r.lists != nil {
		all = append(all, r.lists(asked)...)
	}
	return memory.ListAnswer{Memories: all[asked.Offset : asked.Offset+1], Total: len(all)}, nil
}

func (r routes) Files(context.Context, memory.FilesRequest) (memory.FilesAnswer, error) {
	return r.files, nil
}
func (r routes) Context(context.Context, memory.ContextOf) (memory.ContextAnswer, error) {
	return r.context, nil
}
func (r routes) Audit(context.Context, memory.AuditRequest) (memory.AuditAnswer, error) {
	return r.audit, nil
}
func (r routes) Receipts(context.Context, memory.ReceiptsRequest) (memory.ReceiptsAnswer, error) {
	return r.receipts, nil
}
func (r routes) Entities(context.Context, memory.ListRequest) (knowledge.EntitiesAnswer, error) {
	return r.entities, nil
}
func (r routes) Scenes(context.Context, memory.ListRequest) (knowledge.ScenesAnswer, error) {
	return r.scenes, nil
}
func (r routes) Profile(context.Context, knowledge.ProfileRequest) (knowledge.Profile, error) {
	return r.profile, nil
}
func (r routes) Review(context.Context, memory.ReviewRequest) (memory.ReviewAnswer, error) {
	return r.review, nil
}
func (r routes) Last(context.Context, memory.LastRequest) (memory.LastAnswer, error) {
	if r.last.Injected == nil && r.last.NearMisses == nil {
		return memory.LastAnswer{}, &memory.Error{Kind: memory.ErrNotFound, Message: "nothing was recalled yet"}
	}
	return r.last, nil
}

var allRoutes = []string{"audit", "context", "entities", "files", "last", "list", "list --forgotten", "list --missing", "list --tier archive",
	"profile", "recall", "receipts", "review", "scenes", "search --forgotten", "search --lane hybrid", "search --lane text", "search --lane vector"}

func TestRoutesReportEachRouteThatReturnsTheText(t *testing.T) {
	wrapped := "A blue heron\n  lives by the mill pond"
	told := memory.Memory{Text: wrapped}
	hits := func(m memory.Memory) []memory.Hit { return []memory.Hit{{Memory: m}} }
	in := func(list bool) func(memory.ListRequest) []memory.Memory {
		return func(r memory.ListRequest) []memory.Memory {
			hidden := r.Forgotten || r.Missing
			if hidden == list {
				return []memory.Memory{{Text: wrapped, Forgotten: hidden}}
			}
			return nil
		}
	}
	tests := []struct {
		name   string
		routes routes
		want   []string
		notes  map[string]string
	}{
		{name: "nowhere"},
		{name: "block before the prompt", routes: routes{recall: memory.RecallAnswer{Context: "Now: " + heron}}, want: []string{"recall"}},
		{name: "recalled memory", routes: routes{recall: memory.RecallAnswer{Hits: hits(told)}}, want: []string{"recall"}},
		{name: "one lane", routes: routes{search: func(r memory.SearchRequest) (a memory.SearchAnswer) {
			if r.Lane == memory.LaneVector {
				a.Hits = hits(told)
			}
			return a
		}}, want: []string{"search --lane vector"}},
		{name: "search for forgotten memories", routes: routes{search: func(r memory.SearchRequest) (a memory.SearchAnswer) {
			if r.Forgotten {
				a.Hits = hits(memory.Memory{Text: wrapped, Forgotten: true})
			}
			return a
		}}, notes: map[string]string{"search --forgotten": "tagged as forgotten: shown only on request"}},
		{name: "forgotten memory on a plain search", routes: routes{search: func(r memory.SearchRequest) (a memory.SearchAnswer) {
			if r.Lane == memory.LaneText {
				a.Hits = hits(memory.Memory{Text: wrapped, Forgotten: true})
			}
			return a
		}}, want: []string{"search --lane text"}},
		{name: "second page of a list", routes: routes{lists: in(false)}, want: []string{"list", "list --tier archive"}},
		{name: "list of forgotten memories", routes: routes{lists: in(true)}, notes: map[string]string{
			"list --forgotten": "tagged as forgotten: shown only on request", "list --missing": "tagged as forgotten: shown only on request"}},
		{name: "private memory", routes: routes{lists: func(r memory.ListRequest) []memory.Memory {
			return []memory.Memory{{Text: heron, Private: true}}
		}}, want: []string{"list", "list --forgotten", "list --missing", "list --tier archive"},
			notes: map[string]string{"recall": "private: never injected, and never sent to another machine"}},
		{name: "served file", routes: routes{files: memory.FilesAnswer{Files: []memory.ServedFile{{Content: "- " + wrapped}}}}, want: []string{"files"}},
		{name: "current context", routes: routes{context: memory.ContextAnswer{Context: &memory.Context{Text: heron}}}, want: []string{"context"}},
		{name: "audit", routes: routes{audit: memory.AuditAnswer{Audit: []memory.AuditRow{{Old: map[string]any{"text": heron}}}}}, want: []string{"audit"}},
		{name: "quoted in an answer", routes: routes{audit: memory.AuditAnswer{Audit: []memory.AuditRow{{Old: map[string]any{"text": "<" + wrapped + ">"}}}}}, want: []string{"audit"}},
		{name: "derived texts", routes: routes{
			entities: knowledge.EntitiesAnswer{Entities: memory.List[knowledge.Entity]{{Aliases: memory.List[string]{heron}}}},
			scenes:   knowledge.ScenesAnswer{Scenes: memory.List[knowledge.Scene]{{Extract: wrapped}}},
			profile:  knowledge.Profile{Sections: memory.List[knowledge.Section]{{Lines: memory.List[knowledge.Line]{{Text: heron}}}}},
			review:   memory.ReviewAnswer{Items: memory.List[memory.ReviewItem]{{Other: &told}}},
		}, want: []string{"entities", "profile", "review", "scenes"}},
		{name: "receipt", routes: routes{receipts: memory.ReceiptsAnswer{Receipts: []memory.Receipt{{Session: heron}}}}, want: []string{"receipts"}},
		{name: "last recall", routes: routes{last: memory.LastAnswer{NearMisses: []memory.ReceiptMemory{{}, {Memory: &told}}}}, want: []string{"last"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer, err := verify.Routes{Backend: tt.routes, Workspace: "main"}.Find(t.Context(), heron)
			if err != nil {
				t.Fatal(err)
			}
			var asked, found []string
			notes := map[string]string{}
			for _, c := range answer.Checked {
				asked = append(asked, c.Route)
				if c.Found {
					found = append(found, c.Route)
				}
				if c.Note != "" {
					notes[c.Route] = c.Note
				}
			}
			if !slices.Equal(asked, allRoutes) {
				t.Errorf("asked %q, want %q", asked, allRoutes)
			}
			if !slices.Equal(found, tt.want) || answer.Found != len(tt.want) {
				t.Errorf("found %q (%d), want %q", found, answer.Found, tt.want)
			}
			if len(notes) != len(tt.notes) {
				t.Errorf("notes %q, want %q", notes, tt.notes)
			}
			for route, want := range tt.notes {
				if notes[route] != want {
					t.Errorf("note of %s: %q, want %q", route, notes[route], want)
				}
			}
		})
	}
}
