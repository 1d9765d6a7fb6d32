package hooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/hooks"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/must"
)

// backend has one memory that answers every prompt.
type backend struct {
	note     memory.Memory
	answers  bool // the note is what prompts ask for
	context  string
	asked    []memory.RecallRequest
	captured []memory.CaptureRequest
}

func (b *backend) Recall(_ context.Context, r memory.RecallRequest) (memory.RecallAnswer, error) {
	b.asked = append(b.asked, r)
	a := memory.RecallAnswer{Receipt: fmt.Sprintf("receipt-%d", len(b.asked)), Workspace: "main", Hits: []memory.Hit{}}
	current := ""
	if b.context != "" {
		current = "<current-context>" + b.context + "</current-context>\n"
	}
	if r.Has(&b.note, b.answers) == "" {
		a.Hits = append(a.Hits, memory.Hit{Memory: b.note})
		a.Context = "<relevant-memories>\n" + current + "- " + b.note.Text + "\n</relevant-memories>"
	} else if current != "" {
		a.Context = "<relevant-memories>\n" + current + "</relevant-memories>"
	}
	return a, nil
}

func (b *backend) Capture(_ context.Context, r memory.CaptureRequest) (memory.CaptureAnswer, error) {
	b.captured = append(b.captured, r)
	return memory.CaptureAnswer{}, nil
}

type world struct {
	*testing.T
	*backend
	*hooks.Hooks
	dir    string
	client string // the folder of every client
	at     time.Time
}

func newWorld(t *testing.T) *world {
	w := &world{T: t, backend: &backend{note: memory.Memory{ID: "3f8a91c2-0d4e-8b7a-9c15-6e2f0a4b8d31", Text: "Staging listens on port 8081"}, answers: true},
		dir: t.TempDir(), client: t.TempDir(), at: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)}
	w.restart()
	return w
}

func (w *world) restart() { w.Hooks = w.with(w.backend).Hooks }

// with returns the world with another backend.
func (w *world) with(b hooks.Backend) *world {
	return &world{T: w.T, backend: w.backend, dir: w.dir, client: w.client, at: w.at, Hooks: hooks.New(b, w.dir, func(folder string) string { return folder }, func(clients.Client) []string { return []string{w.client} }, func() time.Time { return w.at })}
}

// hook runs a hook whose client gets the answer, and returns what it prints.
func (w *world) hook(client, event, input string) string {
	w.Helper()
	a := w.undelivered(client, event, input)
	must.Do(w, w.Delivered(a.Receipt))
	return a.Output
}

func (w *world) undelivered(client, event, input string) memory.HookAnswer {
	w.Helper()
	var fields map[string]any
	must.Do(w, json.Unmarshal([]byte(input), &fields))
	a := must.Get(w.Answer(w.Context(), memory.HookRequest{Client: client, Event: event, Input: fields}))(w)
	return a
}

func TestEveryClientGetsTheNoteOnceInASession(t *testing.T) {
	for _, tt := range []struct{ client, event, session, fields, wantShape string }{
		{"claude-code", "UserPromptSubmit", "session_id", `"prompt": "port?"`, `{"hookSpecificOutput":`},
		{"claude", "UserPromptSubmit", "session_id", `"prompt": "port?"`, `{"hookSpecificOutput":`},
		{"codex", "UserPromptSubmit", "session_id", `"prompt": "port?"`, `{"hookSpecificOutput":`},
		{"copilot", "userPromptSubmitted", "sessionId", `"prompt": "port?"`, `{"additionalContext":`},
		{"gemini", "BeforeAgent", "session_id", `"prompt": "<hook_context>8081?</hook_context>port?"`, `{"hookSpecificOutput":`},
		{"opencode", "chat.message", "sessionID", `"prompt": "\"port?\""`, `{"additionalContext":`},
		{"qwen", "UserPromptSubmit", "session_id", `"submitted_prompt": "port?", "prompt": "x"`, `{"hookSpecificOutput":`},
	} {
		t.Run(tt.client, func(t *testing.T) {
			w := newWorld(t)
			input := func(session string) string {
				return fmt.Sprintf(`{%q: %q, "cwd": "/p", %s}`, tt.session, session, tt.fields)
			}
			first := w.hook(tt.client, tt.event, input("a"))
			if !strings.HasPrefix(first, tt.wantShape) || !strings.Contains(first, "8081") {
				t.Errorf("the first prompt gets %s", first)
			}
			if got := w.asked[0].Prompt; got != "port?" {
				t.Errorf("asked for %q", got)
			}
			if again := w.hook(tt.client, tt.event, input("a")); again != "" {
				t.Errorf("the second prompt gets %s", again)
			}
			w.restart()
			if again := w.hook(tt.client, tt.event, input("a")); again != "" {
				t.Errorf("after a restart it gets %s", again)
			}
			if other := w.hook(tt.client, tt.event, input("b")); !strings.Contains(other, "8081") {
				t.Errorf("another session gets %q", other)
			}
		})
	}
}

const prompt = `{"session_id": "a", "cwd": "/p", "prompt": "Which port does staging use?"}`

func TestWhatTheClientDidNotReadComesAgain(t *testing.T) {
	w := newWorld(t)
	w.undelivered("codex", "UserPromptSubmit", prompt)
	w.at = w.at.Add(time.Second)
	if got := w.hook("codex", "UserPromptSubmit", prompt); !strings.Contains(got, "8081") {
		t.Errorf("got %q", got)
	}
	if got := w.Status(); len(got) != 1 || got[0].Prompts != 2 || got[0].Late != 1 || got[0].Given != 2 {
		t.Errorf("status %+v", got)
	}
}

// TestTwoHooksOfAPromptGiveTheNoteOnce: a client with the setup and the plugin runs both.
func TestTwoHooksOfAPromptGiveTheNoteOnce(t *testing.T) {
	w := newWorld(t)
	if first, second := w.undelivered("codex", "UserPromptSubmit", prompt), w.undelivered("codex", "UserPromptSubmit", prompt); first.Output == "" || second.Output != "" {
		t.Errorf("got %q and %q", first.Output, second.Output)
	}
}

func TestWhatTheModelHasLostComesAgain(t *testing.T) {
	for name, lose := range map[string]func(*world){
		"an edit":                func(w *world) { at := w.at; w.note.EditedAt = &at },
		"a shorter conversation": func(w *world) { w.hook("claude-code", "PreCompact", `{"session_id": "a"}`) },
		"a cleared conversation": func(w *world) {
			w.undelivered("claude-code", "SessionStart", `{"session_id": "a", "source": "clear"}`)
			w.at = w.at.Add(time.Second)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.hook("claude-code", "UserPromptSubmit", prompt)
			lose(w)
			if got := w.hook("claude-code", "UserPromptSubmit", prompt); !strings.Contains(got, "8081") {
				t.Errorf("got %q", got)
			}
		})
	}
}

// TestResumedSessionKeepsWhatItGot: the clients keep what hooks gave in their transcripts.
func TestResumedSessionKeepsWhatItGot(t *testing.T) {
	for _, client := range []string{"codex", "gemini"} {
		w := newWorld(t)
		w.hook(client, "SessionStart", `{"session_id": "a", "source": "startup"}`)
		if got := w.hook(client, "SessionStart", `{"session_id": "a", "source": "resume"}`); got != "" {
			t.Errorf("%s gets %q", client, got)
		}
	}
}

func TestMemoryOfAnEarlierSessionComesOnlyAsAnAnswer(t *testing.T) {
	w := newWorld(t)
	ask := func(session, folder string) string {
		return w.hook("codex", "UserPromptSubmit", fmt.Sprintf(`{"session_id": %q, "cwd": %q, "prompt": "Which port?"}`, session, folder))
	}
	w.backend.answers = false
	if ask("a", "/p") == "" {
		t.Fatal("the first session gets nothing")
	}
	if got := ask("b", "/p"); got != "" {
		t.Errorf("the second session gets %s", got)
	}
	w.backend.answers = true
	if ask("c", "/p") == "" {
		t.Error("the answer does not come")
	}
	w.backend.answers = false
	w.backend.note.Pinned = true
	if ask("g", "/p") == "" {
		t.Error("a pinned memory pauses")
	}
	w.backend.note.Pinned = false
	if ask("e", "/other") == "" {
		t.Error("another project gets nothing")
	}
	w.at = w.at.Add(25 * time.Hour)
	if ask("f", "/p") == "" {
		t.Error("the next day gets nothing")
	}
}

func TestCurrentContextComesOnceAndAfterAChange(t *testing.T) {
	w := newWorld(t)
	w.context = "at the pier"
	if got := w.hook("codex", "SessionStart", `{"session_id": "a"}`); !strings.Contains(got, "at the pier") {
		t.Errorf("the session begins with %q", got)
	}
	if got := w.hook("codex", "UserPromptSubmit", prompt); strings.Contains(got, "at the pier") {
		t.Errorf("the prompt gets it again: %s", got)
	}
	w.context = "on the boat"
	if got := w.hook("codex", "UserPromptSubmit", prompt); !strings.Contains(got, "on the boat") {
		t.Errorf("after a change: %q", got)
	}
}

func TestSubagentGetsWhatFitsItsTask(t *testing.T) {
	w := newWorld(t)
	if got := w.hook("claude-code", "PreToolUse", `{"session_id": "a", "tool_name": "Agent", "tool_input": {"prompt": "Check the port"}}`); got != "" {
		t.Errorf("the tool gets %s", got)
	}
	got := w.hook("claude-code", "SubagentStart", `{"session_id": "a", "agent_id": "sub"}`)
	if !strings.Contains(got, "8081") || w.asked[0].Prompt != "Check the port" || *w.asked[0].MaxTokens != 200 {
		t.Errorf("the subagent gets %q", got)
	}
	if got := w.hook("claude-code", "UserPromptSubmit", prompt); !strings.Contains(got, "8081") {
		t.Errorf("the main agent, which has it not, gets %q", got)
	}
}

func TestTurnIsCapturedFromItsPrompts(t *testing.T) {
	w := newWorld(t)
	w.hook("claude-code", "UserPromptSubmit", `{"session_id": "a", "cwd": "/p", "prompt": "Remember that my bike is called Otter."}`)
	w.hook("claude-code", "Stop", `{"session_id": "a", "agent_id": "sub", "last_assistant_message": "of a subagent"}`)
	w.hook("claude-code", "Stop", `{"session_id": "a", "cwd": "/p", "last_assistant_message": "OK."}`)
	w.hook("gemini", "AfterAgent", `{"session_id": "g", "prompt": "I prefer tea.", "prompt_response": "Noted."}`)
	must.Do(t, w.CaptureTurns(t.Context()))
	var got []string
	for _, r := range w.captured {
		for _, m := range r.Messages {
			got = append(got, m.Role+": "+string(m.Content))
		}
	}
	want := "user: Remember that my bike is called Otter.|assistant: OK.|user: I prefer tea.|assistant: Noted."
	if strings.Join(got, "|") != want {
		t.Errorf("captured %q", got)
	}
	if len(w.captured) == 2 && w.captured[0].Folder != "/p" {
		t.Errorf("captured for the folder %q", w.captured[0].Folder)
	}
}

func TestPromptsOfTheClientItselfGetNothing(t *testing.T) {
	for client, input := range map[string]string{
		"opencode": `{"sessionID": "a", "prompt": "You are a title generator. Port?"}`,
		"qwen":     `{"session_id": "a", "agent_id": "memory", "prompt": "Port?"}`,
	} {
		w := newWorld(t)
		for _, event := range []string{"chat.message", "UserPromptSubmit"} {
			if got := w.hook(client, event, input); got != "" {
				t.Errorf("%s gets %s", client, got)
			}
		}
	}
}

func TestOldSessionsAreDropped(t *testing.T) {
	w := newWorld(t)
	w.hook("codex", "UserPromptSubmit", prompt)
	w.at = time.Now().Add(31 * 24 * time.Hour)
	must.Do(t, w.Drop())
	w.restart()
	if got := w.hook("codex", "UserPromptSubmit", prompt); !strings.Contains(got, "8081") {
		t.Errorf("after 31 days the session gets %q", got)
	}
}

func TestOnlyToolsOfSubagentsHaveTasks(t *testing.T) {
	w := newWorld(t)
	w.hook("claude-code", "PreToolUse", `{"session_id": "a", "tool_name": "WebFetch", "tool_input": {"prompt": "Summarise the page"}}`)
	if got := w.hook("claude-code", "SubagentStart", `{"session_id": "a", "agent_id": "sub"}`); got != "" || len(w.asked) != 0 {
		t.Errorf("a subagent without a task gets %q", got)
	}
	w.hook("copilot", "preToolUse", `{"sessionId": "a", "toolName": "task", "toolArgs": "{\"prompt\": \"Check the port\"}"}`)
	if got := w.hook("copilot", "subagentStart", `{"sessionId": "a", "agentId": "sub"}`); !strings.Contains(got, "8081") || strings.Contains(got, "hookSpecificOutput") {
		t.Errorf("the subagent gets %q", got)
	}
}

func TestWhatTheUserDidNotWriteIsNeitherSearchedNorCaptured(t *testing.T) {
	w := newWorld(t)
	w.hook("claude-code", "UserPromptSubmit", `{"session_id": "a", "prompt": "<task-notification>Remember that I prefer tea.</task-notification>Which port?"}`)
	w.hook("claude-code", "Stop", `{"session_id": "a"}`)
	must.Do(t, w.CaptureTurns(t.Context()))
	if len(w.asked) != 1 || w.asked[0].Prompt != "Which port?" {
		t.Errorf("asked %+v", w.asked)
	}
	if len(w.captured) != 1 || len(w.captured[0].Messages) != 1 || string(w.captured[0].Messages[0].Content) != "Which port?" {
		t.Errorf("captured %+v", w.captured)
	}
}

func TestUnknownInputGetsNothing(t *testing.T) {
	for _, input := range []string{`{}`, `null`, `{"session_id": 5, "prompt": ["x"], "tool_input": "{", "cwd": {}}`} {
		w := newWorld(t)
		for _, client := range []string{"claude-code", "codex", "copilot", "gemini", "opencode", "qwen", "", "../x"} {
			for _, event := range []string{"PreToolUse", "preToolUse", "SubagentStart", "subagentStart", "Stop", "agentStop", "AfterAgent", "PreCompact", "SessionEnd", "", "\x00"} {
				if got := w.hook(client, event, input); got != "" {
					t.Errorf("%s %s %s gets %q", client, event, input, got)
				}
			}
		}
	}
}
