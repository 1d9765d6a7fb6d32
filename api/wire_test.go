package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/must"
)

// fixture is one request and its answer, exactly as any client sends and
// receives them.
type fixture struct {
	About   string
	Use     string // the Backend method that answers; empty if the server answers itself
	Request struct {
		Method string
		Path   string
		Body   json.RawMessage
	}
	Answer struct {
		Status int
		Body   json.RawMessage
	}
}

// fixtureErrors holds the errors that the backend returns in error fixtures.
var fixtureErrors = map[string]error{
	"error_not_found": fmt.Errorf("show 3f8a: %w", memory.NotFound("3f8a")),
	"error_conflict": &memory.Error{Kind: memory.ErrConflict, Message: "3f8a matches 2 memories",
		Hint: "type more digits", Field: "id"},
	"error_text_too_short": &memory.Error{Kind: memory.ErrInvalid, Message: "5 characters are too few for a memory; it needs 10, or 5 in Chinese and Japanese",
		Hint: "write a whole sentence that says what it is about; a line in a Markdown file of the workspace may be shorter", Field: "text"},
	"error_unavailable": fmt.Errorf("write memory/2026-11-21.md: %w", syscall.ENOSPC),
}

func readFixtures(t *testing.T) map[string]fixture {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures", err)
	}
	all := map[string]fixture{}
	for _, path := range paths {
		src := must.Get(os.ReadFile(path))(t)
		var f fixture
		if err := json.Unmarshal(src, &f); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".json")] = f
	}
	return all
}

// Every request of a fixture goes to a server whose backend is a client of a
// second server. That one expects the same request and returns the fixture's
// answer. So the server must read what the client writes, and the client must
// read what the server writes, byte for byte as in the fixture.
func TestFixturesHoldInBothDirections(t *testing.T) {
	for name, f := range readFixtures(t) {
		t.Run(name, func(t *testing.T) {
			if f.Use == "" {
				f.check(t, &fakeBackend{}, f.Answer.Status)
				return
			}
			status := f.Answer.Status
			if err := fixtureErrors[name]; err != nil {
				f.check(t, &fakeBackend{hook: func(context.Context, string, any) error { return err }}, status)
				if status == http.StatusInsufficientStorage { // the client's error does not contain the full disk
					status = http.StatusServiceUnavailable
				}
			}
			relay, asked := f.relay(t)
			f.check(t, relay, status)
			if !asked.Load() {
				t.Error("the client sent no request")
			}
		})
	}
}

// check sends the fixture's request to a server, and compares its answer.
func (f fixture) check(t *testing.T, b api.Backend, status int) {
	t.Helper()
	s := serve(t, b, api.Options{Version: "1.4.0"})
	got := s.ask(f.Request.Method, f.Request.Path, string(f.Request.Body))
	if got.status != status {
		t.Errorf("status %d, want %d", got.status, status)
	}
	requireSameJSON(t, "answer", []byte(got.body), f.Answer.Body)
	if v := got.header.Get("Memory-Version"); v != "1.4.0" {
		t.Errorf("Memory-Version: %q", v)
	}
	if fake, ok := b.(*fakeBackend); ok && f.Use == "" && fake.lastCall() != nil {
		t.Errorf("the backend was called with %+v", fake.lastCall())
	}
}

// relay returns a client of a server that expects the fixture's request and
// returns its answer. asked reports whether the client has sent a request.
func (f fixture) relay(t *testing.T) (client *api.Client, asked *atomic.Bool) {
	t.Helper()
	asked = new(atomic.Bool)
	return clientOf(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Store(true)
		if url, _ := url.Parse(f.Request.Path); f.Use == "Decide" && url.Path != r.URL.Path { // the client has one route for every decision
			w.WriteHeader(f.Answer.Status)
			_, _ = w.Write(f.Answer.Body)
			return
		}
		url, _ := url.Parse(f.Request.Path)
		if r.Method != f.Request.Method || r.URL.EscapedPath() != url.EscapedPath() {
			t.Errorf("the client asks %s %s", r.Method, r.URL)
		}
		if !reflect.DeepEqual(r.URL.Query(), url.Query()) {
			t.Errorf("the client's query is %v, want %v", r.URL.Query(), url.Query())
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if len(f.Request.Body) > 0 || len(body) > 0 {
			requireSameJSON(t, "the client's request", body, f.Request.Body)
		}
		w.WriteHeader(f.Answer.Status)
		_, _ = w.Write(f.Answer.Body)
	}), asked
}

// clientOf returns a client of a server with the given handler.
func clientOf(t *testing.T, handle http.HandlerFunc) *api.Client {
	t.Helper()
	socket := socketPath(t)
	must.Do(t, os.MkdirAll(filepath.Dir(socket), 0o700))
	l := must.Get(net.Listen("unix", socket))(t)
	server := &http.Server{Handler: handle}
	stopped := make(chan struct{})
	go func() { defer close(stopped); _ = server.Serve(l) }()
	client := api.Dial(socket)
	t.Cleanup(func() { _ = client.Close(); _ = server.Close(); <-stopped })
	return client
}

func requireSameJSON(t *testing.T, what string, got, want []byte) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("%s is not JSON: %q", what, got)
	}
	must.Do(t, json.Unmarshal(want, &w))
	if !reflect.DeepEqual(g, w) {
		t.Errorf("%s is\n%s\nwant\n%s", what, got, want)
	}
}
