package main

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// nameSets are workspaces in which most notes name one of a few people.
var nameSets = []string{"../../eval/names/home", "../../eval/names/familie", "../../eval/names/team"}

// A name that many notes share tells nothing about which of them answers. Of a question
// about one thing, the block has few notes with the name. Of one about the person, it has
// all. If no note has the answer, nothing is injected. The limits are below the figures in
// docs/decisions/0015-subjects.md. Each model is chosen by its name, because the default
// depends on the number of processors.
func TestNamesOfManyNotesDoNotFillABlock(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: useless for the race detector")
	}
	for quality, model := range map[string]string{"fast": "static/", "best": "minilm/"} {
		t.Run(quality, func(t *testing.T) {
			asked, answered, injected, right := 0, 0, 0, 0
			for _, dir := range nameSets {
				m := openGolden(t, dir, "MEMORY_EMBEDDING_LOCAL_QUALITY="+quality)
				m.wantModel(t, model)
				for _, g := range m.all {
					hits := m.blockFor(t, g.Query)
					found := 0
					for _, h := range hits {
						if isRelevant(g, h.Memory) {
							found++
						}
					}
					switch g.Category {
					case "none":
						if len(hits) > 0 {
							t.Errorf("%q: injected %q", g.Query, hits[0].Text)
						}
					case "all":
						if want := len(g.Relevant); found < want-1 {
							t.Errorf("%q: %d of %d notes are injected", g.Query, found, want)
						}
					default:
						asked, injected, right = asked+1, injected+len(hits), right+found
						answered += min(1, found)
					}
				}
			}
			t.Logf("%d of %d questions are answered, %d of %d memories are right", answered, asked, right, injected)
			if 100*answered < 80*asked {
				t.Errorf("%d of %d questions are answered", answered, asked)
			}
			if 100*right < 70*injected {
				t.Errorf("%d of %d injected memories are right", right, injected)
			}
		})
	}
}

// wantModel embeds every memory, and checks that a model made the vectors.
func (m goldenSession) wantModel(t *testing.T, prefix string) {
	t.Helper()
	_, err := m.Index(t.Context(), memory.IndexRequest{Workspace: m.Workspace}, nil)
	must.Do(t, err)
	status, err := m.Status(t.Context())
	must.Do(t, err)
	for _, w := range status.Workspaces {
		if e := w.Embedding; !strings.HasPrefix(e.Model, prefix) || e.Pending > 0 || e.Next != nil {
			t.Fatalf("the model is %+v, want %s", e, prefix)
		}
	}
}

// blockFor returns what is injected for a prompt.
func (m goldenSession) blockFor(t *testing.T, prompt string) []memory.Hit {
	t.Helper()
	never := false
	answer, err := m.Recall(t.Context(), memory.RecallRequest{Workspace: m.Workspace, Prompt: prompt, Record: &never})
	must.Do(t, err)
	return answer.Hits
}
