package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
)

func TestScopeOfAnAgentOrAChannel(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{
		"MEMORY.md":      "- The port of everything is 1000\n- The port of the compiler is 2000 <!-- scope: work -->\n",
		"memory/home.md": "---\nscope: family\n---\n- The port of the television is 3000\n",
	}, func(o *engine.Options) {
		o.Scopes = memory.ScopeRules{{Scope: "work", Agent: "coder"}, {Scope: "family", Channel: "telegram"}}
	})
	words := []string{"1000", "2000", "3000"}
	for _, tt := range []struct {
		name, agent string
		scope       memory.Scope
		s           memory.Sender
		want        []string
	}{
		{"the agent", "coder", "", memory.Sender{}, []string{"1000", "2000"}},
		{"the channel", "main", "", memory.Sender{User: "telegram:1"}, []string{"1000", "3000"}},
		{"the request", "coder", "family", memory.Sender{}, []string{"1000", "3000"}},
		{"nothing", "main", "", memory.Sender{User: "slack:1"}, words},
	} {
		recalled := must.Get(c.Recall(t.Context(), memory.RecallRequest{Prompt: "What is the port of everything, the compiler and the television?", Agent: tt.agent, Scope: tt.scope, Sender: tt.s, Files: []string{"MEMORY.md", "memory/home.md"}}))(t)
		found := must.Get(c.Search(t.Context(), memory.SearchRequest{Query: "port", Agent: tt.agent, Filter: memory.Filter{Scope: tt.scope}, Sender: tt.s}))(t)
		listed := must.Get(c.List(t.Context(), memory.ListRequest{Agent: tt.agent, Filter: memory.Filter{Scope: tt.scope}, Sender: tt.s}))(t)
		files := must.Get(c.Files(t.Context(), memory.FilesRequest{Paths: []string{"MEMORY.md", "memory/home.md"}, Agent: tt.agent, Scope: tt.scope, Sender: tt.s}))(t)
		hits, list, served := "", "", ""
		for _, h := range found.Hits {
			hits += h.Text
		}
		for _, m := range listed.Memories {
			list += m.Text
		}
		for _, f := range files.Files {
			served += f.Content
		}
		withRecall := ""
		for _, f := range recalled.Files {
			withRecall += f.Content
		}
		decided := ""
		for _, r := range []memory.DecideRequest{{Query: "port", All: true}, {Filter: &memory.Filter{Path: "**"}}} {
			r.Action, r.Preview, r.Agent, r.Sender = memory.ActionForget, true, tt.agent, tt.s
			if r.Filter == nil {
				r.Filter = &memory.Filter{}
			}
			r.Filter.Scope = tt.scope
			answer := must.Get(c.Decide(t.Context(), r))(t)
			for _, m := range answer.Changed {
				decided += m.Text
			}
		}
		for _, word := range words {
			want := slices.Contains(tt.want, word)
			for route, text := range map[string]string{"decisions": decided, "recall": recalled.Context, "search": hits, "list": list, "files": served, "files of a recall": withRecall} {
				if strings.Contains(text, word) != want {
					t.Errorf("%s of %s contains %s: %v", route, tt.name, word, !want)
				}
			}
		}
	}
}

func TestCapturedMemoryHasTheScopeOfItsRequest(t *testing.T) {
	c := newCaptureWorld(t, nil, func(o *engine.Options) {
		o.Scopes = memory.ScopeRules{{Scope: "work", Agent: "coder"}, {Scope: "client/acme", Agent: "acme"}}
	})
	tell := func(agent, text string) memory.CaptureAnswer {
		t.Helper()
		return c.capture(memory.CaptureRequest{Session: agent + text, Agent: agent, Messages: said(text)})
	}
	work := tell("coder", "Remember that the staging port is 8080.").Stored
	if len(work) != 1 || work[0].Scope != "work" {
		t.Fatalf("%+v", work)
	}
	if a := tell("acme", "Remember that the staging port is 8081."); len(a.Stored) != 1 || a.Stored[0].Scope != "client/acme" || len(a.Superseded) != 0 {
		t.Errorf("another scope: %+v", a)
	}
	if a := tell("acme", "Remember that the staging port is 8080."); len(a.Stored) != 1 || slices.Contains(a.Superseded, work[0].ID) {
		t.Errorf("the text of another scope: %+v", a)
	}
	if a := tell("coder", "Remember that the staging port is 8082."); len(a.Superseded) != 1 || a.Superseded[0] != work[0].ID {
		t.Errorf("the same scope: %+v", a)
	}
	stored, err := c.Store(t.Context(), memory.StoreRequest{Text: "The harbour master is called Ines", Agent: "coder", Source: memory.SourceTool})
	if err != nil || stored.Memory.Scope != "work" || !strings.Contains(c.read(capturedFile), "trust: untrusted; scope: work -->") {
		t.Errorf("%+v, %v\n%s", stored.Memory, err, c.read(capturedFile))
	}
	if _, err := c.Store(t.Context(), memory.StoreRequest{Text: "The harbour master is called Ines", Scope: "a --> b"}); err == nil {
		t.Error("a scope that ends a comment is stored")
	}
}
