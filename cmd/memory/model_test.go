package main

import (
	"context"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/embed/embedtest"
	"github.com/memory-tiered/memory/internal/must"
)

// newVectorServer starts an embedding server that counts as another machine, because
// its address is not the loopback address.
func newVectorServer(t *testing.T) (s *embedtest.Server, base string) {
	t.Helper()
	s = embedtest.Serve(t)
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Skip("no network interface: ", err)
	}
	for _, a := range addresses {
		ip, ok := a.(*net.IPNet)
		if !ok || ip.IP.IsLoopback() || ip.IP.To4() == nil {
			continue
		}
		listener, err := net.Listen("tcp4", ip.IP.String()+":0")
		if err != nil {
			continue
		}
		far := httptest.NewUnstartedServer(s.Config.Handler)
		far.Listener = listener
		far.Start()
		t.Cleanup(far.Close)
		return s, far.URL + "/v1"
	}
	t.Skip("this machine has only the loopback address")
	return nil, ""
}

const (
	hiddenText = "The neighbour is ill"
	keyInText  = "hunter2secret"
)

func modelWorkspace(t *testing.T) (dir, state string) {
	t.Helper()
	dir, state = t.TempDir(), filepath.Join(t.TempDir(), "state")
	for name, text := range map[string]string{
		"MEMORY.md": "- A blue heron lives by the mill pond\n- The database password is: " + keyInText + "\n- " + hiddenText + " <!-- private -->\n",
		"config":    "embedding:\n  apiKey: very-private-key\n",
	} {
		file := filepath.Join(dir, name)
		if name == "config" {
			file = filepath.Join(state, "config.yaml")
		}
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o700))
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return dir, state
}

// requireOutput runs the program and checks that its output contains a text.
func requireOutput(t *testing.T, dir, state string, wants string, args ...string) string {
	t.Helper()
	out := runProgram(t, dir, state, args...)
	if !strings.Contains(out, wants) {
		t.Errorf("memory %s: %q is missing in the output:\n%s", strings.Join(args, " "), wants, out)
	}
	return out
}

func TestEmbeddingServerIsUsedAndItsFailuresAreReported(t *testing.T) {
	server, base := newVectorServer(t)
	dir, state := modelWorkspace(t)
	run := func(wants string, args ...string) string {
		t.Helper()
		return requireOutput(t, dir, state, wants, args...)
	}
	run("heron", "search", "heron")
	run(base, "config", "set", "embedding.baseUrl", base)

	// A model that does not work changes nothing.
	server.SetFault(&embedtest.Fault{Status: 401})
	run("refuses the key (401)", "model", "use", "openai:words")
	if out := run("embedding.provider", "config"); strings.Contains(out, "openai") {
		t.Errorf("the configuration names a model that does not work:\n%s", out)
	}
	server.SetFault(nil)
	server.Requests()

	run("/words@256 is used from now on", "model", "use", "openai:words")
	for _, seen := range server.Requests() {
		if sent := strings.Join(seen.Texts, "\n"); strings.Contains(sent, hiddenText) || strings.Contains(sent, keyInText) {
			t.Errorf("a private text or a secret was sent to another machine: %s", sent)
		}
		if seen.Header.Get("Authorization") != "Bearer very-private-key" {
			t.Error("a request has no key")
		}
	}
	run(`"vector": "ok"`, "search", "--json", "heron pond")
	out := run("openai/", "status")
	out += run("(set)", "config") + run("words", "model", "list")
	cache := must.Get(os.ReadFile(filepath.Join(state, "embedding.json")))(t)
	if out += string(cache); strings.Contains(out, "very-private-key") || strings.Contains(out, "pending") {
		t.Errorf("the output contains the key, or reports a private text as pending:\n%s", out)
	}

	// An error of the server is reported, keyword search answers, and the vectors
	// return with the server.
	for want, f := range map[string]embedtest.Fault{"refuses the key (401)": {Status: 401}, "did not answer within": {Hang: true}} {
		server.SetFault(&f)
		out := run(want, "search", "--json", "heron")
		if !strings.Contains(out, "blue heron") {
			t.Errorf("keyword search does not answer:\n%s", out)
		}
	}
	server.SetFault(&embedtest.Fault{Status: 401})
	must.Do(t, os.WriteFile(filepath.Join(dir, "USER.md"), []byte("- A grey crane came by\n"), 0o600))
	run("0 embedded", "index")
	server.SetFault(nil)
	run("1 embedded", "index")
	run("crane", "search", "--lane", "vector", "grey crane")

	run("static/", "model", "use", "static")
	run(`"vector": "ok"`, "search", "--json", "heron pond")
}

// A running service follows a change of the model. It answers with the old model until
// the new one is ready.
func TestServiceFollowsTheConfiguredModel(t *testing.T) {
	server, base := newVectorServer(t)
	dir, state := modelWorkspace(t)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan struct{})
	go func() { defer close(served); newApp(t, dir, state).run(ctx, []string{"serve"}) }()
	defer func() { stop(); <-served }()
	until := func(wants string, args ...string) {
		t.Helper()
		var out string
		for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			if out = runProgram(t, dir, state, args...); strings.Contains(out, wants) {
				return
			}
		}
		t.Fatalf("timeout: memory %s does not print %q:\n%s", strings.Join(args, " "), wants, out)
	}
	until(`"fresh": true`, "status", "--json")
	until(`"vector": "ok"`, "search", "--json", "heron")
	requireOutput(t, dir, state, base, "config", "set", "embedding.baseUrl", base)
	requireOutput(t, dir, state, "is used", "model", "use", "openai:words") // from now on, or when all vectors are there

	// The server fails during the switch: the old model answers.
	server.SetFault(&embedtest.Fault{Status: 500})
	must.Do(t, os.WriteFile(filepath.Join(dir, "USER.md"), []byte("- A grey crane came by\n"), 0o600))
	until("crane", "search", "grey crane")
	server.SetFault(nil)
	until("is used from now on", "model", "use", "openai:words")
	until("/words@256, 256 dimensions\n", "status")
	until(`"vector": "ok"`, "search", "--json", "heron")
	requireOutput(t, dir, state, "embedding.provider", "config", "set", "embedding.provider", "none")
	until("keyword search only", "status")
	requireOutput(t, dir, state, "embedding.provider", "config", "set", "embedding.provider", "local")
	requireOutput(t, dir, state, "embedding.model", "config", "set", "embedding.model", "static")
	until("static/", "status")
	until(`"vector": "ok"`, "search", "--json", "heron")
}

func TestMissingLocalModelIsReported(t *testing.T) {
	dir, state := modelWorkspace(t)
	run := func(wants string, args ...string) string {
		t.Helper()
		return requireOutput(t, dir, state, wants, args...)
	}
	run("no folder all-MiniLM-L6-v2", "model", "use", "all-MiniLM-L6-v2")
	run("has no model.onnx", "model", "use", t.TempDir())
	run("embedding.model", "config", "set", "embedding.model", "all-MiniLM-L6-v2")
	out := run("there is no model all-MiniLM-L6-v2 (embedding.model)", "search", "--json", "heron")
	if !strings.Contains(out, "blue heron") {
		t.Errorf("keyword search does not answer:\n%s", out)
	}
	run("there is no model all-MiniLM-L6-v2 (embedding.model)", "status")
	run("static", "model", "use", "static")
	run(`"vector": "ok"`, "search", "--json", "heron")
}

// A user switches to a model in a folder, searches, and switches back.
func TestModelInAFolderIsUsed(t *testing.T) {
	folder := os.Getenv("MEMORY_TEST_MODEL")
	if folder == "" {
		t.Skip("MEMORY_TEST_MODEL names no folder; make model-test sets it")
	}
	dir, state := modelWorkspace(t)
	run := func(wants string, args ...string) string {
		t.Helper()
		return requireOutput(t, dir, state, wants, args...)
	}
	run("heron", "search", "heron")
	run("hugot/", "model", "use", folder)
	run("serves", "model", "list")
	out := run(`"vector": "ok"`, "search", "--json", "--lane", "vector", "Which bird is near the water?")
	if heron, sick := strings.Index(out, "blue heron"), strings.Index(out, hiddenText); heron < 0 || sick >= 0 && sick < heron {
		t.Errorf("vector search does not find the heron first:\n%s", out)
	}
	run("static/", "model", "use", "static")
}
