package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"
)

const (
	secret   = "The vault code of the ferry office is 4711"
	giveaway = "4711"
)

// routeProbes says of every route how it could give a forgotten text away. A
// route that is not here fails the test: whoever adds one says what it shows.
var routeProbes = map[string][]struct{ query, body string }{
	"POST /v1/recall": {{body: `{"prompt":"What is the vault code of the ferry office?"}`}},
	"POST /v1/search": {{body: `{"query":"vault code ferry office","explain":true,"deep":true}`},
		{body: `{"query":"vault code","lane":"text"}`}, {body: `{"query":"vault code","lane":"vector"}`}, {body: `{"query":"4711"}`}},
	"GET /v1/memories":  {{}, {query: "?missing=true"}, {query: "?deep=true&sort=path"}},
	"POST /v1/memories": {{body: `{"text":"` + secret + `"}`}},
	"POST /v1/decide": {{body: `{"action":"pin","query":"vault code","preview":true,"all":true}`},
		{body: `{"action":"destroy","query":"vault code","preview":true,"all":true}`}, {body: `{"action":"destroy","filter":{"path":"**"},"preview":true}`}},
	"POST /v1/index":       {{body: `{}`}, {body: `{"force":true}`}},
	"POST /v1/verify":      {{body: `{"text":"` + secret + `"}`}},
	"GET /v1/files":        {{}, {query: "?path=MEMORY.md&path=memory/copy.md&path=memory/late.md"}},
	"GET /v1/audit":        {{}},
	"GET /v1/receipts":     {{}, {query: "?session=before"}},
	"GET /v1/last":         {{}, {query: "?session=before"}},
	"GET /v1/context":      {{}},
	"PUT /v1/context":      {{body: `{"text":"at the pier"}`}},
	"DELETE /v1/context":   {{}},
	"GET /v1/stats":        {{}},
	"GET /v1/workspaces":   {{}},
	"GET /v1/status":       {{}},
	"GET /v1/health":       {{}},
	"GET /v1/openapi.yaml": {{}},
	"GET /metrics":         {{}},
}

// namedRoutes show a forgotten memory to who names it by its id, and say that it
// is forgotten; or they are not about memories at all.
var namedRoutes = map[string]string{
	"GET /v1/memories/{id}":           "asked for by its id",
	"DELETE /v1/memories/{id}":        "asked for by its id",
	"POST /v1/memories/{id}/{action}": "asked for by its id",
	"GET /v1/memories/{id}/explain":   "asked for by its id",
	"GET /v1/memories/{id}/why-not":   "asked for by its id",
	"POST /v1/workspaces":             "gives a name and a folder",
	"PATCH /v1/workspaces/{name}":     "gives a name and a folder",
	"DELETE /v1/workspaces/{name}":    "gives a name",
}

// commandProbes does for the command table what routeProbes does for routes.
var commandProbes = map[string][][]string{
	"recall":        {{"What is the vault code of the ferry office?"}},
	"search":        {{"vault code"}, {"--lane", "vector", "vault"}, {"--explain", "--deep", "4711"}},
	"list":          {{}, {"--json"}, {"--missing"}, {"--sort", "path"}},
	"store":         {{secret}},
	"clear-context": {{}},
	"set-context":   {{"at the pier"}},
	"stats":         {{}},
	"status":        {{}},
	"audit":         {{}, {"--json"}},
	"receipts":      {{}, {"--json"}},
	"last":          {{}, {"--session", "before"}, {"--session", "before", "--json"}},
	"index":         {{}, {"--force", "--json"}},
	"forget":        {{"--query", "vault code", "--preview"}},
	"pin":           {{"--query", "vault code", "--preview", "--all"}},
	"unpin":         {{"--query", "vault code", "--preview", "--all"}},
	"promote":       {{"--query", "vault code", "--preview", "--all"}},
	"demote":        {{"--path", "**", "--preview", "--all"}},
	"archive":       {{"--path", "**", "--preview", "--all"}},
	"destroy":       {{"--query", "vault code", "--preview", "--all"}, {"--path", "**", "--preview", "--all"}},
	"version":       {{}},
	"config":        {{}},
}

// namedCommands show a forgotten memory to who asks for just that, or nothing of
// any memory.
var namedCommands = map[string]string{
	"eval":    "gives figures",
	"model":   "about models, and no memory",
	"verify":  "says where a text stands, and no text",
	"explain": "asked for by its id", "why-not": "asked for by its id",
	"show": "asked for by its id", "open": "gives a file's name", "restore": "about what is forgotten", "undo": "about what was forgotten",
	"serve": "answers by the routes", "workspace": "gives names and folders", "completion": "a script", "help": "text of ours",
}

func TestWhatIsForgottenShowsNowhere(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	write := func(path, text string) {
		file := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("MEMORY.md", "- "+secret+"\n- The ferry leaves at nine\n")
	write("memory/copy.md", "- "+secret+"\n")
	run := func(args ...string) string { return runProgram(t, dir, state, args...) }
	if out := run("search", "vault code"); !strings.Contains(out, giveaway) {
		t.Fatalf("the probe finds nothing to begin with:\n%s", out)
	}
	if out := run("recall", "--session", "before", "What is the vault code of the ferry office?"); !strings.Contains(out, giveaway) {
		t.Fatalf("it is not given to begin with:\n%s", out)
	}
	if out := run("forget", "--query", "vault code of the ferry office", "--all"); !strings.Contains(out, "forgotten") {
		t.Fatal(out)
	}
	write("memory/late.md", "- "+secret+"\n") // written after it was forgotten
	for _, c := range program(t, dir, state).root().Commands() {
		probeCommand(t, c, run)
	}
	probeRoutes(t, dir, state)
}

func probeCommand(t *testing.T, c *cobra.Command, run func(...string) string) {
	probes, known := commandProbes[c.Name()]
	if _, named := namedCommands[c.Name()]; !known && !named {
		t.Errorf("memory %s: nobody has said whether it could show what is forgotten", c.Name())
	}
	for _, args := range probes {
		if out := run(append([]string{c.Name()}, args...)...); strings.Contains(out, giveaway) && !strings.Contains(out, "query\": \"4711") {
			t.Errorf("memory %s %q shows it:\n%s", c.Name(), args, out)
		}
	}
}

func program(t *testing.T, dir, state string) *app {
	env := map[string]string{"MEMORY_STATE_DIR": state, "MEMORY_WORKSPACE": dir, "HOME": t.TempDir()}
	return &app{in: strings.NewReader(""), out: io.Discard, err: io.Discard, width: defaultWidth, env: func(name string) string { return env[name] }}
}

// runProgram gives everything that a command says, without what it was asked.
func runProgram(t *testing.T, dir, state string, args ...string) string {
	var out bytes.Buffer
	a := program(t, dir, state)
	a.out, a.err = &out, &out
	a.run(t.Context(), args)
	return out.String()
}

func probeRoutes(t *testing.T, dir, state string) {
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan struct{})
	go func() { defer close(served); program(t, dir, state).run(ctx, []string{"serve"}) }()
	defer func() { stop(); <-served }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socketPath(state))
	}}}
	ask := func(method, path, body string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), method, "http://localhost"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(r)
		if err != nil {
			return 0, err.Error()
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body) // a broken answer shows in what is missing
		return answer.StatusCode, string(text)
	}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if status, _ := ask("GET", "/v1/health", ""); status == http.StatusOK {
			break
		}
	}
	_, document := ask("GET", "/v1/openapi.yaml", "")
	var openapi struct{ Paths map[string]map[string]any }
	if err := yaml.Unmarshal([]byte(document), &openapi); err != nil || len(openapi.Paths) == 0 {
		t.Fatalf("no routes: %v", err)
	}
	for path, methods := range openapi.Paths {
		for method := range methods {
			name := strings.ToUpper(method) + " " + path
			probes, known := routeProbes[name]
			if _, named := namedRoutes[name]; !known && !named {
				t.Errorf("%s: nobody has said whether it could show what is forgotten", name)
			}
			for _, p := range probes {
				status, body := ask(strings.ToUpper(method), path+p.query, p.body)
				body = strings.ReplaceAll(body, `"query":"4711"`, "")
				if status == 0 || status == http.StatusBadRequest {
					t.Errorf("%s %+v: %d %s", name, p, status, body)
				}
				if strings.Contains(body, giveaway) {
					t.Errorf("%s %+v shows it:\n%s", name, p, body)
				}
			}
		}
	}
}
