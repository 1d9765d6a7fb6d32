package engine_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// selected returns the texts that a destroy with a filter would destroy, sorted.
func (c *captureWorld) selected(f memory.Filter, query string) (texts []string) {
	c.t.Helper()
	a, err := c.Decide(c.t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, Filter: &f, Query: query, All: true, Preview: true})
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		c.t.Fatal(err)
	}
	for _, m := range a.Changed {
		texts = append(texts, m.Text)
	}
	slices.Sort(texts)
	return texts
}

func TestMemoriesAreSelectedByWhereTheyCameFrom(t *testing.T) {
	c := newFamily(t, familyFiles)
	const tea, coffee, ferry, gate, key = "I prefer tea over coffee.", "I prefer the window seat on trains.", "The ferry leaves at nine", "The gate of the pier is green", "The bicycle lock of Lena opens with zqlena"
	c.tell("chat 7", "m1", tea)
	c.at = c.at.Add(48 * 3600 * 1e9)
	c.tell("chat 70", "m1", coffee)
	for session, text := range map[string]string{"chat 7": ferry, "chat 70": gate} {
		c.storeAs(memory.StoreRequest{Text: text, Session: session, Source: memory.SourceTool})
	}
	c.storeAs(memory.StoreRequest{Text: gate, Session: "chat 7", Source: memory.SourceTool}) // a duplicate came from elsewhere
	for _, tt := range []struct {
		name  string
		f     memory.Filter
		query string
		want  []string
	}{
		{"a session", memory.Filter{Origin: "chat 7"}, "", []string{tea, ferry}},
		{"another session", memory.Filter{Origin: "chat 70"}, "", []string{coffee, gate}},
		{"no such session", memory.Filter{Origin: "chat"}, "", nil},
		{"a session since a day", memory.Filter{Origin: "chat 7", Since: "2026-11-22"}, "", []string{ferry}},
		{"a session and a query", memory.Filter{Origin: "chat 7"}, "ferry leaves", []string{ferry}},
		{"a source", memory.Filter{Source: memory.SourceTool}, "", []string{ferry, gate}},
		{"a user by a channel id", memory.Filter{Owner: "telegram:2"}, "", []string{key, "The locker code of the pier is zqlena"}},
		{"a user by the identity and a path", memory.Filter{Owner: "lena", Path: "memory/**"}, "", []string{key}},
		{"a sender whom nobody lists", memory.Filter{Owner: "telegram:9"}, "", []string{"The locker of the guest opens with zqstranger"}},
		{"a user without memories", memory.Filter{Owner: "nobody"}, "", nil},
	} {
		slices.Sort(tt.want)
		for _, when := range []string{"from the tables", "from memory"} {
			if got := c.selected(tt.f, tt.query); !slices.Equal(got, tt.want) {
				t.Errorf("%s, %s: %q, want %q", tt.name, when, got, tt.want)
			}
			must.Do(t, c.Load(t.Context(), "main"))
		}
	}
	decide := func(action memory.Action, text string) {
		t.Helper()
		must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: action, Query: text}))(t)
	}
	decide(memory.ActionForget, ferry)
	if got := c.selected(memory.Filter{Origin: "chat 7"}, ""); !slices.Equal(got, []string{tea, ferry}) && !slices.Equal(got, []string{ferry, tea}) {
		t.Errorf("with a forgotten memory: %q", got)
	}
	if got := c.selected(memory.Filter{Origin: "chat 7", Forgotten: true}, ""); !slices.Equal(got, []string{ferry}) {
		t.Errorf("only forgotten memories: %q", got)
	}
	decide(memory.ActionRestore, ferry)
	c.storeAs(memory.StoreRequest{Text: "Lena keeps a heron feather", Session: "chat 8", Source: memory.SourceTool, Sender: memory.Sender{User: "lena"}})
	for user, want := range map[string]int{"lena": 1, "ben": 0} {
		listed, err := c.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Origin: "chat 8"}, Sender: memory.Sender{User: user}})
		if err != nil || listed.Total != want {
			t.Errorf("%s gets %+v of the session of lena: %v", user, listed.Memories, err)
		}
	}
}
