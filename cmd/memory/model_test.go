package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/embed/embedtest"
)

// speaksOpenAI is a server of vectors that this machine reaches as another one:
// by an address that is not loopback.
func speaksOpenAI(t *testing.T) (s *embedtest.Server, base string) {
	t.Helper()
	s = embedtest.Serve(t, embedtest.Dialect{
		Texts: func(body []byte) []string {
			var ask struct{ Input []string }
			_ = json.Unmarshal(body, &ask) // a broken request shows in what is missing
			return ask.Input
		},
		Answer: func(vectors [][]float32) any {
			var data []any
			for i, v := range slices.Backward(vectors) {
				data = append(data, map[string]any{"index": i, "embedding": v})
			}
			return map[string]any{"data": data}
		},
	})
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
	t.Skip("this machine has no address but loopback")
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
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, state
}

// says runs the program and expects its output to hold something.
func says(t *testing.T, dir, state string, wants string, args ...string) string {
	t.Helper()
	out := runProgram(t, dir, state, args...)
	if !strings.Contains(out, wants) {
		t.Errorf("memory %s: %q is not in\n%s", strings.Join(args, " "), wants, out)
	}
	return out
}

func TestAServerOfVectors(t *testing.T) {
	server, base := speaksOpenAI(t)
	dir, state := modelWorkspace(t)
	run := func(wants string, args ...string) string { t.Helper(); return says(t, dir, state, wants, args...) }
	run("heron", "search", "heron")
	run(base, "config", "set", "embedding.baseUrl", base)

	// A choice that does not work changes nothing.
	server.Be(&embedtest.Fault{Status: 401})
	run("refuses the key (401)", "model", "use", "openai:words")
	if out := run("embedding.provider", "config"); strings.Contains(out, "openai") {
		t.Errorf("a model that does not work was chosen:\n%s", out)
	}
	server.Be(nil)
	server.Seen()

	run("/words@256 is used from now on", "model", "use", "openai:words")
	for _, seen := range server.Seen() {
		if strings.Contains(seen.Body, hiddenText) || strings.Contains(seen.Body, keyInText) {
			t.Errorf("it left this machine: %s", seen.Body)
		}
		if seen.Header.Get("Authorization") != "Bearer very-private-key" {
			t.Error("asked without the key")
		}
	}
	run(`"vector": "ok"`, "search", "--json", "heron pond")
	out := run("openai/", "status")
	out += run("(set)", "config") + run("words", "model", "list")
	memo, err := os.ReadFile(filepath.Join(state, "embedding.json"))
	if err != nil {
		t.Fatal(err)
	}
	if out += string(memo); strings.Contains(out, "very-private-key") || strings.Contains(out, "pending") {
		t.Errorf("the key, or a private text that waits for nothing, is shown:\n%s", out)
	}

	// What is wrong with the server is said, words serve, and it heals.
	for _, f := range []embedtest.Fault{{Status: 401, Want: "refuses the key (401)"}, {Hang: true, Want: "did not answer within"}} {
		server.Be(&f)
		out := run(f.Want, "search", "--json", "heron")
		if !strings.Contains(out, "blue heron") {
			t.Errorf("words do not serve:\n%s", out)
		}
	}
	server.Be(&embedtest.Fault{Status: 401})
	if err := os.WriteFile(filepath.Join(dir, "USER.md"), []byte("- A grey crane came by\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run("0 embedded", "index")
	server.Be(nil)
	run("1 embedded", "index")
	run("crane", "search", "--lane", "vector", "grey crane")

	run("static/", "model", "use", "static")
	run(`"vector": "ok"`, "search", "--json", "heron pond")
}

// TestTheServiceFollowsTheConfiguration changes the model beneath a running
// service, which answers by the former one until it knows the other.
func TestTheServiceFollowsTheConfiguration(t *testing.T) {
	server, base := speaksOpenAI(t)
	dir, state := modelWorkspace(t)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan struct{})
	go func() { defer close(served); program(t, dir, state).run(ctx, []string{"serve"}) }()
	defer func() { stop(); <-served }()
	until := func(wants string, args ...string) {
		t.Helper()
		var out string
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			if out = runProgram(t, dir, state, args...); strings.Contains(out, wants) {
				return
			}
		}
		t.Fatalf("memory %s: never %q:\n%s", strings.Join(args, " "), wants, out)
	}
	until(`"fresh": true`, "status", "--json")
	until(`"vector": "ok"`, "search", "--json", "heron")
	says(t, dir, state, base, "config", "set", "embedding.baseUrl", base)
	says(t, dir, state, "is used from now on", "model", "use", "openai:words")

	// Broken on the way: the former one answers, and status says why.
	server.Be(&embedtest.Fault{Status: 500})
	if err := os.WriteFile(filepath.Join(dir, "USER.md"), []byte("- A grey crane came by\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	until("crane", "search", "grey crane")
	server.Be(nil)
	says(t, dir, state, "is used from now on", "model", "use", "--wait", "openai:words")
	until("/words@256, 256 dimensions\n", "status")
	until(`"vector": "ok"`, "search", "--json", "heron")
	says(t, dir, state, "embedding.provider", "config", "set", "embedding.provider", "none")
	until("keyword search only", "status")
	says(t, dir, state, "embedding.provider", "config", "set", "embedding.provider", "local")
	says(t, dir, state, "", "config", "unset", "embedding.model")
	until("static/", "status")
	until(`"vector": "ok"`, "search", "--json", "heron")
}

func TestALocalModelThatIsNotThere(t *testing.T) {
	dir, state := modelWorkspace(t)
	run := func(wants string, args ...string) string { t.Helper(); return says(t, dir, state, wants, args...) }
	run("not on this machine", "model", "use", "all-MiniLM-L6-v2")
	run("embedding.model", "config", "set", "embedding.model", "all-MiniLM-L6-v2")
	out := run("memory model pull", "model", "use", "all-MiniLM-L6-v2")
	out += run("(embedding.model) is not on this machine", "search", "--json", "heron")
	if !strings.Contains(out, "blue heron") {
		t.Errorf("words do not serve:\n%s", out)
	}
	run("(embedding.model) is not on this machine", "status")
	run("no model nothing", "model", "pull", "nothing")
	run("holds no model", "model", "pull", "own", "--from", t.TempDir())
	run("cannot be removed", "model", "remove", "static")
	run("not here", "model", "remove", "own")
	run("static", "model", "use", "static")
	run(`"vector": "ok"`, "search", "--json", "heron")
}

// TestARealModel is the whole way of a user's: import, use, ask, go back.
func TestARealModel(t *testing.T) {
	from := os.Getenv("MEMORY_TEST_MODEL")
	if from == "" {
		t.Skip("MEMORY_TEST_MODEL names no folder: make model-test exports the weights and says where")
	}
	dir, state := modelWorkspace(t)
	run := func(wants string, args ...string) string { t.Helper(); return says(t, dir, state, wants, args...) }
	run("heron", "search", "heron")
	run("minilm is here", "model", "pull", "minilm", "--from", from)
	run("serves", "model", "list")
	run("hugot/minilm@", "model", "use", "minilm")
	out := run(`"vector": "ok"`, "search", "--json", "--lane", "vector", "Which bird is near the water?")
	if heron, sick := strings.Index(out, "blue heron"), strings.Index(out, hiddenText); heron < 0 || sick >= 0 && sick < heron {
		t.Errorf("by meaning alone the heron is not found first:\n%s", out)
	}
	run("is the model that the configuration names", "model", "remove", "minilm")
	run("static/", "model", "use", "static")
	run("minilm is removed", "model", "remove", "minilm")
}
