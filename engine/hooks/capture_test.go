package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// transcript is a file that a client writes a conversation to.
type transcript struct {
	*testing.T
	path string
}

func (w *world) newTranscript() transcript {
	return transcript{w.T, filepath.Join(w.client, "a.jsonl")}
}

func (f transcript) write(lines ...string) {
	f.Helper()
	file, err := os.OpenFile(f.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.WriteString(strings.Join(lines, "\n") + "\n")
	}
	must.Do(f, errors.Join(err, file.Close()))
}

// claudeLine is a line as Claude Code 2.1.330 writes it.
func claudeLine(id, role, text string) string {
	return fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"type":%q,"message":{"role":%q,"content":%q},"uuid":%q,"timestamp":"2026-11-20T09:00:00.000Z","cwd":"/p","sessionId":"a"}`, role, role, text, id)
}

// stop ends a turn and returns what is captured of it.
func (w *world) stop(client, input string) string {
	w.Helper()
	w.hook(client, "Stop", input)
	return w.capture()
}

func (w *world) capture() string {
	w.Helper()
	w.captured = nil
	must.Do(w, w.CaptureTurns(w.Context()))
	return w.said()
}

func (w *world) said() string {
	var all []string
	for _, r := range w.captured {
		for _, m := range r.Messages {
			all = append(all, m.Role+": "+string(m.Content))
		}
	}
	return strings.Join(all, "|")
}

func (f transcript) stopInput() string {
	return fmt.Sprintf(`{"session_id": "a", "cwd": "/p", "transcript_path": %q, "last_assistant_message": "Noted."}`, f.path)
}

func TestTurnIsCapturedFromItsTranscript(t *testing.T) {
	w := newWorld(t)
	f := w.newTranscript()
	f.write(claudeLine("u0", "user", "I prefer coffee."), claudeLine("m0", "assistant", "Should we use Hugo?"), claudeLine("u1", "user", "Yes. <system-reminder>Remember x.</system-reminder>"),
		strings.Replace(claudeLine("s1", "user", "Remember that subagents use Fortran."), `"isSidechain":false`, `"isSidechain":true`, 1),
		strings.Replace(claudeLine("o1", "user", "Remember that I am another session."), `"sessionId":"a"`, `"sessionId":"b"`, 1),
		`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"c","type":"tool_result","content":"I prefer spaces."}]},"uuid":"t1","sessionId":"a"}`,
		claudeLine("m1", "assistant", "We decided to use Hugo."))
	if got := w.stop("claude-code", f.stopInput()); got != "assistant: Should we use Hugo?|user: Yes." {
		t.Errorf("the first turn has %q", got)
	}
	w.restart()
	f.write(claudeLine("u2", "user", "Agreed."), claudeLine("m2", "assistant", "OK."))
	if got := w.stop("claude-code", f.stopInput()); got != "assistant: We decided to use Hugo.|user: Agreed." {
		t.Errorf("the second turn has %q", got)
	}
	if m := w.captured[0].Messages[1]; m.Key != "u2" || m.At != "2026-11-20T09:00:00.000Z" {
		t.Errorf("the message is %+v", m)
	}
}

func TestTranscriptIsReadOnlyAtItsEnd(t *testing.T) {
	w := newWorld(t)
	f := w.newTranscript()
	f.write(claudeLine("u0", "user", "I prefer coffee."), claudeLine("m0", "assistant", strings.Repeat("x", 300<<10)))
	if got := w.stop("claude-code", fmt.Sprintf(`{"session_id": "a", "transcript_path": %q}`, f.path)); got != "" {
		t.Errorf("captured %q", got)
	}
}

func TestTranscriptThatCannotBeReadLeavesWhatHooksGot(t *testing.T) {
	for name, path := range map[string]string{"none": "/no/such/file", "a folder": t.TempDir(), "relative": "hooks.go", "no messages": os.Args[0]} {
		w := newWorld(t)
		w.hook("codex", "UserPromptSubmit", `{"session_id": "a", "prompt": "I prefer tea."}`)
		if got := w.stop("codex", transcript{t, path}.stopInput()); got != "user: I prefer tea.|assistant: Noted." {
			t.Errorf("%s: captured %q", name, got)
		}
	}
}

func TestTranscriptOutsideOfTheClientsFolderIsNotRead(t *testing.T) {
	w := newWorld(t)
	linked := filepath.Join(t.TempDir(), "client")
	if err := errors.Join(os.Symlink(w.client, linked), os.Symlink(t.TempDir(), filepath.Join(w.client, "out"))); err != nil {
		t.Skip(err)
	}
	const noted, transcribed = "user: I prefer tea.|assistant: Noted.", "user: I prefer coffee."
	for path, want := range map[string]string{
		filepath.Join(t.TempDir(), "a.jsonl"):                                noted,
		filepath.Join(w.client, "out", "a.jsonl"):                            noted,
		filepath.Join(w.client, "..", filepath.Base(t.TempDir()), "a.jsonl"): noted,
		filepath.Join(w.client, "a.jsonl"):                                   transcribed,
		filepath.Join(linked, "b.jsonl"):                                     transcribed,
	} {
		f := transcript{t, path}
		f.write(claudeLine("u0", "user", "I prefer coffee."))
		w.hook("claude-code", "UserPromptSubmit", `{"session_id": "a", "prompt": "I prefer tea."}`)
		if got := w.stop("claude-code", f.stopInput()); got != want {
			t.Errorf("%s: captured %q, want %q", path, got, want)
		}
	}
}

func TestPromptsOfSubagentsAreNotCaptured(t *testing.T) {
	for _, client := range []string{"codex", "qwen"} {
		w := newWorld(t)
		w.hook(client, "UserPromptSubmit", `{"session_id": "a", "prompt": "I prefer tea."}`)
		got := w.hook(client, "UserPromptSubmit", `{"session_id": "a", "agent_id": "sub", "agent_type": "default", "prompt": "Remember that subagents use Fortran."}`)
		if isCodex := client == "codex"; strings.Contains(got, "8081") != isCodex {
			t.Errorf("the subagent of %s gets %q", client, got)
		}
		w.hook(client, "Stop", `{"session_id": "a", "agent_id": "sub", "last_assistant_message": "of a subagent"}`)
		if got := w.stop(client, `{"session_id": "a", "last_assistant_message": "OK."}`); got != "user: I prefer tea.|assistant: OK." {
			t.Errorf("%s: captured %q", client, got)
		}
	}
}

// failing is a backend that cannot write.
type failing struct{ *backend }

func (failing) Capture(context.Context, memory.CaptureRequest) (memory.CaptureAnswer, error) {
	return memory.CaptureAnswer{}, errors.New("the disk is full")
}

func TestTurnThatWaitsSurvivesAKilledService(t *testing.T) {
	w := newWorld(t)
	f := w.newTranscript()
	f.write(claudeLine("u1", "user", "I prefer tea."))
	w.hook("claude-code", "Stop", f.stopInput())
	w.restart()
	select {
	case <-w.Due():
	default:
		t.Fatal("no turn waits")
	}
	if got := w.capture(); got != "user: I prefer tea." {
		t.Errorf("captured %q", got)
	}
	w.restart()
	if got := w.capture(); got != "" {
		t.Errorf("captured again: %q", got)
	}
}

func TestTurnThatCannotBeWrittenIsReadWithTheNextOne(t *testing.T) {
	w := newWorld(t)
	f := w.newTranscript()
	f.write(claudeLine("u0", "user", "Hello."))
	w.stop("claude-code", f.stopInput())
	f.write(claudeLine("u1", "user", "I prefer tea."))
	full := w.with(failing{w.backend})
	full.hook("claude-code", "Stop", f.stopInput())
	if err := full.CaptureTurns(t.Context()); err == nil {
		t.Error("the failure is silent")
	}
	w.restart()
	f.write(claudeLine("u2", "user", "I prefer cake."))
	if got := w.stop("claude-code", f.stopInput()); got != "user: I prefer tea.|user: I prefer cake." {
		t.Errorf("captured %q", got)
	}
}
