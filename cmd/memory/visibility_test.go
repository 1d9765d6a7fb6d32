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

	"github.com/memory-tiered/memory/internal/must"
)

const (
	secret     = "The vault code of the ferry office is " + secretPart
	secretPart = "zq4711" // no id contains it
)

// routeProbes lists, for every route, the requests that could show a forgotten text.
// A route that is neither here nor in exemptRoutes fails the test.
var routeProbes = map[string][]struct{ query, body string }{
	"POST /v1/recall": {{body: `{"prompt":"What is the vault code of the ferry office?"}`}},
	"POST /v1/search": {{body: `{"query":"vault code ferry office","explain":true,"deep":true}`},
		{body: `{"query":"vault code","lane":"text"}`}, {body: `{"query":"vault code","lane":"vector"}`}, {body: `{"query":"` + secretPart + `"}`}},
	"POST /v1/hook": {{body: `{"client":"claude-code","event":"UserPromptSubmit","input":{"session_id":"probe","prompt":"What is the vault code of the ferry office?"}}`},
		{body: `{"client":"copilot","event":"sessionStart","input":{"sessionId":"probe"}}`}},
	"GET /v1/memories":  {{}, {query: "?missing=true"}, {query: "?deep=true&sort=path"}},
	"GET /v1/entities":  {{}, {query: "?forgotten=true"}, {query: "?deep=true"}},
	"GET /v1/graph":     {{query: "?entity=ferry&hops=2"}},
	"GET /v1/profile":   {{}, {query: "?max_tokens=0"}},
	"GET /v1/scenes":    {{}, {query: "?forgotten=true"}, {query: "?deep=true"}},
	"POST /v1/memories": {{body: `{"text":"` + secret + `"}`}},
	"POST /v1/capture":  {{body: `{"messages":[{"role":"user","content":"Remember that ` + secret + `"}]}`}, {body: `{"messages":[{"role":"user","content":"Remember that ` + secret + `"}],"preview":true}`}},
	"POST /v1/extract":  {{body: `{"messages":[{"role":"user","content":"Remember that ` + secret + `"}],"preview":true}`}},
	"POST /v1/decide": {{body: `{"action":"pin","query":"vault code","preview":true,"all":true}`},
		{body: `{"action":"destroy","query":"vault code","preview":true,"all":true}`}, {body: `{"action":"destroy","filter":{"path":"**"},"preview":true}`}},
	"POST /v1/index":       {{body: `{}`}, {body: `{"force":true}`}},
	"POST /v1/verify":      {{body: `{"text":"` + secret + `"}`}},
	"GET /v1/files":        {{}, {query: "?path=MEMORY.md&path=memory/copy.md&path=memory/late.md"}},
	"GET /v1/audit":        {{}},
	"GET /v1/receipts":     {{}, {query: "?session=before"}},
	"GET /v1/export":       {{}, {query: "?forgotten=true"}},
	"POST /v1/snapshots":   {{body: `{"action":"create"}`}, {body: `{"action":"list"}`}, {body: `{"action":"restore","id":"last","preview":true}`}},
	"GET /v1/last":         {{}, {query: "?session=before"}},
	"GET /v1/context":      {{}},
	"PUT /v1/context":      {{body: `{"text":"at the pier"}`}},
	"DELETE /v1/context":   {{}},
	"GET /v1/stats":        {{}},
	"POST /v1/decay":       {{body: `{"preview":true,"as_of":"2099-01-01"}`}, {body: `{}`}, {body: `{"compact":true}`}},
	"GET /v1/decay":        {{}},
	"POST /v1/grade":       {{body: `{"preview":true}`}, {body: `{}`}},
	"GET /v1/review":       {{}, {query: "?count=true"}},
	"GET /v1/workspaces":   {{}},
	"GET /v1/status":       {{}},
	"GET /v1/health":       {{}},
	"GET /v1/openapi.yaml": {{}},
	"GET /metrics":         {{}},
}

// exemptRoutes lists the routes that need no probe, with the reason. Some show a
// forgotten memory to a caller that names its id, and mark it as forgotten.
var exemptRoutes = map[string]string{
	"GET /v1/memories/{id}":           "the caller names the id",
	"DELETE /v1/memories/{id}":        "the caller names the id",
	"POST /v1/memories/{id}/{action}": "the caller names the id",
	"GET /v1/memories/{id}/explain":   "the caller names the id",
	"GET /v1/memories/{id}/why-not":   "the caller names the id",
	"POST /v1/review":                 "the caller names the id",
	"PATCH /v1/memories/{id}":         "the caller names the id, and has the text",
	"POST /v1/feedback":               "the caller names the id",
	"POST /v1/entities":               "the caller has the names",
	"POST /v1/ui":                     "returns an address",
	"POST /v1/import":                 "returns counts, names of files and numbers of lines",
	"POST /v1/workspaces":             "returns a name and a folder",
	"POST /v1/reload":                 "returns names of settings",
	"POST /v1/doctor":                 "returns faults, as status does, and no texts",
	"PATCH /v1/workspaces/{name}":     "returns a name and a folder",
	"DELETE /v1/workspaces/{name}":    "returns a name",
}

// commandProbes is to commands what routeProbes is to routes.
var commandProbes = map[string][][]string{
	"recall":        {{"What is the vault code of the ferry office?"}},
	"search":        {{"vault code"}, {"--lane", "vector", "vault"}, {"--explain", "--deep", secretPart}},
	"list":          {{}, {"--json"}, {"--missing"}, {"--sort", "path"}},
	"store":         {{secret}, {"--force", secret}},
	"clear-context": {{}},
	"set-context":   {{"at the pier"}},
	"stats":         {{}},
	"entity":        {{"list"}, {"list", "--json"}, {"show", "ferry"}},
	"graph":         {{"ferry"}, {"--hops", "2", "--format", "dot", "ferry"}},
	"profile":       {{}, {"--budget", "0", "--json"}, {"--format", "user.md", "--preview"}},
	"scenes":        {{"list"}, {"list", "--json"}, {"list", "--entity", "ferry"}},
	"review":        {{}, {"--json"}, {"--count"}},
	"grade":         {{}, {"--force", "--json"}},
	"decay":         {{"run", "--preview", "--as-of", "2099-01-01"}, {"run", "--json"}, {"status"}, {"compact", "--preview"}, {"compact", "--json"}},
	"status":        {{}},
	"doctor":        {{}, {"--json"}},
	"audit":         {{}, {"--json"}},
	"receipts":      {{}, {"--json"}},
	"export":        {{}, {"--forgotten"}, {"--format", "markdown"}, {"--format", "json"}},
	"snapshot":      {{"list"}, {"create", "--json"}, {"restore", "last", "--preview"}},
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
	"capture":       {{"testdata/forgotten.jsonl"}, {"--preview", "testdata/forgotten.jsonl"}},
	"extract":       {{"--preview", "testdata/forgotten.jsonl"}, {"--yes", "testdata/forgotten.jsonl"}},
}

// exemptCommands lists the commands that need no probe, with the reason.
var exemptCommands = map[string]string{
	"browse":  "needs a terminal, and shows what search, list and explain answer",
	"eval":    "prints figures",
	"import":  "prints counts, names of files and numbers of lines",
	"reload":  "prints names of settings",
	"model":   "prints models",
	"verify":  "prints places, no texts",
	"migrate": "prints names of files, counts, and ids of the other system",
	"explain": "the caller names the id", "why-not": "the caller names the id",
	"show": "the caller names the id", "open": "prints the name of a file", "restore": "is for forgotten memories", "undo": "is for forgotten memories",
	"serve": "answers through the routes", "service": "prints the service and the log, which has no texts", "workspace": "prints names and folders", "completion": "prints a script", "help": "prints help",
	"feedback": "the caller names the id", "ui": "prints an address",
	"token": "prints tokens, and names of users and workspaces", "merge-file": "writes a file of a person", "team": "prints folders",
	"mcp":   "a script of its own asks for forgotten memories",
	"hook":  "answers through POST /v1/hook",
	"setup": "shows what a plugin gets", "openclaw": "shows what a plugin gets",
}

func TestForgottenTextIsOnNoRouteAndInNoCommand(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	write := func(path, text string) {
		file := filepath.Join(dir, path)
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	}
	write("MEMORY.md", "- "+secret+"\n- The ferry leaves at nine\n")
	write("memory/copy.md", "- "+secret+"\n")
	run := func(args ...string) string { return runProgram(t, dir, state, args...) }
	if out := run("search", "vault code"); !strings.Contains(out, secretPart) {
		t.Fatalf("search does not find the text before it is forgotten:\n%s", out)
	}
	if out := run("recall", "--session", "before", "What is the vault code of the ferry office?"); !strings.Contains(out, secretPart) {
		t.Fatalf("recall does not return the text before it is forgotten:\n%s", out)
	}
	if out := run("forget", "--query", "vault code of the ferry office", "--all"); !strings.Contains(out, "forgotten") {
		t.Fatal(out)
	}
	// Written after it was forgotten: copies, and places that are no memories.
	write("memory/late.md", "---\ntitle: "+secret+"\n---\n- "+secret+"\n- **"+secret+".**\n\n## "+secret+"\n\n- The pier of the ferry office\n\n<!--\n"+secret+"\n-->\n")
	for _, c := range newApp(t, dir, state).root().Commands() {
		probeCommand(t, c, run)
	}
	probeRoutes(t, dir, state)
}

func probeCommand(t *testing.T, c *cobra.Command, run func(...string) string) {
	probes, known := commandProbes[c.Name()]
	if _, named := exemptCommands[c.Name()]; !known && !named {
		t.Errorf("memory %s is neither in commandProbes nor in exemptCommands", c.Name())
	}
	for _, args := range probes {
		if out := run(append([]string{c.Name()}, args...)...); strings.Contains(out, secretPart) && !strings.Contains(out, "query\": \""+secretPart) {
			t.Errorf("memory %s %q shows the forgotten text:\n%s", c.Name(), args, out)
		}
	}
}

func newApp(t *testing.T, dir, state string) *app {
	env := map[string]string{"MEMORY_STATE_DIR": state, "MEMORY_WORKSPACE": dir, "HOME": t.TempDir()}
	return &app{in: strings.NewReader(""), out: io.Discard, err: io.Discard, width: defaultWidth, env: func(name string) string { return env[name] }}
}

// runProgram runs a command and returns its whole output.
func runProgram(t *testing.T, dir, state string, args ...string) string {
	var out bytes.Buffer
	a := newApp(t, dir, state)
	a.out, a.err = &out, &out
	a.run(t.Context(), args)
	return out.String()
}

func probeRoutes(t *testing.T, dir, state string) {
	withServedRoutes(t, dir, state, func(routes map[string]route, ask asker) {
		for name, r := range routes {
			probes, known := routeProbes[name]
			if _, named := exemptRoutes[name]; !known && !named {
				t.Errorf("%s is neither in routeProbes nor in exemptRoutes", name)
			}
			for _, p := range probes {
				status, body := ask(r.method, r.path+p.query, p.body)
				body = strings.ReplaceAll(body, `"query":"`+secretPart+`"`, "")
				if status == 0 || status == http.StatusBadRequest {
					t.Errorf("%s %+v: %d %s", name, p, status, body)
				}
				if strings.Contains(body, secretPart) {
					t.Errorf("%s %+v shows the forgotten text:\n%s", name, p, body)
				}
			}
		}
	})
}

// route is a route of the served OpenAPI document.
type route struct {
	method, path string
	document     string // its part of the document, with the schema of its body
}

// takes reports whether a route has a field or a parameter with this name.
func (r route) takes(name string) bool {
	return strings.Contains(r.document, "name: "+name+"\n") || strings.Contains(r.document, "\n    "+name+":\n")
}

type asker func(method, path, body string) (status int, answer string)

// withServedRoutes serves a workspace and passes on its routes, by method and path.
func withServedRoutes(t *testing.T, dir, state string, use func(map[string]route, asker)) {
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan struct{})
	go func() { defer close(served); newApp(t, dir, state).run(ctx, []string{"serve"}) }()
	defer func() { stop(); <-served }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socketPath(state))
	}}}
	ask := func(method, path, body string) (int, string) {
		r := must.Get(http.NewRequestWithContext(t.Context(), method, "http://localhost"+path, strings.NewReader(body)))(t)
		answer, err := client.Do(r)
		if err != nil {
			return 0, err.Error()
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body) // a broken answer fails the checks of the caller
		return answer.StatusCode, string(text)
	}
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if status, _ := ask("GET", "/v1/health", ""); status == http.StatusOK {
			break
		}
	}
	_, document := ask("GET", "/v1/openapi.yaml", "")
	use(parseRoutes(t, document), ask)
}

func parseRoutes(t *testing.T, document string) map[string]route {
	var openapi struct {
		Paths      map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	if err := yaml.Unmarshal([]byte(document), &openapi); err != nil || len(openapi.Paths) == 0 {
		t.Fatalf("no routes: %v", err)
	}
	routes := map[string]route{}
	for path, methods := range openapi.Paths {
		for method, operation := range methods {
			r := route{strings.ToUpper(method), path, writeYAML(t, operation)}
			for name, schema := range openapi.Components.Schemas {
				if strings.Contains(r.document, "schemas/"+name+"'\n") && strings.HasSuffix(name, "Request") {
					r.document += writeYAML(t, schema)
				}
			}
			routes[r.method+" "+path] = r
		}
	}
	return routes
}

func writeYAML(t *testing.T, v any) string {
	src := must.Get(yaml.Marshal(v))(t)
	return string(src)
}
