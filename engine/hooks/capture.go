package hooks

import (
	"context"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
)

// maxTurn bounds the messages of a turn that has not ended.
const maxTurn = 64

// say notes a message of the turn, so that its end needs no transcript of the client.
func (t *turn) say(role, text string) {
	if text == "" {
		return
	}
	t.state.mu.Lock()
	defer t.state.mu.Unlock()
	s := t.state.session(t.key)
	s.turn = append(s.turn, memory.CaptureMessage{Role: role, Content: memory.MessageContent(text), At: t.now().Format(time.RFC3339)})
	s.turn = s.turn[max(0, len(s.turn)-maxTurn):]
}

// end puts the messages of a turn into the queue. Nothing of a subagent is captured.
func (t *turn) end() {
	if t.event.agent != "" {
		return
	}
	t.state.mu.Lock()
	said := len(t.state.session(t.key).turn)
	t.state.mu.Unlock()
	if said == 0 { // the service has started since, or the client has told everything now
		t.say("user", ownWords(t.event.prompt))
	}
	t.say("assistant", t.event.response)
	t.state.mu.Lock()
	s := t.state.session(t.key)
	messages := s.turn
	s.turn = nil
	t.state.mu.Unlock()
	if len(messages) == 0 {
		return
	}
	t.mu.Lock()
	t.turns = append(t.turns, memory.CaptureRequest{Messages: messages, Workspace: t.workspace, Folder: t.event.folder,
		Session: t.key, Agent: t.client.Name, Sender: memory.Sender{User: memory.OwnerIdentity}})
	t.mu.Unlock()
	select {
	case t.due <- struct{}{}:
	default: // already requested
	}
}

// Due receives after the end of a turn. CaptureTurns then has something to do.
func (h *Hooks) Due() <-chan struct{} { return h.due }

// CaptureTurns keeps what is worth keeping of the turns that have ended. What cannot be
// written now is dropped: a hook is asked again with the next turn alone.
func (h *Hooks) CaptureTurns(ctx context.Context) error {
	h.mu.Lock()
	turns := h.turns
	h.turns = nil
	h.mu.Unlock()
	var errs []error
	for _, r := range turns {
		_, err := h.backend.Capture(ctx, r)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
