package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
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
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(c.idOf(x))}}))(t)
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
			must.Do(t, c.Load(t.Context(), ""))
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
		recalled := c.recallDelivered(memory.RecallRequest{Prompt: "where does Anna like apples?"})
		check("recall", recalled, nil)
		if !strings.Contains(recalled.Context, "Anna likes apples") {
			t.Errorf("recalled %q", recalled.Context)
		}
		stats, err := c.Stats(t.Context(), memory.StatsRequest{})
		check("stats", stats, err)
	}
	last, err := c.Last(t.Context(), memory.LastRequest{})
	check("last", last, err)
	if len(last.Injected) == 0 {
		t.Error("nothing was injected last")
	}
	var ids []string
	list, err := c.List(t.Context(), memory.ListRequest{})
	check("list", list, err)
	for _, m := range list.Memories {
		ids = append(ids, string(m.ID))
	}
	for _, r := range []memory.DecideRequest{
		{Action: memory.ActionPin, IDs: ids, Preview: true}, {Action: memory.ActionPin, IDs: ids, For: memory.AudienceModel, Source: "tool"},
		{Action: memory.ActionPin, IDs: ids}, {Action: memory.ActionUndo}, {Action: memory.ActionDemote, IDs: ids}, {Action: memory.ActionUndo, Preview: true},
		{Action: memory.ActionDestroy, IDs: ids, Preview: true},
	} {
		answer, err := c.Decide(t.Context(), r)
		check(string(r.Action), answer, err)
		if len(answer.Changed) == 0 && r.Action != memory.ActionPin {
			t.Errorf("%s changes nothing: %+v", r.Action, answer)
		}
	}
	step, err := c.ReviewStep(t.Context(), memory.ReviewStepRequest{Action: memory.ReviewPin, ID: ids[0], Kind: memory.ReviewCaptured})
	check("review", step, err)
	files, err := c.Files(t.Context(), memory.FilesRequest{Paths: []string{"MEMORY.md", "memory/t.md", "memory/u.md"}})
	check("files", files, err)

	// What is written has the whole text: a destroy finds the lines, with their comments.
	destroyed, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, Query: "Anna likes apples and pears", Confirm: true})
	if check("destroy", destroyed, err); len(destroyed.Changed) != 1 || strings.Contains(c.read("MEMORY.md"), "Anna") {
		t.Errorf("destroyed %+v, and the file has\n%s", destroyed.Changed, c.read("MEMORY.md"))
	}
}
