package recall_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// TestTriggersMatchWords compares prompts with the trigger of a memory that is far below
// the floor.
func TestTriggersMatchWords(t *testing.T) {
	for _, tt := range []struct {
		name, phrase, prompt string
		want                 bool
	}{
		{"a word", "deploy", "Please deploy it now", true},
		{"case and marks", "Deploy!", "shall we DEPLOY, today?", true},
		{"a part of a word", "deploy", "The deployment is over", false},
		{"a word with an underscore", "on_call", "Who is on_call this week?", true},
		{"letters of any script", "résumé", "Send my Résumé to them", true},
		{"all words, in another order", "network safety", "About the safety of our network", true},
		{"one of two words", "network safety", "About the safety of children", false},
		{"four of five words", "gateway setup of network safety", "A gateway setup of network cables", true},
		{"three of five words", "gateway setup of network safety", "A gateway setup of cables", false},
		{"a single letter is no word", "x", "Solve for x please", false},
		{"no word", "!?", "Really!? Tell me more", false},
		{"small talk with a trigger", "ok", "ok", true},
		{"another message", "deploy", "How are the tomatoes?", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := &fakeSource{triggers: map[memory.ID][]string{"called": {"never said", tt.phrase}}}
			src.add("called", 0.01, "Keep the gateway on loopback")
			got, _ := mustRecall(t, newRecaller(src), recall.Prompt{Text: tt.prompt})
			if found := len(got.Hits) == 1; found != tt.want {
				t.Errorf("injected = %t", found)
			}
		})
	}
}

// TestTriggersCallForThreeAtMost has five memories with the same trigger, no other answer,
// and one that may not be injected in each way.
func TestTriggersCallForThreeAtMost(t *testing.T) {
	src := &fakeSource{triggers: map[memory.ID][]string{}}
	call := func(id, phrase string, change ...func(*memory.Memory)) {
		src.add(id, 0, "Note "+id+" on the gateway", change...)
		delete(src.text, memory.ID(id)) // no lane finds it
		delete(src.vector, memory.ID(id))
		src.triggers[memory.ID(id)] = []string{phrase}
	}
	call("3", "deploy", inFile("c.md"))
	call("1", "deploy", inFile("a.md"), tier(memory.TierCold))
	call("2", "deploy", inFile("b.md"), tier(memory.TierCold))
	call("4", "deploy", inFile("d.md"))
	call("best", "deploy friday", inFile("z.md"), tier(memory.TierCold))
	call("forgotten", "deploy friday", forgotten)
	call("private", "deploy friday", func(m *memory.Memory) { m.Private = true })
	call("quarantined", "deploy friday", trust(memory.TrustQuarantined))
	call("untrusted", "deploy friday", trust(memory.TrustUntrusted))
	call("archived", "deploy friday", tier(memory.TierArchive))
	call("in prompt", "deploy friday", inFile("MEMORY.md"))
	call("superseded", "deploy friday", func(m *memory.Memory) { m.SupersededBy = &m.ID })
	src.add("answer", 0.9, "We deploy from the tower")
	limit := 4
	got, _ := mustRecall(t, newRecaller(src), recall.Prompt{Text: "Do we deploy on Friday?", MaxItems: &limit, InPrompt: []string{"MEMORY.md"}})
	wantIDs(t, got.Hits, "best", "1", "2", "answer")
}
