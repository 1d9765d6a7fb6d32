package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
)

// Each user has a current context of its own. Those of others are not shown.
func TestCurrentContextIsOfItsUser(t *testing.T) {
	c := newCaptureWorld(t, nil, func(o *engine.Options) {
		o.Identities = memory.Identities{"owner": {"telegram:1"}, "lena": {"telegram:2", "slack:U2"}}
	})
	lena, owner, other := memory.Sender{User: "slack:U2"}, memory.Sender{User: "telegram:1"}, memory.Sender{User: "telegram:9"}
	set := func(by memory.Sender, text string) {
		t.Helper()
		must.Get(c.SetContext(t.Context(), memory.ContextRequest{Text: text, Sender: by}))(t)
	}
	expect := func(when string, by memory.Sender, want string) {
		t.Helper()
		a := must.Get(c.Recall(t.Context(), memory.RecallRequest{Prompt: "What is going on?", Sender: by}))(t)
		current := must.Get(c.Context(t.Context(), memory.ContextOf{Sender: by}))(t)
		got := ""
		if current.Context != nil {
			got = current.Context.Text
		}
		if got != want || want != "" && !strings.Contains(a.Context, want) || want == "" && a.Context != "" {
			t.Errorf("%s: %q gets %q, and in the block %q; want %q", when, by.User, got, a.Context, want)
		}
	}
	set(lena, "Lena packs for the island")
	expect("one of Lena", lena, "Lena packs for the island")
	expect("one of Lena", memory.Sender{User: "2", Channel: "telegram"}, "Lena packs for the island")
	for _, by := range []memory.Sender{owner, other, {}} {
		expect("one of Lena", by, "")
	}
	set(memory.Sender{}, "The kitchen is being painted")
	set(other, "Waiting for the plumber")
	expect("three", lena, "Lena packs for the island")
	expect("three", owner, "The kitchen is being painted")
	expect("three", other, "Waiting for the plumber")
	c.restart()
	must.Get(c.ClearContext(t.Context(), memory.ContextOf{Sender: lena}))(t)
	expect("cleared", lena, "The kitchen is being painted")
	expect("cleared", other, "Waiting for the plumber")
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo}))(t)
	expect("undone", lena, "Lena packs for the island")
	expect("undone", owner, "The kitchen is being painted")
}
