package hooks

import (
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

// maxPrompts is the number of prompts of a client that are counted.
const maxPrompts = 20

// promptRecord is what became of a prompt.
type promptRecord struct {
	at              time.Time
	receipt         string
	given, answered bool
}

func (t *turn) notePrompt(a memory.RecallAnswer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	records := append(t.prompts[t.client.Name], promptRecord{at: t.now(), receipt: a.Receipt, given: len(a.Hits) > 0, answered: a.Receipt == ""})
	t.prompts[t.client.Name] = records[max(0, len(records)-maxPrompts):]
}

// delivered records that a client has read an answer.
func (h *Hooks) delivered(receipt, client string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, r := range h.prompts[client] {
		if r.receipt == receipt {
			h.prompts[client][i].answered = true
		}
	}
}

// Status counts what the last prompts of each client got, since the service started.
func (h *Hooks) Status() (all []memory.HookStatus) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(h.prompts)) {
		s := memory.HookStatus{Client: name}
		for _, r := range h.prompts[name] {
			s.Prompts++
			if s.Last = r.at; r.answered {
				s.Answered++
			} else {
				s.Late++
			}
			if r.given {
				s.Given++
			}
		}
		all = append(all, s)
	}
	return all
}
