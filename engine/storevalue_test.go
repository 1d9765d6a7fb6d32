package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestStoredNewValueSupersedesTheOldOne stores a new value as a person and as a tool. It
// replaces what capture would replace, and nothing else.
func TestStoredNewValueSupersedesTheOldOne(t *testing.T) {
	const old, next = "the staging port is 8080", "the staging port is now 8081"
	tool := func(text string) memory.StoreRequest {
		return memory.StoreRequest{Text: text, Source: memory.SourceTool, For: memory.AudienceModel}
	}
	for name, test := range map[string]struct {
		before     func(*captureWorld) memory.ID
		request    memory.StoreRequest
		supersedes bool
	}{
		"a person, a captured one": {func(c *captureWorld) memory.ID { return c.tell("s", "1", "Remember that "+old+".").Stored[0].ID }, memory.StoreRequest{Text: next}, true},
		"a person, a tool's":       {func(c *captureWorld) memory.ID { return c.storeAs(tool(old)).Memory.ID }, memory.StoreRequest{Text: next}, true},
		"a tool, a tool's":         {func(c *captureWorld) memory.ID { return c.storeAs(tool(old)).Memory.ID }, tool(next), true},
		"a tool, the owner's":      {func(c *captureWorld) memory.ID { return c.tell("s", "1", "Remember that "+old+".").Stored[0].ID }, tool(next), false},
		"a person, a person's":     {func(c *captureWorld) memory.ID { return c.storeAs(memory.StoreRequest{Text: old}).Memory.ID }, memory.StoreRequest{Text: next}, false},
		"another subject":          {func(c *captureWorld) memory.ID { return c.storeAs(tool(old)).Memory.ID }, tool("the printer stands in room 8081"), false},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCaptureWorld(t, nil)
			id := test.before(c)
			a := c.storeAs(test.request)
			by := c.show(memory.ShowRequest{ID: string(id)}).Memory.SupersededBy
			if test.supersedes != slices.Equal(a.Superseded, []memory.ID{id}) || test.supersedes != (by != nil && *by == a.Memory.ID) || a.Duplicate {
				t.Fatalf("the answer lists %v; the old value is superseded by %v", a.Superseded, by)
			}
			if !test.supersedes {
				return
			}
			block, err := c.Recall(t.Context(), memory.RecallRequest{Prompt: "What is the staging port?"})
			if err != nil || strings.Contains(block.Context, "8080") || !strings.Contains(block.Context, "8081") {
				t.Errorf("injected %s, %v", block.Context, err)
			}
			c.undo(1)
			if m := c.show(memory.ShowRequest{ID: string(id)}).Memory; m.SupersededBy != nil {
				t.Error("after undo, the old value is still superseded")
			}
		})
	}
}

// TestStoredNewValueOfAPrivateMemoryIsPrivate stores the new value of a private memory.
func TestStoredNewValueOfAPrivateMemoryIsPrivate(t *testing.T) {
	for _, source := range []memory.Source{memory.SourceTool, ""} {
		c := newCaptureWorld(t, map[string]string{capturedFile: "---\nsource: auto-capture\n---\n\n- the staging port is 8080 <!-- private; trust: untrusted -->\n"})
		who := memory.AudiencePerson
		if source == memory.SourceTool {
			who = memory.AudienceModel
		}
		a := c.storeAs(memory.StoreRequest{Text: "the staging port is now 8081", Source: source, For: who})
		if !a.Memory.Private || (len(a.Superseded) == 1) != (source == "") {
			t.Errorf("source %q: private: %v, superseded: %v", source, a.Memory.Private, a.Superseded)
		}
		if list := c.list(memory.ListRequest{For: memory.AudienceModel}); len(list) != 0 {
			t.Errorf("source %q: a model gets %q", source, joinTexts(list))
		}
	}
}
