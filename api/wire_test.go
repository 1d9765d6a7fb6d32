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
	"error_conflict": &memory.Error{Kind: memory.ErrConflict, Message: "3f8a could mean 2 memories",
		Hint: "type more digits", Field: "id"},
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
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var f fixture
		if err := json.Unmarshal(src, &f); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".json")] = f
	}
	return all
}

// answerType returns the type of a Backend method's answer. A method that
// returns only an error has an empty one.
func answerType(t *testing.T, method string) reflect.Type {
	t.Helper()
	m, ok := reflect.TypeFor[api.Backend]().MethodByName(method)
	if !ok {
		t.Fatalf("Backend has no method %s", method)
	}
	if m.Type.NumOut() == 1 {
		return reflect.TypeFor[struct{}]()
	}
	return m.Type.Out(0)
}

// callMethod calls a Backend method by its name, without progress.
func callMethod(ctx context.Context, b api.Backend, method string, args []any) (answer any, err error) {
	m := reflect.ValueOf(b).MethodByName(method)
	in := []reflect.Value{reflect.ValueOf(ctx)}
	for _, arg := range args {
		in = append(in, reflect.ValueOf(arg))
	}
	for len(in) < m.Type().NumIn() {
		in = append(in, reflect.Zero(m.Type().In(len(in))))
	}
	out := m.Call(in)
	answer = struct{}{}
	if len(out) == 2 {
		answer = out[0].Interface()
	}
	err, _ = out[len(out)-1].Interface().(error)
	return answer, err
}

// The server gets the request of each fixture byte for byte, and must return
// its answer. Then the client makes the call that the backend received, and must
// send the fixture's request.
func TestFixturesHoldInBothDirections(t *testing.T) {
	for name, f := range readFixtures(t) {
		t.Run(name, func(t *testing.T) {
			backend := &fakeBackend{answers: map[string]any{}, hook: func(context.Context, string, any) error { return fixtureErrors[name] }}
			var want any = struct{}{}
			if f.Use != "" && f.Answer.Status == http.StatusOK {
				prepared := reflect.New(answerType(t, f.Use))
				if err := json.Unmarshal(f.Answer.Body, prepared.Interface()); err != nil {
					t.Fatal(err)
				}
				want = prepared.Elem().Interface()
				backend.answers[f.Use] = want
			}
			s := serve(t, backend, api.Options{Version: "1.4.0"})
			got := s.ask(f.Request.Method, f.Request.Path, string(f.Request.Body))
			if got.status != f.Answer.Status {
				t.Errorf("status %d, want %d", got.status, f.Answer.Status)
			}
			requireSameJSON(t, "answer", []byte(got.body), f.Answer.Body)
			if v := got.header.Get("Memory-Version"); v != "1.4.0" {
				t.Errorf("Memory-Version: %q", v)
			}
			args := backend.lastCall()
			if f.Use == "" {
				if args != nil {
					t.Errorf("the backend was called with %+v", args)
				}
				return
			}
			if args == nil {
				t.Fatal("the backend was not called")
			}
			f.checkClient(t, args, want)
		})
	}
}

// checkClient makes the call with a client, on a server that answers with the
// fixture.
func (f fixture) checkClient(t *testing.T, args []any, want any) {
	t.Helper()
	var asked atomic.Bool
	client := clientOf(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Store(true)
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
	})
	got, err := callMethod(t.Context(), client, f.Use, args)
	if !asked.Load() {
		t.Fatal("the client sent no request")
	}
	if f.Answer.Status == http.StatusOK {
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("the client returns\n%+v, %v\nwant\n%+v", got, err, want)
		}
		return
	}
	var sent struct{ Error api.Failure }
	if err := json.Unmarshal(f.Answer.Body, &sent); err != nil {
		t.Fatal(err)
	}
	if back := api.Describe(err); back != sent.Error {
		t.Errorf("the client's error is %+v, want %+v", back, sent.Error)
	}
}

// clientOf returns a client of a server with the given handler.
func clientOf(t *testing.T, handle http.HandlerFunc) *api.Client {
	t.Helper()
	socket := socketPath(t)
	if err := os.MkdirAll(filepath.Dir(socket), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
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
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("%s is\n%s\nwant\n%s", what, got, want)
	}
}

// Clients in other languages test against the fixtures, so every route needs
// one.
func TestEveryRouteHasAFixture(t *testing.T) {
	covered := map[string]bool{}
	for _, f := range readFixtures(t) {
		path, _, _ := strings.Cut(f.Request.Path, "?")
		if f.Answer.Status == http.StatusOK {
			covered[f.Request.Method+" "+path] = true
		}
	}
	for _, r := range api.Routes() {
		if r.Written {
			continue
		}
		found := false
		prefix, _, variable := strings.Cut(r.Path, "{")
		for key := range covered {
			found = found || key == r.Method+" "+r.Path || variable && strings.HasPrefix(key, r.Method+" "+prefix)
		}
		if !found {
			t.Errorf("%s %s has no fixture", r.Method, r.Path)
		}
	}
}
