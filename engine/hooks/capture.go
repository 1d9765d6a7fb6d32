package hooks

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/clients"
)

// maxTurn bounds the messages of a turn that has not ended.
const maxTurn = 64

// endedTurn is a turn that waits for capture. Its fields are on the disk, so that a killed
// service captures it after its next start. They contain no text.
type endedTurn struct {
	Client     string `json:"client"`
	Session    string `json:"session"` // of the client
	Key        string `json:"key"`     // of the session
	Workspace  string `json:"workspace,omitempty"`
	Folder     string `json:"folder,omitempty"`
	Transcript string `json:"transcript"`

	noted []memory.CaptureMessage // what hooks were given
}

// say notes a message of the turn, for a client whose transcript cannot be read.
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

// end puts a turn into the queue. Nothing of a subagent is captured.
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
	ended := endedTurn{Client: t.client.Name, Session: t.event.session, Key: t.key, Workspace: t.workspace, Folder: t.event.folder, noted: s.turn}
	s.turn = nil
	t.state.mu.Unlock()
	if len(t.client.Transcripts) > 0 {
		ended.Transcript = t.event.transcript
	}
	if len(ended.noted) == 0 && ended.Transcript == "" {
		return
	}
	t.mu.Lock()
	t.turns = append(t.turns, ended)
	t.saveTurns()
	t.mu.Unlock()
	select {
	case t.due <- struct{}{}:
	default: // already requested
	}
}

// saveTurns saves the turns whose text a transcript has. The caller holds the lock.
func (h *Hooks) saveTurns() {
	waiting := slices.DeleteFunc(slices.Clone(h.turns), func(e endedTurn) bool { return e.Transcript == "" })
	_ = h.state.save("turns", "", waiting) // at worst, a killed service does not capture them
}

// Due receives after the end of a turn. CaptureTurns then has something to do.
func (h *Hooks) Due() <-chan struct{} { return h.due }

// CaptureTurns keeps what is worth keeping of the turns that have ended. What cannot be
// written now is left to the next turn of the session, which reads the transcript again.
func (h *Hooks) CaptureTurns(ctx context.Context) error {
	h.capturing.Lock()
	defer h.capturing.Unlock()
	var errs []error
	for {
		h.mu.Lock()
		if len(h.turns) == 0 {
			h.mu.Unlock()
			return errors.Join(errs...)
		}
		ended := h.turns[0]
		h.mu.Unlock()
		errs = append(errs, h.captureTurn(ctx, ended))
		if ctx.Err() != nil { // the turn waits for the next start
			return errors.Join(errs...)
		}
		h.mu.Lock()
		h.turns = h.turns[1:]
		h.saveTurns()
		h.mu.Unlock()
	}
}

// captureTurn captures a turn from its transcript, or else from what hooks were given.
func (h *Hooks) captureTurn(ctx context.Context, e endedTurn) error {
	messages, next := h.transcribed(e)
	if len(messages) == 0 {
		messages = e.noted
	}
	if len(messages) == 0 {
		return nil
	}
	_, err := h.backend.Capture(ctx, memory.CaptureRequest{Messages: messages, Workspace: e.Workspace, Folder: e.Folder,
		Session: e.Key, Agent: e.Client, Sender: memory.Sender{User: memory.OwnerIdentity}})
	if err != nil || next == 0 {
		return err
	}
	h.state.mu.Lock()
	defer h.state.mu.Unlock()
	s := h.state.session(e.Key)
	s.Transcript, s.Place = e.Transcript, next
	return h.state.save("session", e.Key, s)
}

// transcribed returns what the transcript of a turn has that is not captured, and the place
// after it. It has nothing of a file that cannot be read, or that is not in a folder of the client.
func (h *Hooks) transcribed(e endedTurn) (messages []memory.CaptureMessage, next int64) {
	if e.Transcript == "" {
		return nil, 0
	}
	h.state.mu.Lock()
	place := int64(0)
	if s := h.state.session(e.Key); s.Transcript == e.Transcript {
		place = s.Place
	}
	h.state.mu.Unlock()
	said, next, err := clients.ReadTurn(h.folders(clients.Named(e.Client)), e.Transcript, e.Session, place)
	if err != nil {
		return nil, 0
	}
	for _, m := range said {
		text := m.Text
		if m.Role == "user" {
			text = ownWords(text)
		}
		if text != "" {
			messages = append(messages, memory.CaptureMessage{Key: m.Key, Role: m.Role, Content: memory.MessageContent(text), At: m.At})
		}
	}
	return messages, next
}
