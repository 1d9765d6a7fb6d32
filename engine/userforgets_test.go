package engine_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
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
			all, err := c.List(t.Context(), memory.ListRequest{})
			if err != nil {
				t.Fatal(err)
			}
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
