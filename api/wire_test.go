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

// fixture is one request and its answer, as anyone who speaks the protocol
// sends and gets them.
type fixture struct {
	About   string
	Use     string // the use case that answers; empty where the server does by itself
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

// failing is what the use case says in fixtures of failures.
var failing = map[string]error{
	"error_not_found": fmt.Errorf("show 3f8a: %w", memory.NotFound("3f8a")),
	"error_conflict": &memory.Error{Kind: memory.ErrConflict, Message: "3f8a could mean 2 memories",
		Hint: "type more digits", Field: "id"},
	"error_unavailable": fmt.Errorf("write memory/2026-11-21.md: %w", syscall.ENOSPC),
}

func fixtures(t *testing.T) map[string]fixture {
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

// use is one use case, with its request as one value.
type use struct {
	answer reflect.Type
	ask    func(context.Context, api.Backend, any) (any, error)
}

func useOf[R, A any](ask func(api.Backend, context.Context, R) (A, error)) use {
	return use{reflect.TypeFor[A](), func(ctx context.Context, b api.Backend, r any) (any, error) {
		return ask(b, ctx, r.(R))
	}}
}

var uses = map[string]use{
	"Recall": useOf(api.Backend.Recall), "Search": useOf(api.Backend.Search),
	"List": useOf(api.Backend.List), "Store": useOf(api.Backend.Store), "Decide": useOf(api.Backend.Decide),
	"Explain": useOf(api.Backend.Explain), "WhyNot": useOf(api.Backend.WhyNot),
	"Receipts": useOf(api.Backend.Receipts), "Last": useOf(api.Backend.Last),
	"SetContext": useOf(api.Backend.SetContext), "Files": useOf(api.Backend.Files),
	"Audit": useOf(api.Backend.Audit), "AddWorkspace": useOf(api.Backend.AddWorkspace),
	"Index": useOf(func(b api.Backend, ctx context.Context, r memory.IndexRequest) (memory.IndexAnswer, error) {
		return b.Index(ctx, r, nil)
	}),
	"Verify": useOf(func(b api.Backend, ctx context.Context, r memory.VerifyRequest) (memory.VerifyAnswer, error) {
		return b.Verify(ctx, r, nil)
	}),
	"Show": useOf(func(b api.Backend, ctx context.Context, r oneMemory) (memory.Memory, error) {
		return b.Show(ctx, r.Workspace, r.ID)
	}),
	"Context": useOf(func(b api.Backend, ctx context.Context, r inWorkspace) (memory.ContextAnswer, error) {
		return b.Context(ctx, r.Workspace)
	}),
	"ClearContext": useOf(func(b api.Backend, ctx context.Context, r inWorkspace) (nothing, error) {
		return nothing{}, b.ClearContext(ctx, r.Workspace)
	}),
	"Stats": useOf(func(b api.Backend, ctx context.Context, r inWorkspace) (memory.Stats, error) {
		return b.Stats(ctx, r.Workspace)
	}),
	"Workspaces": useOf(func(b api.Backend, ctx context.Context, _ nothing) (memory.WorkspacesAnswer, error) {
		return b.Workspaces(ctx)
	}),
	"RemoveWorkspace": useOf(func(b api.Backend, ctx context.Context, r inWorkspace) (nothing, error) {
		return nothing{}, b.RemoveWorkspace(ctx, r.Workspace)
	}),
	"RenameWorkspace": useOf(func(b api.Backend, ctx context.Context, r rename) (memory.WorkspaceInfo, error) {
		return b.RenameWorkspace(ctx, r.From, r.To)
	}),
	"Status": useOf(func(b api.Backend, ctx context.Context, _ nothing) (memory.Status, error) { return b.Status(ctx) }),
	"Health": useOf(func(b api.Backend, ctx context.Context, _ nothing) (memory.Health, error) { return b.Health(ctx) }),
}

// Each fixture goes both ways: its request is sent to the server as it stands,
// whose answer must be the fixture's; then the client asks what the backend was
// asked, and what it sends must be the fixture's request.
func TestWire(t *testing.T) {
	for name, f := range fixtures(t) {
		t.Run(name, func(t *testing.T) {
			backend := &fake{answers: map[string]any{}, work: func(context.Context, string, any) error { return failing[name] }}
			u, used := uses[f.Use]
			prepared := reflect.New(reflect.TypeFor[nothing]()).Interface()
			if used && f.Answer.Status == http.StatusOK {
				prepared = reflect.New(u.answer).Interface()
				if err := json.Unmarshal(f.Answer.Body, prepared); err != nil {
					t.Fatal(err)
				}
				backend.answers[f.Use] = reflect.ValueOf(prepared).Elem().Interface()
			}
			w := serve(t, backend, api.Options{Version: "1.4.0"})
			got := w.ask(f.Request.Method, f.Request.Path, string(f.Request.Body))
			if got.status != f.Answer.Status {
				t.Errorf("status %d, want %d", got.status, f.Answer.Status)
			}
			sameJSON(t, "answer", []byte(got.body), f.Answer.Body)
			if v := got.header.Get("Memory-Version"); v != "1.4.0" {
				t.Errorf("Memory-Version: %q", v)
			}
			if !used {
				if backend.last() != nil {
					t.Errorf("the backend was asked %+v", backend.last())
				}
				return
			}
			want := reflect.ValueOf(prepared).Elem().Interface()
			f.check(t, u, backend.last(), want)
		})
	}
}

// check lets the client ask a server that answers as the fixture does.
func (f fixture) check(t *testing.T, u use, request, want any) {
	t.Helper()
	var seen atomic.Bool
	client := recorder(t, func(w http.ResponseWriter, r *http.Request) {
		seen.Store(true)
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
			sameJSON(t, "the client's request", body, f.Request.Body)
		}
		w.WriteHeader(f.Answer.Status)
		_, _ = w.Write(f.Answer.Body)
	})
	got, err := u.ask(t.Context(), client, request)
	if !seen.Load() {
		t.Fatal("the client asked nothing")
	}
	if f.Answer.Status == http.StatusOK {
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("the client gives\n%+v, %v\nwant\n%+v", got, err, want)
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

// recorder is a client of a server that is not ours.
func recorder(t *testing.T, handle http.HandlerFunc) *api.Client {
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

func sameJSON(t *testing.T, what string, got, want []byte) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("%s is no JSON: %q", what, got)
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("%s is\n%s\nwant\n%s", what, got, want)
	}
}

// A route without a fixture is one that other languages' clients cannot test
// against.
func TestEveryRouteHasAFixture(t *testing.T) {
	covered := map[string]bool{}
	for _, f := range fixtures(t) {
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
