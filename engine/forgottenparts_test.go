package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestNoPartOfAMemoryRepeatsAForgottenText repeats a forgotten text in comments, tags,
// scopes and sources of other memories. Every answer had it.
func TestNoPartOfAMemoryRepeatsAForgottenText(t *testing.T) {
	const x = "The staging vault swordfish is under seven blankets today"
	c := newCaptureWorld(t, map[string]string{
		"MEMORY.md":   "- " + x + "\n- Anna likes apples <!-- " + x + " --> and pears in the garden\n\n```sh\nharvest --apples\n<!-- " + x + " -->\n```\n",
		"memory/t.md": "---\ntags: [\"" + x + "\", fruit]\nscope: \"" + x + "\"\nsource: \"" + x + "\"\n---\n- Tractors with apples are parked in the barn\n",
		"memory/u.md": "- Wagons with apples are at the gate <!-- tags: " + x + ", fruit -->\n- Carts with apples are at the wall <!-- scope: " + x + " -->\n",
	})
	if _, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(c.idOf(x))}}); err != nil {
		t.Fatal(err)
	}
	check := func(what string, answer any, err error) {
		t.Helper()
		text, jsonErr := json.Marshal(answer)
		if err != nil || jsonErr != nil {
			t.Fatal(what, err, jsonErr)
		}
		if strings.Contains(string(text), "swordfish") {
			t.Errorf("%s: %s", what, text)
		}
	}
	for _, inMemory := range []bool{false, true} {
		if inMemory {
			if err := c.Load(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
		}
		list, err := c.List(t.Context(), memory.ListRequest{})
		check("list", list, err)
		if len(list.Memories) != 5 {
			t.Fatalf("%d memories", len(list.Memories))
		}
		for _, m := range list.Memories {
			shown, err := c.Show(t.Context(), memory.ShowRequest{ID: string(m.ID)})
			check("show", shown, err)
			if strings.HasPrefix(m.Text, "Tractors") && (len(m.Tags) != 1 || m.Tags[0] != "fruit") || m.Text == "Anna likes apples" {
				t.Errorf("too much was left out: %+v", m)
			}
		}
		for _, who := range memory.Audiences {
			found, err := c.Search(t.Context(), memory.SearchRequest{Query: "apples", For: who})
			check("search for "+string(who), found, err)
		}
		recalled, err := c.Recall(t.Context(), memory.RecallRequest{Prompt: "where does Anna like apples?"})
		check("recall", recalled, err)
		if !strings.Contains(recalled.Context, "Anna likes apples") {
			t.Errorf("recalled %q", recalled.Context)
		}
		stats, err := c.Stats(t.Context(), memory.StatsRequest{})
		check("stats", stats, err)
	}
	files, err := c.Files(t.Context(), memory.FilesRequest{Paths: []string{"MEMORY.md", "memory/t.md", "memory/u.md"}})
	check("files", files, err)
}
