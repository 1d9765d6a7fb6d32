package main

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
)

// withheld holds one memory for each reason that keeps a memory from models. Each has a
// word of its own.
var withheld = map[string]string{
	"MEMORY.md": `- The harbour office has a private door code zarquon <!-- private -->
- The harbour office closes at six, says a doubtful page grumbul <!-- trust: quarantined -->
- The harbour office lost its key to the velkrun cellar
- The harbour office opens at nine
`,
	"memory/old.md":     "---\nexpires: 2020-01-01\n---\n- The harbour office is in the old tower fendrik\n",
	"memory/ignored.md": "---\nimportance_label: ignore\n---\n- The harbour office has a green carpet wobbul\n",
	"notes/private.md":  "- The harbour office sends bills late quixor\n", // of a glob with inject: false
}

// withheldWords are the words of the memories that reach no model. velkrun's is
// forgotten.
var withheldWords = []string{"zarquon", "grumbul", "velkrun", "fendrik"}

// askedForWords are those of the memories that reach a model only if it asks for them.
var askedForWords = []string{"wobbul", "quixor"}

// pushedRoutes put memories before a prompt that did not ask for them.
var pushedRoutes = map[string]bool{"POST /v1/recall": true, "POST /v1/hook": true, "GET /v1/files": true}

// modelProbe is a request that could show a withheld memory. In its query and body, ID
// stands for the id of one: it is sent for each of them.
type modelProbe struct {
	query, body string
	status      int // 0: 200, or with an id 404
}

// modelProbes lists, for every route that feeds a model, requests that could show a
// withheld memory.
var modelProbes = map[string][]modelProbe{
	"POST /v1/recall": {{body: `{"prompt":"What about the harbour office?"}`}, {body: `{"prompt":"zarquon grumbul velkrun fendrik wobbul quixor"}`}},
	"POST /v1/hook": {{body: `{"client":"codex","event":"UserPromptSubmit","input":{"prompt":"What about the harbour office?"}}`},
		{body: `{"client":"codex","event":"SessionStart","input":{"session_id":"s"}}`}},
	"POST /v1/search": {{body: `{"query":"harbour office","for":"model","deep":true}`}, {body: `{"query":"harbour office","lane":"text","for":"model"}`},
		{body: `{"query":"harbour office","lane":"vector","for":"model"}`}, {body: `{"query":"harbour office","record":true}`},
		{body: `{"query":"x","for":"model","forgotten":true}`, status: 400}, {body: `{"query":"x","for":"everybody"}`, status: 400}},
	"GET /v1/memories": {{query: "?for=model"}, {query: "?for=model&deep=true&sort=path"}, {query: "?for=model&path=" + url.QueryEscape("memory/**")},
		{query: "?for=model&forgotten=true", status: 400}},
	"POST /v1/memories":               {{body: `{"text":"The harbour office has a private door code zarquon","for":"model"}`, status: 409}},
	"GET /v1/entities":                {{query: "?for=model"}, {query: "?for=model&entity=harbour", status: 404}, {query: "?for=model&forgotten=true", status: 400}},
	"GET /v1/graph":                   {{query: "?for=model&entity=harbour&hops=2", status: 404}, {query: "?for=model&entity=", status: 400}},
	"GET /v1/profile":                 {{query: "?for=model"}, {query: "?for=model&max_tokens=0"}},
	"GET /v1/scenes":                  {{query: "?for=model"}, {query: "?for=model&deep=true&path=" + url.QueryEscape("memory/**")}, {query: "?for=model&forgotten=true", status: 400}},
	"GET /v1/files":                   {{}, {query: "?for=model&path=MEMORY.md&path=memory/old.md&path=memory/ignored.md&path=notes/private.md"}},
	"GET /v1/memories/{id}":           {{query: "?for=model"}},
	"GET /v1/memories/{id}/explain":   {{query: "?for=model"}, {query: "?for=model&query=harbour"}},
	"GET /v1/memories/{id}/why-not":   {{query: "?for=model"}, {query: "?for=model&query=harbour"}, {query: "?for=model&receipt=last"}},
	"POST /v1/memories/{id}/{action}": {{body: `{"for":"model","preview":true}`}},
	"DELETE /v1/memories/{id}":        {{query: "?for=model&preview=true"}},
	"POST /v1/decide": {{body: `{"action":"pin","query":"harbour office","preview":true,"all":true,"for":"model"}`},
		{body: `{"action":"pin","filter":{"path":"**"},"preview":true,"for":"model"}`}, {body: `{"action":"destroy","filter":{"path":"**"},"preview":true,"for":"model"}`},
		{body: `{"action":"forget","ids":["ID"],"preview":true,"for":"model"}`, status: 404}, {body: `{"action":"undo","preview":true,"for":"model"}`, status: 403},
		{body: `{"action":"restore","query":"harbour","preview":true,"all":true,"for":"model"}`, status: 400},
		{body: `{"action":"restore","ids":["ID"],"preview":true,"for":"model"}`}},
	"GET /v1/export":   {{query: "?for=model", status: 403}, {query: "?for=model&with_text=true", status: 403}},
	"POST /v1/import":  {{query: "?for=model", body: "{}", status: 403}},
	"GET /v1/last":     {{query: "?for=model"}},
	"GET /v1/receipts": {{query: "?for=model"}},
	"GET /v1/stats":    {{query: "?for=model"}},
	"POST /v1/verify":  {{body: `{"id":"ID","for":"model"}`, status: 404}, {body: `{"text":"zarquon","for":"model"}`, status: 400}},
}

// alwaysForModels lists the routes that take no "for", because only models read
// their answers.
var alwaysForModels = map[string]bool{"POST /v1/recall": true, "POST /v1/hook": true}

// notForModels lists the other routes, with the reason why they need no "for".
var notForModels = map[string]string{
	"GET /v1/context": "the current context is put before every prompt", "PUT /v1/context": "as GET /v1/context", "DELETE /v1/context": "empty",
	"POST /v1/capture": "texts that the request itself contains", "POST /v1/extract": "texts that the request itself contains", "POST /v1/reload": "names of settings", "POST /v1/doctor": "states and faults, for a person", "POST /v1/index": "counts and faults", "GET /v1/decay": "times and counts", "POST /v1/decay": "ids and tiers, no texts", "POST /v1/grade": "ids and figures, no texts",
	"GET /v1/status": "states and faults, for a person",
	"GET /v1/review": "for a person alone", "POST /v1/review": "for a person alone", "POST /v1/feedback": "for a person alone", "PATCH /v1/memories/{id}": "for a person alone", "POST /v1/snapshots": "for a person alone", "POST /v1/entities": "for a person alone", "POST /v1/ui": "an address",
	"GET /v1/audit":      "ids and states, no texts",
	"GET /v1/workspaces": "names and folders", "POST /v1/workspaces": "a name and a folder", "PATCH /v1/workspaces/{name}": "a name and a folder",
	"DELETE /v1/workspaces/{name}": "a name", "GET /v1/health": "no texts", "GET /v1/openapi.yaml": "no texts", "GET /metrics": "figures",
}

// TestAModelFindsWhatIsNeverPushed asks for the memories of a glob with inject: false, and
// for those with importance_label: ignore.
func TestAModelFindsWhatIsNeverPushed(t *testing.T) {
	dir, state := withheldWorkspace(t)
	withServedRoutes(t, dir, state, func(_ map[string]route, ask asker) {
		for word, place := range map[string]string{"quixor": "notes/private.md", "wobbul": "memory/ignored.md"} {
			var found struct {
				Hits []struct {
					ID, Path  string
					LineStart int `json:"line_start"`
				}
			}
			_, body := ask("POST", "/v1/search", `{"query":"`+word+`","for":"model"}`)
			if err := json.Unmarshal([]byte(body), &found); err != nil || len(found.Hits) == 0 || found.Hits[0].Path != place || found.Hits[0].LineStart == 0 {
				t.Fatalf("a model searches for %s: %s, %v", word, body, err)
			}
			for _, path := range []string{"/v1/memories?for=model", "/v1/memories/" + found.Hits[0].ID + "?for=model", "/v1/memories/" + found.Hits[0].ID + "/explain?for=model"} {
				if status, body := ask("GET", path, ""); status != 200 || !strings.Contains(body, word) {
					t.Errorf("%s lacks %s: %d %s", path, word, status, body)
				}
			}
			if _, body := ask("GET", "/v1/memories/"+found.Hits[0].ID+"/why-not?for=model&query="+word, ""); !strings.Contains(body, `"importance"`) {
				t.Errorf("why-not of %s: %s", word, body)
			}
			if _, body := ask("POST", "/v1/recall", `{"prompt":"What about the `+word+` of the harbour office?"}`); strings.Contains(body, word) {
				t.Errorf("%s is pushed: %s", word, body)
			}
		}
	})
}

func TestNoAnswerForAModelContainsAWithheldMemory(t *testing.T) {
	dir, state := withheldWorkspace(t)
	person := runProgram(t, dir, state, "search", "--json", "--limit", "50", "--forgotten", "harbour office")
	for _, word := range []string{"zarquon", "grumbul", "velkrun", "wobbul", "quixor"} {
		if !strings.Contains(person, word) {
			t.Errorf("a person does not find %s: %s", word, person)
		}
	}
	withServedRoutes(t, dir, state, func(routes map[string]route, ask asker) {
		ids := withheldIDs(t, ask)
		for name, r := range routes {
			probes, known := modelProbes[name]
			if _, exempt := notForModels[name]; known == exempt {
				t.Errorf("%s must be in modelProbes or in notForModels, and not in both", name)
			}
			if known && !r.takes("for") && !alwaysForModels[name] {
				t.Errorf("%s feeds a model and does not take for", name)
			}
			if !known && r.takes("for") {
				t.Errorf("%s takes for and is not in modelProbes", name)
			}
			for _, p := range probes {
				p.send(t, r, ids, ask)
			}
		}
	})
}

// send sends a probe, once for each id if it needs one.
func (p modelProbe) send(t *testing.T, r route, ids []string, ask asker) {
	path, want := strings.Replace(r.path, "{action}", "pin", 1), p.status
	inPath := strings.Contains(path, "{id}")
	if want == 0 && inPath {
		want = 404
	} else if want == 0 {
		want = 200
	}
	if !inPath && !strings.Contains(p.body, "ID") {
		ids = ids[:1]
	}
	for _, id := range ids {
		status, body := ask(r.method, strings.Replace(path, "{id}", id, 1)+p.query, strings.Replace(p.body, "ID", id, 1))
		if status != want {
			t.Errorf("%s %s %+v: %d instead of %d: %s", r.method, r.path, p, status, want, body)
		}
		words := withheldWords
		if pushedRoutes[r.method+" "+r.path] {
			words = append(slices.Clone(words), askedForWords...)
		}
		for _, word := range words {
			if strings.Contains(body, word) {
				t.Errorf("%s %s %+v shows %s to a model:\n%s", r.method, r.path, p, word, body)
			}
		}
	}
}

// withheldWorkspace writes the withheld memories and a configuration, forgets one
// memory, and leaves a receipt.
func withheldWorkspace(t *testing.T) (dir, state string) {
	dir, state = t.TempDir(), filepath.Join(t.TempDir(), "state")
	for path, text := range withheld {
		file := filepath.Join(dir, path)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	}
	must.Do(t, os.MkdirAll(state, 0o700))
	config := "workspaces:\n  main:\n    path: " + dir + "\n    globs:\n      - {glob: notes/**, inject: false}\n"
	must.Do(t, os.WriteFile(filepath.Join(state, "config.yaml"), []byte(config), 0o600))
	if out := runProgram(t, dir, state, "recall", "What about the velkrun cellar of the harbour office?"); !strings.Contains(out, "velkrun") {
		t.Fatalf("recall does not return the memory before it is forgotten:\n%s", out)
	}
	if out := runProgram(t, dir, state, "forget", "--query", "velkrun cellar", "--yes"); !strings.Contains(out, "forgotten") {
		t.Fatal(out)
	}
	return dir, state
}

// withheldIDs returns the ids of the withheld memories, as a person sees them.
func withheldIDs(t *testing.T, ask asker) (ids []string) {
	for _, query := range []string{"?deep=true", "?forgotten=true"} {
		var list struct{ Memories []struct{ ID, Text string } }
		_, body := ask("GET", "/v1/memories"+query, "")
		if err := json.Unmarshal([]byte(body), &list); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		for _, m := range list.Memories {
			for _, word := range withheldWords {
				if strings.Contains(m.Text, word) {
					ids = append(ids, m.ID)
				}
			}
		}
	}
	if len(ids) != len(withheldWords) {
		t.Fatalf("%d of %d withheld memories are listed for a person", len(ids), len(withheldWords))
	}
	return ids
}
