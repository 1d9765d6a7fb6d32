package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// TestForgettingOfAUserDoesNotHideALaterText stores a text for a user, forgets it for
// that user, and then writes the same text for others.
func TestForgettingOfAUserDoesNotHideALaterText(t *testing.T) {
	const text = "The board meeting takes place on Friday in room four"
	for _, user := range []string{"lena", "telegram:9"} {
		c := newFamily(t, map[string]string{"memory/first.md": "---\nuser: \"" + user + "\"\n---\n- " + text + "\n", "memory/second.md": "# Copy\n- " + text + " <!-- user: " + user + " -->\n"})
		decide := func(action memory.Action, ids ...string) memory.DecideAnswer {
			t.Helper()
			a, err := c.Decide(t.Context(), memory.DecideRequest{Action: action, IDs: ids, Source: "tool", Sender: memory.Sender{User: user}, For: memory.AudienceModel})
			if err != nil {
				t.Fatalf("%s %s: %v", user, action, err)
			}
			return a
		}
		visible := func() (users []string) {
			t.Helper()
			all := must.Get(c.List(t.Context(), memory.ListRequest{}))(t)
			for _, m := range all.Memories {
				users = append(users, m.User)
			}
			slices.Sort(users)
			return users
		}
		own, err := c.List(t.Context(), memory.ListRequest{Sender: memory.Sender{User: user}})
		if err != nil || len(own.Memories) != 2 {
			t.Fatalf("%+v, %v", own.Memories, err)
		}
		id := string(own.Memories[0].ID)
		if a := decide(memory.ActionForget, id); len(a.Changed) != 2 || len(visible()) != 0 {
			t.Fatalf("%s forgets: %+v, visible: %q", user, a.Changed, visible())
		}
		decide(memory.ActionRestore, id)
		decide(memory.ActionUndo)
		c.write("memory/owner.md", "---\nuser: owner\n---\n- "+text+"\n")
		c.write("MEMORY.md", "# Office\n- "+text+"\n")
		c.index()
		if got := visible(); !slices.Equal(got, []string{"", "owner"}) {
			t.Errorf("after %s forgot its own copies, those of these users are visible: %q", user, got)
		}
		all := []string{"", "owner", user, user}
		slices.Sort(all)
		if decide(memory.ActionRestore, id); !slices.Equal(visible(), all) {
			t.Errorf("after %s restored its own copies: %q", user, visible())
		}
	}
}

// TestDeletedLineOfAUserHidesNoTextOfOthers forgets a user's text, deletes its line or its
// file, and then writes the same text for others. They get a memory of their own.
func TestDeletedLineOfAUserHidesNoTextOfOthers(t *testing.T) {
	const text = "The board meeting takes place on Friday at ten in room four"
	for _, deletes := range []string{"line", "file", "line in the same save"} {
		c := newFamily(t, map[string]string{"MEMORY.md": "# Office\n- The printer is in room two\n"})
		stored := must.Get(c.Store(t.Context(), memory.StoreRequest{Text: text, Source: memory.SourceTool, Sender: memory.Sender{User: "telegram:9"}, For: memory.AudienceModel}))(t)
		stranger := memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(stored.Memory.ID)}, Source: "tool", Sender: memory.Sender{User: "telegram:9"}, For: memory.AudienceModel}
		must.Get(c.Decide(t.Context(), stranger))(t)
		path := stored.Memory.Path
		before := c.read(path)
		switch deletes {
		case "file":
			must.Do(t, os.Remove(filepath.Join(c.dir, path)))
		default:
			c.write(path, before[:strings.Index(before, "- "+text)])
		}
		if deletes != "line in the same save" {
			c.index()
		}
		c.write("memory/owner.md", "---\nuser: owner\n---\n- "+text+"\n")
		c.write("memory/all.md", "- "+text+"!\n")
		c.index()
		users := map[string]int{}
		visible := must.Get(c.List(t.Context(), memory.ListRequest{Sender: memory.Sender{User: "telegram:1"}}))(t)
		for _, m := range visible.Memories {
			if strings.HasPrefix(m.Text, text) {
				users[m.User]++
			}
			if m.ID == stored.Memory.ID {
				t.Errorf("%s: the memory of the stranger has the owner's text", deletes)
			}
		}
		if users["owner"] != 1 || users[""] != 1 {
			t.Errorf("%s: the owner gets %v of the owner's text and everybody's", deletes, users)
		}
		c.write(path, before)
		c.index()
		if m, err := c.Show(t.Context(), memory.ShowRequest{ID: string(stored.Memory.ID)}); err != nil || !m.Memory.Forgotten || m.Memory.Missing {
			t.Errorf("%s: the stranger's text returned, forgotten: %v, missing: %v, %v", deletes, m.Memory.Forgotten, m.Memory.Missing, err)
		}
	}
}

// TestStoredTextHasNothingOfAnotherUsersMemory stores a text that another user had before.
// The answer tells nothing of it.
func TestStoredTextHasNothingOfAnotherUsersMemory(t *testing.T) {
	const text = "The spare key lies below the third flower pot"
	c := newFamily(t, map[string]string{"MEMORY.md": "# Home\n- The printer is in room two\n", "memory/owner.md": "---\nuser: owner\n---\n- " + text + "\n- Another note\n"})
	own := c.listPath("memory/owner.md")
	if len(own) != 2 {
		t.Fatal(own)
	}
	c.write("memory/owner.md", "---\nuser: owner\n---\n- Another note\n")
	c.index()
	c.at = c.at.Add(48 * time.Hour)
	stored := must.Get(c.Store(t.Context(), memory.StoreRequest{Text: text, Source: memory.SourceTool, Sender: memory.Sender{User: "telegram:2"}, For: memory.AudienceModel}))(t)
	for _, m := range own {
		if m.ID == stored.Memory.ID {
			t.Errorf("the new memory is the owner's missing one: %+v", stored.Memory)
		}
	}
}

// TestEditOfTheUserKeepsTheMemory changes the user beside a text, in its file.
func TestEditOfTheUserKeepsTheMemory(t *testing.T) {
	const text = "The spare key lies below the third flower pot"
	c := newFamily(t, map[string]string{"memory/keys.md": "# Keys\n- " + text + " <!-- user: lena -->\n- Another note\n"})
	before := c.allIDs()
	for _, line := range []string{" <!-- user: ben -->", "", " <!-- user: owner -->"} {
		c.write("memory/keys.md", "# Keys\n- "+text+line+"\n- Another note\n")
		c.index()
		if after := c.allIDs(); !slices.Equal(before, after) {
			t.Errorf("with the comment %q the ids are %v, before %v", line, after, before)
		}
	}
}
