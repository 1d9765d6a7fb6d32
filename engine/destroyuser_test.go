package engine_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// TestDestroyOfAUserTellsNothingOfOthers destroys the owner's text, which other users have
// too or not. The answers are the same, the others keep their texts, and the owner may
// store the text again.
func TestDestroyOfAUserTellsNothingOfOthers(t *testing.T) {
	const text = "The gift for the birthday is a red bicycle with a bell"
	others := map[string]map[string]string{
		"nobody":            {},
		"an exact copy":     {"memory/lena.md": "---\nuser: lena\n---\n- " + text + "\n"},
		"a near copy":       {"memory/lena.md": "---\nuser: lena\n---\n- **" + text + "!**\n"},
		"in the same file":  {"memory/gifts.md": "# Gifts\n- " + text + " <!-- user: lena -->\n- " + text + " <!-- user: owner -->\n- Ben likes books\n"},
		"a longer text":     {"memory/lena.md": "---\nuser: lena\n---\n- Remember: " + text + ", and a card\n"},
		"a current context": {"memory/lena.md": "---\nuser: lena\n---\n- Lena is away\n"},
	}
	for _, who := range []memory.Audience{memory.AudiencePerson, memory.AudienceModel} {
		var want string
		for _, name := range []string{"nobody", "an exact copy", "a near copy", "in the same file", "a longer text", "a current context"} {
			files := map[string]string{"memory/gifts.md": "# Gifts\n- " + text + " <!-- user: owner -->\n- Ben likes books\n"}
			for path, content := range others[name] {
				files[path] = content
			}
			c := newFamily(t, files)
			lena := memory.Sender{User: "lena"}
			if name == "a current context" {
				if _, err := c.SetContext(t.Context(), memory.ContextRequest{Text: text, Sender: lena}); err != nil {
					t.Fatal(err)
				}
			}
			owner := memory.Sender{User: "telegram:1"}
			mine, err := c.List(t.Context(), memory.ListRequest{Sender: owner, For: who, Filter: memory.Filter{Path: "memory/gifts.md"}, Sort: "path"})
			if err != nil || mine.Total != 2 {
				t.Fatalf("%s: %+v, %v", name, mine.Memories, err)
			}
			var answers []string
			for _, preview := range []bool{true, false} {
				a, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{string(mine.Memories[0].ID)}, Preview: preview, Confirm: !preview, Sender: owner, For: who})
				if err != nil {
					t.Fatalf("%s, preview %v, for %q: %v", name, preview, who, err)
				}
				for i := range a.Changed {
					a.Changed[i].ID, a.Changed[i].LineStart, a.Changed[i].LineEnd = "", 0, 0
				}
				a.Batch = ""
				answer, err := json.Marshal(a)
				if err != nil {
					t.Fatal(err)
				}
				answers = append(answers, string(answer))
			}
			again, err := c.Store(t.Context(), memory.StoreRequest{Text: text, Source: memory.SourceTool, Sender: owner, For: who})
			if err != nil || again.Duplicate {
				t.Errorf("%s: the owner stores the text again: %+v, %v", name, again, err)
			}
			if got := strings.Join(answers, "\n"); want == "" {
				want = got
			} else if got != want {
				t.Errorf("%s, for %q:\n%s\nwith nobody else:\n%s", name, who, got, want)
			}
			if strings.Contains(c.read("memory/gifts.md"), text+" <!-- user: owner -->") {
				t.Errorf("%s: the owner's text is still in its file", name)
			}
			for path, content := range others[name] {
				content = strings.Replace(content, "- "+text+" <!-- user: owner -->\n", "", 1)
				if got := c.read(path); got != content {
					t.Errorf("%s: %s is\n%s", name, path, got)
				}
			}
			theirs := c.list(memory.ListRequest{Sender: lena, Filter: memory.Filter{Path: "memory/*.md"}})
			if has := strings.Contains(joinTexts(theirs), text); has != (name != "nobody" && name != "a current context") {
				t.Errorf("%s: lena gets %q", name, joinTexts(theirs))
			}
			if current, err := c.Context(t.Context(), memory.ContextOf{Sender: lena}); err != nil || (current.Context != nil) != (name == "a current context") {
				t.Errorf("%s: lena's context is %+v, %v", name, current.Context, err)
			}
		}
	}
}

func joinTexts(memories []memory.Memory) string {
	var texts []string
	for _, m := range memories {
		texts = append(texts, m.Text)
	}
	return strings.Join(texts, "\n")
}

// TestDestroyOfAUserForgetsItsNearCopies destroys a text of which the user has a near copy.
// It stays in its file, forgotten alone.
func TestDestroyOfAUserForgetsItsNearCopies(t *testing.T) {
	const text = "The gift for the birthday is a red bicycle with a bell"
	c := newFamily(t, map[string]string{"memory/a.md": "---\nuser: owner\n---\n- " + text + "\n- " + text + "\n", "memory/b.md": "- *" + text + "*\n"})
	owner := memory.Sender{User: "owner"}
	all := c.list(memory.ListRequest{Sender: owner})
	a, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{string(all[0].ID)}, Confirm: true, Sender: owner})
	if err != nil || len(a.Changed) != 2 || len(a.NearCopies) != 1 || a.Scan != nil {
		t.Fatalf("%+v, %v", a, err)
	}
	if strings.Contains(c.read("memory/a.md"), text) || !strings.Contains(c.read("memory/b.md"), "forgotten: ") || !strings.Contains(c.read("memory/b.md"), "only: true") {
		t.Errorf("a.md is\n%s\nb.md is\n%s", c.read("memory/a.md"), c.read("memory/b.md"))
	}
	if left := c.list(memory.ListRequest{}); len(left) != 0 {
		t.Errorf("visible: %q", joinTexts(left))
	}
	if _, err := c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, IDs: []string{string(a.NearCopies[0].ID)}, Confirm: true, Sender: memory.Sender{User: "lena"}, For: memory.AudienceModel}); !errors.Is(err, memory.ErrForbidden) {
		t.Errorf("the model destroys for lena: %v", err)
	}
}
