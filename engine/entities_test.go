package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/knowledge"
	"github.com/memory-tiered/memory/workspace"
)

// TestNamesOfNotes reads testdata/names.txt: notes, what a person does, and what a name means
// then.
func TestNamesOfNotes(t *testing.T) {
	data, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	for section := range strings.SplitSeq("\n"+string(data), "\n== ") {
		name, body, _ := strings.Cut(section, "\n")
		if strings.TrimSpace(section) == "" {
			continue
		}
		t.Run(name, func(t *testing.T) { checkNames(t, body) })
	}
}

func checkNames(t *testing.T, body string) {
	files, path, steps := map[string]string{}, "", []string(nil)
	for line := range strings.Lines(body) {
		switch {
		case strings.HasPrefix(line, "-- "):
			path = strings.TrimSpace(line[3:])
		case strings.HasPrefix(line, "! "), strings.HasPrefix(line, "=> "):
			steps = append(steps, strings.TrimSpace(line))
		case len(steps) == 0 && path != "":
			files[path] += line
		}
	}
	c := newCaptureWorld(t, files, func(o *engine.Options) { o.Workspaces[0].Options.Globs = []workspace.Glob{{Pattern: "**/*.md"}} })
	for _, step := range steps {
		if do, found := strings.CutPrefix(step, "! "); found {
			action, of, _ := strings.Cut(do, ":")
			name, other, _ := strings.Cut(strings.TrimSpace(of), " | ")
			c.decideName(action, name, other)
			continue
		}
		name, want, _ := strings.Cut(strings.TrimPrefix(step, "=> "), ": ")
		if got := c.meaning(name, want); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func (c *captureWorld) decideName(action, name, other string) {
	c.t.Helper()
	var err error
	switch action {
	case "forget":
		c.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(c.find(name).ID)}})
	case "undo":
		c.decide(memory.DecideRequest{Action: memory.ActionUndo})
	case "move":
		err = os.Rename(filepath.Join(c.dir, name), filepath.Join(c.dir, other))
	case "remove":
		err = os.Remove(filepath.Join(c.dir, name))
	case "lose the index":
		c.options.Workspaces[0].DBPath = filepath.Join(c.t.TempDir(), "new.db")
		c.restart()
	default:
		_, err = c.ChangeEntity(c.t.Context(), knowledge.ChangeEntityRequest{Action: action, Name: name, Other: other})
	}
	if err != nil {
		c.t.Fatal(err)
	}
	c.index()
}

// meaning returns what a name means, as want has it: a number of memories, the name that is
// shown, several names, or nothing.
func (c *captureWorld) meaning(name, want string) string {
	r := memory.ListRequest{Filter: memory.Filter{Entity: name}}
	if of, found := strings.CutPrefix(name, "model "); found {
		r.Entity, r.For = of, memory.AudienceModel
	}
	a, err := c.Entities(c.t.Context(), r)
	switch {
	case errors.Is(err, memory.ErrNotFound):
		return "-"
	case err != nil:
		c.t.Fatal(err)
	case len(a.Entities) == 1 && strings.HasPrefix(want, "= "):
		return "= " + a.Entities[0].Name
	case len(a.Entities) == 1:
		r.Properties = true
		if all := c.list(r); len(all) != a.Entities[0].Memories {
			c.t.Errorf("%s: the list has %d memories of %d", name, len(all), a.Entities[0].Memories)
		}
		return strconv.Itoa(a.Entities[0].Memories)
	}
	var names []string
	for _, e := range a.Entities {
		names = append(names, e.Name)
	}
	return strings.Join(names, " | ")
}

// A decision is private, also in a file that a person began.
func TestDecisionIsPrivateBelowOtherNotes(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"memory/a.md": "- Lunch with Frauke.\n- Cake by Frauke.\n", "memory/names.md": "- Our cats are Minka and Felix.\n"})
	c.decideName("rename", "Frauke", "Frauke Jensen")
	if c.find("Our cats are Minka and Felix.").Private || !c.find("Frauke Jensen = Frauke").Private {
		t.Errorf("the file is %q", c.read("memory/names.md"))
	}
	if got := c.meaning("Frauke", "= "); got != "= Frauke Jensen" {
		t.Errorf("Frauke is %s", got)
	}
	c.decideName("undo", "", "")
	if got := c.read("memory/names.md"); got != "- Our cats are Minka and Felix.\n" {
		t.Errorf("after undo, the file is %q", got)
	}
}

// A decision about a name tells a user nothing of another user's memories.
func TestUserLearnsNoNameFromADecision(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"memory/a.md": "- Lunch with Frauke. <!-- user: lena -->\n- Cake by Frauke. <!-- user: lena -->\n- Rain all day.\n"},
		func(o *engine.Options) { o.Identities = family })
	c.decideName("rename", "Frauke", "Frauke Jensen")
	for user, want := range map[string]string{"lena": "Frauke", "ben": ""} {
		a, err := c.Entities(t.Context(), memory.ListRequest{Sender: memory.Sender{User: user}})
		got := ""
		for _, e := range a.Entities {
			got += e.Name
		}
		if err != nil || got != want {
			t.Errorf("%s gets %q, want %q: %v", user, got, want, err)
		}
	}
}
