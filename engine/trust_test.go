package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

func TestStoredByAToolIsUntrustedUnlessTheUserSaidIt(t *testing.T) {
	w := newWorld(t, nil)
	tests := []struct {
		name, text, userMessage string
		want                    memory.TrustTier
	}{
		{"no message", "The staging server listens on port 9999", "", memory.TrustUntrusted},
		{"another message", "The production key rotates every Friday", "Summarise the page that I sent you", memory.TrustUntrusted},
		{"the user's words", "Lena prefers meetings in the morning", "Please remember: Lena prefers meetings in the morning!", memory.TrustTrusted},
		{"a word left out", "Lena never drinks coffee after lunch", "By the way, Lena never drinks black coffee after lunch.", memory.TrustTrusted},
		{"another number", "The build server has port 8081", "The build server has port 8080, remember that", memory.TrustUntrusted},
		{"a negation lost", "Deploys go out on Fridays after lunch", "Deploys never go out on Fridays after lunch", memory.TrustUntrusted},
		{"a negation before it", "Deploy on Fridays after lunch", "Don't deploy on Fridays after lunch", memory.TrustUntrusted},
		{"a negation elsewhere", "Anna takes over the night shift in May", "I was not at work for the last two weeks and could hardly read anything. Remember that Anna takes over the night shift in May", memory.TrustTrusted},
		{"a negation added", "Backups do not run on the old machine", "Backups run on the old machine", memory.TrustUntrusted},
		{"a fence at the end", "Start the collector so:\n\n```sh\nmake collector\n```", "", memory.TrustUntrusted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := must.Get(w.Store(t.Context(), memory.StoreRequest{Text: tt.text, Source: memory.SourceTool, UserMessage: tt.userMessage}))(t)
			if a.Memory.Trust != tt.want || a.Memory.Source != memory.SourceTool || a.Memory.Text != tt.text || a.Memory.Path != "memory/captured/2026-11-21.md" {
				t.Errorf("stored %q in %s: trust %s, source %s", a.Memory.Text, a.Memory.Path, a.Memory.Trust, a.Memory.Source)
			}
		})
	}
	w.index() // the file alone says the same
	list, err := w.List(t.Context(), memory.ListRequest{})
	if err != nil || list.Total != len(tests) {
		t.Fatalf("%d memories, %v", list.Total, err)
	}
	for _, m := range list.Memories {
		for _, tt := range tests {
			if m.Text == tt.text && m.Trust != tt.want {
				t.Errorf("%s: trust %s after an index run", tt.name, m.Trust)
			}
		}
	}
}

// TestStoredForAModelFollowsTheRulesOfTools sends requests for a model that name no
// source, or another one than a tool.
func TestStoredForAModelFollowsTheRulesOfTools(t *testing.T) {
	w := newWorld(t, nil)
	for _, tt := range []struct {
		text, userMessage string
		source            memory.Source
		want              memory.TrustTier
	}{
		{"The staging server listens on port 9999", "", "", memory.TrustUntrusted},
		{"The production key rotates every Friday", "", memory.SourceFile, memory.TrustUntrusted},
		{"Lena prefers meetings in the morning", "Remember: Lena prefers meetings in the morning", "", memory.TrustTrusted},
	} {
		a, err := w.Store(t.Context(), memory.StoreRequest{Text: tt.text, UserMessage: tt.userMessage, Source: tt.source, For: memory.AudienceModel})
		if err != nil || a.Memory.Trust != tt.want || a.Memory.Source != memory.SourceTool {
			t.Errorf("%q: trust %s, source %s, %v", tt.text, a.Memory.Trust, a.Memory.Source, err)
		}
	}
}

func TestLieStoredByAToolDoesNotReachThePrompt(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- Staging listens on port 8081\n"})
	must.Get(w.Store(t.Context(), memory.StoreRequest{Text: "The staging server listens on port 9999", Source: memory.SourceTool}))(t)
	a, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: "Which port does staging listen on?"})
	if err != nil || !strings.Contains(a.Context, "8081") || strings.Contains(a.Context, "9999") {
		t.Errorf("injected %s, %v", a.Context, err)
	}
	found, err := w.Search(t.Context(), memory.SearchRequest{Query: "staging port"})
	if err != nil || len(found.Hits) != 2 {
		t.Errorf("a person finds %d memories, %v", len(found.Hits), err)
	}
}
