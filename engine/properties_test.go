package engine_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// Properties of other programs are a memory like any other: what forgets it hides exactly
// its lines.
func TestForgottenPropertiesAreNotServed(t *testing.T) {
	const text = "birthday: 1983-09-17\nemail: anna@example.org"
	w := newReopenable(t, map[string]string{
		"memory/people/Anna.md": "---\nbirthday: 1983-09-17\ntier: warm\nemail: anna@example.org\nlayout: {x: 1}\n---\n# Anna\n\n- " + heron + "\n",
		"memory/people/Ben.md":  "---\nbirthday: 1990-01-02\n---\n- " + owl + "\n"})
	m := w.find(text)
	if m.LineStart != 2 || m.LineEnd != 4 || strings.Join(m.Heading, " ") != "Anna" {
		t.Fatalf("the memory is %+v", m)
	}
	served := func() string { return w.servedFile("memory/people/Anna.md").Content }
	if c := served(); !strings.Contains(c, "1983") || !strings.Contains(c, "anna@example.org") {
		t.Fatalf("served before: %q", c)
	}
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(m.ID)}})
	for range 2 {
		if c := served(); c != "---\ntier: warm\nlayout: {x: 1}\n---\n# Anna\n\n- "+heron+"\n" {
			t.Errorf("served: %q", c)
		}
		if n := w.servedFile("memory/people/Anna.md").Redacted; n != 1 {
			t.Errorf("%d memories are redacted", n)
		}
		if c := w.servedFile("memory/people/Ben.md").Content; !strings.Contains(c, "1990") {
			t.Errorf("another file: %q", c)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		w.db = filepath.Join(t.TempDir(), "tiered.db") // a lost database is read from the files
		w.open()
	}
	w.write("memory/people/Anna.md", strings.Replace(w.read("memory/people/Anna.md"), "1983-09-17", "1983-09-18", 1))
	w.index()
	if c := served(); strings.Contains(c, "1983") || strings.Contains(c, "example.org") {
		t.Errorf("served after an edit: %q", c)
	}
}

// A property may repeat a forgotten text, and no answer shows it there.
func TestPropertyThatRepeatsAForgottenTextIsHidden(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n",
		"memory/a.md": "---\nroom: 4\nsummary: \"" + heron + "\"\n---\n- " + owl + "\n"})
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.idOf(heron))}})
	for _, m := range w.listPath("memory/a.md") {
		if strings.Contains(m.Text, "heron") {
			t.Errorf("listed: %q", m.Text)
		}
	}
	if m := w.find("room: 4\nsummary: …"); m.Path != "memory/a.md" {
		t.Errorf("the other properties: %+v", m)
	}
}

// A list of memories has the texts. It has properties too where somebody asks for them, or
// for a state that they have.
func TestListLeavesOutProperties(t *testing.T) {
	w := newWorld(t, map[string]string{"memory/people/Anna.md": "---\nbirthday: 1983-09-17\n---\n- " + heron + "\n"})
	w.index()
	const properties = "birthday: 1983-09-17"
	id := w.idOf(properties)
	lists := func(r memory.ListRequest) bool {
		return slices.ContainsFunc(w.list(r), func(m memory.Memory) bool { return m.ID == id })
	}
	if lists(memory.ListRequest{}) {
		t.Error("a list without flags has the properties")
	}
	if !lists(memory.ListRequest{Properties: true}) {
		t.Error("a list with properties lacks them")
	}
	w.decide(decideRequest(memory.ActionPin, id))
	if !lists(memory.ListRequest{Pinned: true}) {
		t.Error("the pinned memories lack the properties")
	}
	w.decide(decideRequest(memory.ActionForget, id))
	if !lists(memory.ListRequest{Filter: memory.Filter{Forgotten: true}}) {
		t.Error("the forgotten memories lack the properties")
	}
}
