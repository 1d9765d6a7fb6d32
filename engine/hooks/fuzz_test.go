package hooks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/hooks"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/must"
)

// FuzzAnswer gives each client's hooks any object. A hook never fails, and prints nothing
// or JSON.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{`{"session_id":"a","cwd":"/p","prompt":"port?"}`, `{"sessionId":"a","transcriptPath":"../x","prompt":"\"q\"","source":"compact"}`,
		`{"session_id":"a","tool_name":"Task","tool_input":{"prompt":"x"},"agent_id":"b"}`, `{"toolName":"task","toolArgs":"{\"prompt\":\"x\"}"}`, `{"prompt":["a"],"session_id":{"a":1}}`,
		`{"prompt":"<system-reminder>a</system-reminder>b<hook_context>c"}`, `{}`, `null`, `{"last_assistant_message":"ok","prompt":"` + "```x```" + `"}`} {
		for i := range 7 {
			f.Add([]byte(seed), uint8(i), uint8(i))
		}
	}
	all := clients.All()
	f.Fuzz(func(t *testing.T, input []byte, client, event uint8) {
		var fields map[string]any
		if json.Unmarshal(input, &fields) != nil {
			return
		}
		w := newWorld(t)
		c := all[int(client)%len(all)]
		r := memory.HookRequest{Client: c.Name, Input: fields, Event: "none"}
		if len(c.Events) > 0 {
			r.Event = c.Events[int(event)%len(c.Events)].Key
		}
		for range 2 {
			a, err := w.Answer(t.Context(), r)
			if err != nil || a.Output != "" && !json.Valid([]byte(a.Output)) {
				t.Fatalf("%s, %s, %s: %q, %v", c.Name, r.Event, input, a.Output, err)
			}
			must.Do(t, w.Delivered(a.Receipt))
		}
		must.Do(t, w.CaptureTurns(t.Context()))
	})
}

// FuzzOwnWords: what a host puts into a prompt does not change what the user asks. A text
// without blocks stays as it is.
func FuzzOwnWords(f *testing.F) {
	f.Add("Which port does", "the memory is 8081", "staging use?", uint8(0))
	f.Add("a\n", "```\nx\n```", "\nb", uint8(4))
	f.Add("", "</other>", "", uint8(7))
	f.Fuzz(func(t *testing.T, before, inside, after string, at uint8) {
		tags := hooks.Blocks()
		tag := tags[int(at)%len(tags)]
		if strings.ContainsAny(before+after, "<`\"") || strings.Contains(inside, "<") {
			return
		}
		want := strings.TrimSpace(before + after)
		if got := hooks.OwnWords(before + after); got != want {
			t.Fatalf("%q becomes %q", before+after, got)
		}
		if got := hooks.OwnWords(before + "<" + tag + ">" + inside + "</" + tag + ">" + after); got != want {
			t.Fatalf("%q and %q around %s become %q", before, after, tag, got)
		}
		if got := hooks.OwnWords(hooks.OwnWords(inside)); got != hooks.OwnWords(inside) {
			t.Fatalf("%q becomes %q, and then %q", inside, hooks.OwnWords(inside), got)
		}
	})
}
