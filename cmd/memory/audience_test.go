package main

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withheld holds one memory for each reason that keeps a memory from every model.
// Each has a word of its own.
var withheld = map[string]string{
	"MEMORY.md": `- The harbour office has a private door code zarquon <!-- private -->
- The harbour office closes at six, says a doubtful page grumbul <!-- trust: quarantined -->
- The harbour office opens at nine
`,
	"memory/old.md":     "---\nexpires: 2020-01-01\n---\n- The harbour office is in the old tower fendrik\n",
	"memory/ignored.md": "---\nimportance_label: ignore\n---\n- The harbour office has a green carpet wobbul\n",
	"notes/private.md":  "- The harbour office sends bills late quixor\n", // of a glob with inject: false
}

var withheldWords = []string{"zarquon", "grumbul", "fendrik", "wobbul", "quixor"}

// modelProbes lists, for every route that feeds a model, requests that could show a
// withheld memory. A route that takes "for" and is not here fails the test.
var modelProbes = map[string][]struct{ query, body string }{
	"POST /v1/recall": {{body: `{"prompt":"What about the harbour office?"}`}, {body: `{"prompt":"zarquon grumbul fendrik wobbul quixor"}`}},
	"POST /v1/search": {{body: `{"query":"harbour office","for":"model","deep":true}`}, {body: `{"query":"harbour office","lane":"text","for":"model"}`},
		{body: `{"query":"harbour office","lane":"vector","for":"model"}`}, {body: `{"query":"harbour office","record":true}`}},
	"GET /v1/memories": {{query: "?for=model"}, {query: "?for=model&deep=true&sort=path"}, {query: "?for=model&path=" + url.QueryEscape("memory/**")}},
	"GET /v1/files":    {{}, {query: "?for=model&path=MEMORY.md&path=memory/old.md&path=memory/ignored.md&path=notes/private.md"}},
}

func TestNoAnswerForAModelContainsAWithheldMemory(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	for path, text := range withheld {
		file := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	config := "workspaces:\n  main:\n    path: " + dir + "\n    globs:\n      - {glob: notes/**, inject: false}\n"
	if err := os.WriteFile(filepath.Join(state, "config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	person := runProgram(t, dir, state, "search", "--json", "--limit", "50", "harbour office")
	for _, word := range []string{"zarquon", "grumbul", "wobbul", "quixor"} {
		if !strings.Contains(person, word) {
			t.Errorf("a person does not find %s: %s", word, person)
		}
	}
	withServedRoutes(t, dir, state, func(routes map[string]route, ask asker) {
		for name, r := range routes {
			probes, known := modelProbes[name]
			if r.takes("for") && !known {
				t.Errorf("%s takes for and is not in modelProbes", name)
			}
			for _, p := range probes {
				status, body := ask(r.method, r.path+p.query, p.body)
				if status != 200 {
					t.Errorf("%s %+v: %d %s", name, p, status, body)
				}
				for _, word := range withheldWords {
					if strings.Contains(body, word) {
						t.Errorf("%s %+v shows %s to a model:\n%s", name, p, word, body)
					}
				}
			}
		}
		for _, p := range []string{`{"query":"x","for":"model","forgotten":true}`, `{"query":"x","for":"everybody"}`} {
			if status, body := ask("POST", "/v1/search", p); status != 400 {
				t.Errorf("%s: %d %s", p, status, body)
			}
		}
	})
}
