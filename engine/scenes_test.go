package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/knowledge"
)

// scenesOf returns the scenes that a request gets, and their JSON.
func (c *captureWorld) scenesOf(r memory.ListRequest) (knowledge.ScenesAnswer, string) {
	c.t.Helper()
	a := must.Get(c.Scenes(c.t.Context(), r))(c.t)
	text := must.Get(json.Marshal(a))(c.t)
	return a, string(text)
}

// checkScenes checks that each reader's scenes have the words of what the reader may list, and
// no others, whatever happened to the memories before. Each memory has a word of its own.
func (c *captureWorld) checkScenes(words []string) {
	c.t.Helper()
	for _, r := range []memory.ListRequest{{}, {For: memory.AudienceModel}, {Sender: memory.Sender{User: "lena"}},
		{Sender: memory.Sender{User: "ben"}, For: memory.AudienceModel}} {
		r.Properties = true
		listed := strings.Join(memory.TextsOf(c.list(r)), "\n")
		a, text := c.scenesOf(r)
		for _, word := range words {
			if strings.Contains(text, word) && !strings.Contains(listed, word) {
				c.t.Errorf("the scenes for %q %+v have %s, which the reader may not list", r.For, r.Sender, word)
			}
		}
		for _, s := range a.Scenes {
			r.Scene = s.ID
			if got := c.list(r); len(got) != s.Memories {
				c.t.Errorf("%s for %q %+v has %d memories, and its list %d", s.Title, r.For, r.Sender, s.Memories, len(got))
			}
		}
	}
}

func TestNoSceneHasAWordOfAHiddenMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(1, uint64(property.Number(1<<30))))
	marks := []string{"", "", "", " <!-- private: true -->", " <!-- user: lena -->", " <!-- user: ben -->", " <!-- trust: untrusted -->", " <!-- trust: quarantined -->",
		" <!-- expires: 2024-01-01 -->", " <!-- tier: archive -->", " <!-- forgotten: true -->"}
	files, words := map[string]string{}, []string(nil)
	for i := range 60 {
		word := fmt.Sprintf("w%cq%cz", 'a'+i/26, 'a'+i%26)
		words = append(words, word)
		path := []string{"memory/house.md", "memory/2026-03-12.md", "memory/2026-03-20.md", capturedFile}[random.IntN(4)]
		files[path] += fmt.Sprintf("- %s is what Ada of the harbour said%s\n", word, marks[random.IntN(len(marks))])
	}
	c := newCaptureWorld(t, files, func(o *engine.Options) { o.Identities = family })
	c.checkScenes(words)
	for range 12 {
		all := c.list(memory.ListRequest{})
		r := decideRequest([]memory.Action{memory.ActionForget, memory.ActionDestroy, memory.ActionArchive}[random.IntN(3)], all[random.IntN(len(all))].ID)
		r.Confirm = r.Action == memory.ActionDestroy
		c.decide(r)
		c.checkScenes(words)
	}
}

// A sentence leaves the extract with its memory, in the same moment, and comes back with it.
func TestExtractFollowsItsMemories(t *testing.T) {
	c := newCaptureWorld(t, map[string]string{"memory/house.md": "# House\n\n- The roof is slate\n- The roof leaks in the north\n- The carpenter repairs the roof in May\n"})
	for _, action := range []memory.Action{memory.ActionForget, memory.ActionRestore, memory.ActionDestroy} {
		r := decideRequest(action, c.idOf("The roof leaks in the north"))
		r.Confirm = action == memory.ActionDestroy
		before, had := c.scenesOf(memory.ListRequest{})
		if strings.Contains(had, "leaks") == (action == memory.ActionRestore) {
			t.Errorf("before %s: %s", action, had)
		}
		c.decide(r)
		if _, text := c.scenesOf(memory.ListRequest{}); strings.Contains(text, "leaks") != (action == memory.ActionRestore) {
			t.Errorf("after %s: %s", action, text)
		}
		for _, s := range before.Scenes { // what is left of it has the same id
			if a, _ := c.scenesOf(memory.ListRequest{Filter: memory.Filter{Scene: s.ID}}); len(a.Scenes) != 1 {
				t.Errorf("after %s, %s is %d scenes", action, s.ID, len(a.Scenes))
			}
		}
	}
}

// A heading or the name of a file may repeat a forgotten text: no title shows it to a model.
func TestNoTitleRepeatsAForgottenText(t *testing.T) {
	const secret = "The vault code of the ferry office is zq4711"
	c := newCaptureWorld(t, map[string]string{"memory/office.md": "# " + secret + "\n\n- One pier\n- Two piers\n- Three piers\n", "memory/other.md": "- " + secret + "\n"})
	if _, text := c.scenesOf(memory.ListRequest{For: memory.AudienceModel}); !strings.Contains(text, "zq4711") {
		t.Fatal("the heading is no title: " + text)
	}
	c.decide(decideRequest(memory.ActionForget, c.idOf(secret)))
	for _, r := range []memory.ListRequest{{For: memory.AudienceModel}, {}} {
		if a, text := c.scenesOf(r); strings.Contains(text, "zq4711") || len(a.Scenes) != 1 {
			t.Errorf("for %q: %s", r.For, text)
		}
	}
}
