package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

func (c *captureWorld) review(r memory.ReviewRequest) memory.ReviewAnswer {
	c.t.Helper()
	a := must.Get(c.Review(c.t.Context(), r))(c.t)
	return a
}

func (c *captureWorld) step(r memory.ReviewStepRequest) memory.ReviewStepAnswer {
	c.t.Helper()
	a, err := c.ReviewStep(c.t.Context(), r)
	if err != nil {
		c.t.Fatalf("%s %s: %v", r.Action, r.ID, err)
	}
	return a
}

// stepOn returns the request of a step on a point.
func stepOn(item memory.ReviewItem, action memory.ReviewAction) memory.ReviewStepRequest {
	r := memory.ReviewStepRequest{Action: action, Kind: item.Kind, ID: string(item.Memory.ID)}
	if item.Other != nil {
		r.Other = string(item.Other.ID)
	}
	return r
}

// points lists the points of a review as "kind: text | other text".
func points(a memory.ReviewAnswer) (list []string) {
	for _, item := range a.Items {
		text := string(item.Kind) + ": " + item.Memory.Text
		if item.Other != nil {
			text += " | " + item.Other.Text
		}
		list = append(list, text)
	}
	return list
}

func (c *captureWorld) expectPoints(when string, want ...string) memory.ReviewAnswer {
	c.t.Helper()
	a := c.review(memory.ReviewRequest{})
	if got := points(a); !slices.Equal(got, want) {
		c.t.Errorf("%s:\n%s\nwant\n%s", when, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return a
}

func TestReviewListsWhatAPersonShouldLookAt(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{
		"MEMORY.md": "- The vault is on floor 3 <!-- created: 2026-11-01 -->\n- The office in Berlin opens at eight in the morning\n" +
			"- Bins go out on Tuesdays <!-- created: 2026-09-26 -->\n- Send invoices to this address <!-- trust: quarantined -->\n" +
			"- Ask Ada about the boat\n",
		"memory/offer.md":  "---\nexpires: 2026-11-20\n---\n- The fair sells tickets at half price\n",
		"memory/berlin.md": "- The office in Berlin opens at eight in the morning!\n",
	})
	c.tell("s", "1", "I prefer tabs over spaces in Go.")
	c.tell("s", "2", "Remember that the vault is on floor 4.")
	c.storeAs(memory.StoreRequest{Text: "Peter plays chess on Thursdays", Source: memory.SourceTool})
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, IDs: []string{string(c.idOf("Ask Ada about the boat"))}}))(t)
	c.write("MEMORY.md", strings.Replace(c.read("MEMORY.md"), "- Ask Ada", "- Remember to ask Ada", 1))
	c.index()
	a := c.expectPoints("all",
		"quarantined: Send invoices to this address",
		"contradiction: the vault is on floor 4. | The vault is on floor 3",
		"untrusted: Peter plays chess on Thursdays",
		"captured: I prefer tabs over spaces in Go.",
		"captured: the vault is on floor 4.",
		"near_duplicate: The office in Berlin opens at eight in the morning! | The office in Berlin opens at eight in the morning",
		"expired: The fair sells tickets at half price",
		"ageing: Bins go out on Tuesdays",
		"stale_quote: Remember to ask Ada about the boat")
	if a.Total != 9 || a.Kinds[memory.ReviewCaptured] != 2 || a.Kinds[memory.ReviewAgeing] != 1 {
		t.Errorf("total %d, kinds %v", a.Total, a.Kinds)
	}
	for _, item := range a.Items {
		if item.Reason == "" {
			t.Errorf("%+v", item)
		}
	}
	if only := c.review(memory.ReviewRequest{Kind: memory.ReviewExpired}); only.Total != 1 || len(only.Items) != 1 {
		t.Errorf("one kind: %+v", only)
	}
	if count := c.review(memory.ReviewRequest{Count: true}); count.Total != 9 || len(count.Items) != 0 {
		t.Errorf("count: %+v", count)
	}
}

func TestWhatAPersonKeptIsNotAskedAgain(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": "- The vault is on floor 3\n- The vault is on floor 4\n- Peter plays chess on Thursdays <!-- trust: untrusted -->\n"})
	contradiction, untrusted := "contradiction: The vault is on floor 3 | The vault is on floor 4", "untrusted: Peter plays chess on Thursdays"
	a := c.expectPoints("at first", contradiction, untrusted)
	c.step(stepOn(a.Items[0], memory.ReviewKeep))
	c.expectPoints("after keep", untrusted)
	must.Get(c.Index(t.Context(), memory.IndexRequest{Force: true}, nil))(t)
	c.expectPoints("after a rebuild", untrusted)
	c.restart()
	c.expectPoints("after a restart", untrusted)
	kept := c.step(stepOn(a.Items[1], memory.ReviewKeep))
	c.expectPoints("after the second keep")
	c.step(memory.ReviewStepRequest{Action: memory.ReviewUndo, Batch: kept.Batch})
	c.expectPoints("after undo", untrusted)
	c.write("MEMORY.md", strings.Replace(c.read("MEMORY.md"), "floor 4", "floor 5", 1))
	c.index()
	c.expectPoints("after an edit", "contradiction: The vault is on floor 3 | The vault is on floor 5", untrusted)
	if text := c.read("MEMORY.md"); strings.Contains(text, "---") {
		t.Errorf("keep changed the file:\n%s", text)
	}
}

// Lines that a person wrote by hand, in one file or two, supersede nothing. So a person decides.
func TestReviewListsValuesThatDisagreeInAWholeWorkspace(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{
		"MEMORY.md": "# About us\n\n- Our rent is 1.340 euros a month.\n- The launch is on 12 May.\n- Theo wears shoe size 42\n- Theo wears shoe size 43\n" +
			"- Mila wears shoe size 36\n- I prefer tea over coffee.\n",
		"memory/home.md":       "# Flat\n\n- Rent: 1.400 euros a month\n- The launch is on 26 June.\n- I prefer coffee over tea.\n",
		"memory/hosts.md":      "# Hosts\n\n## Heron\n\n- Port: 8080\n\n## Kestrel\n\n- Port: 8081\n",
		"memory/2026-11-01.md": "- Weight: 81.2 kg\n", "memory/2026-11-02.md": "- Weight: 80.9 kg\n", "memory/2026-11-03.md": "- Weight: 80.4 kg\n",
	})
	pairs := func() (found []string) {
		for _, item := range c.review(memory.ReviewRequest{Kind: memory.ReviewContradiction}).Items {
			pair := []string{item.Memory.Text, item.Other.Text}
			slices.Sort(pair)
			found = append(found, strings.Join(pair, " | "))
		}
		slices.Sort(found)
		return found
	}
	want := []string{"I prefer coffee over tea. | I prefer tea over coffee.", "Our rent is 1.340 euros a month. | Rent: 1.400 euros a month",
		"The launch is on 12 May. | The launch is on 26 June.", "Theo wears shoe size 42 | Theo wears shoe size 43"}
	if got := pairs(); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	for _, item := range c.review(memory.ReviewRequest{Kind: memory.ReviewContradiction}).Items {
		c.step(stepOn(item, memory.ReviewKeep)) // both are true
	}
	if got := pairs(); len(got) > 0 {
		t.Errorf("after a person settled them: %q", got)
	}
}

func TestStepsOfAReviewCanBeUndone(t *testing.T) {
	const file = "# Office\r\n\r\n- The vault is on floor 4 <!-- trust: untrusted -->\r\n- Ada has the key\r\n"
	for _, action := range []memory.ReviewAction{memory.ReviewKeep, memory.ReviewPin, memory.ReviewTrust, memory.ReviewForget} {
		t.Run(string(action), func(t *testing.T) {
			c := newCaptureWorld(t, map[string]string{"MEMORY.md": file})
			before := c.expectPoints("at first", "untrusted: The vault is on floor 4")
			a := c.step(stepOn(before.Items[0], action))
			if len(a.Changed) != 1 || a.Batch == "" || action != memory.ReviewKeep && c.read("MEMORY.md") == file {
				t.Errorf("%+v\n%s", a, c.read("MEMORY.md"))
			}
			c.expectPoints("after the step")
			c.step(memory.ReviewStepRequest{Action: memory.ReviewUndo, Batch: a.Batch})
			after := c.expectPoints("after undo", "untrusted: The vault is on floor 4")
			if c.read("MEMORY.md") != file || after.Items[0].Memory.ID != before.Items[0].Memory.ID {
				t.Errorf("%q", c.read("MEMORY.md"))
			}
			if _, err := c.ReviewStep(t.Context(), memory.ReviewStepRequest{Action: memory.ReviewUndo, Batch: a.Batch}); !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("undo twice: %v", err)
			}
		})
	}
}

func TestMergeKeepsOneOfTwoMemories(t *testing.T) {
	const memoryFile = "- Ada has the key\n- The office in Berlin opens at eight in the morning\n"
	const daily = "# Friday\n- The office in Berlin opens at eight in the morning, really\n\nA long day.\n"
	c := newCaptureWorld(t, map[string]string{"MEMORY.md": memoryFile, "memory/2026-11-20.md": daily})
	pinned := c.idOf("The office in Berlin opens at eight in the morning")
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, IDs: []string{string(pinned)}}))(t)
	withPin := c.read("MEMORY.md")
	a := c.review(memory.ReviewRequest{})
	if len(a.Items) != 1 || a.Items[0].Other.ID != pinned {
		t.Fatalf("%v", points(a))
	}
	c.step(stepOn(a.Items[0], memory.ReviewMerge))
	if m := c.show(memory.ShowRequest{ID: string(pinned)}); m.SupersededBy == nil || *m.SupersededBy != a.Items[0].Memory.ID {
		t.Errorf("the other memory is superseded by %v", m.SupersededBy)
	}
	if m := c.show(memory.ShowRequest{ID: string(a.Items[0].Memory.ID)}); !m.Pinned {
		t.Error("the pin is lost")
	}
	c.expectPoints("after the merge")
	must.Get(c.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo}))(t)
	if c.read("MEMORY.md") != withPin || c.read("memory/2026-11-20.md") != daily {
		t.Errorf("after undo:\n%s\n%s", c.read("MEMORY.md"), c.read("memory/2026-11-20.md"))
	}
	if m := c.show(memory.ShowRequest{ID: string(pinned)}); !m.Pinned || m.SupersededBy != nil {
		t.Errorf("after undo: %+v", m.Memory)
	}
}
