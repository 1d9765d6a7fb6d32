package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

func TestBadRequestsAreRefused(t *testing.T) {
	s := serve(t, &fakeBackend{}, api.Options{})
	const search, list = "/v1/search", "/v1/memories"
	tests := []struct {
		name, method, path, body string
		status                   int
		code, field, message     string
	}{
		{"empty body", "POST", search, "", 400, "invalid", "", "empty"},
		{"blank body", "POST", search, " \n", 400, "invalid", "", "empty"},
		{"not JSON", "POST", search, "query=tabs", 400, "invalid", "", "not JSON"},
		{"cut short", "POST", search, `{"query":"ta`, 400, "invalid", "", "not JSON"},
		{"no closing brace", "POST", search, `{"query":"tabs"`, 400, "invalid", "", "not JSON"},
		{"wrong bracket", "POST", search, `{"query":"tabs"]`, 400, "invalid", "", "not JSON"},
		{"trailing comma", "POST", search, `{"query":"tabs",}`, 400, "invalid", "", "not JSON"},
		{"array", "POST", search, `["tabs"]`, 400, "invalid", "", "not a JSON object"},
		{"null", "POST", search, `null`, 400, "invalid", "", "not a JSON object"},
		{"two objects", "POST", search, `{"query":"a"} {"query":"b"}`, 400, "invalid", "", "follows"},
		{"garbage after the object", "POST", search, `{"query":"a"} x`, 400, "invalid", "", "follows"},
		{"not UTF-8", "POST", search, "{\"query\":\"\xff\xfe\"}", 400, "invalid", "", "UTF-8"},
		{"unknown field", "POST", search, `{"query":"a","teir":"HOT"}`, 400, "invalid", "teir", "teir"},
		{"field name in another case", "POST", search, `{"Query":"a"}`, 400, "invalid", "Query", "Query"},
		{"duplicate field", "POST", search, `{"query":"a","query":"b"}`, 400, "invalid", "query", "twice"},
		{"missing field", "POST", search, `{}`, 400, "invalid", "query", "missing"},
		{"required field is null", "POST", search, `{"query":null}`, 400, "invalid", "query", "missing"},
		{"number for text", "POST", search, `{"query":1}`, 400, "invalid", "query", "a text"},
		{"text for bool", "POST", search, `{"query":"a","deep":"yes"}`, 400, "invalid", "deep", "true or false"},
		{"fraction for whole number", "POST", search, `{"query":"a","limit":1.5}`, 400, "invalid", "limit", "whole number"},
		{"huge number", "POST", search, `{"query":"a","limit":1e99}`, 400, "invalid", "limit", "whole number"},
		{"object for text", "POST", search, `{"query":"a","tier":{}}`, 400, "invalid", "tier", "a text"},
		{"unknown word", "POST", search, `{"query":"a","memory_type":"odd"}`, 400, "invalid", "memory_type", "odd"},
		{"wrong list element", "POST", "/v1/recall", `{"prompt":"a","in_prompt":["a",1]}`, 400, "invalid", "in_prompt", "a list"},
		{"deep nesting", "POST", search, `{"query":` + strings.Repeat("[", 200_000), 400, "invalid", "", "not JSON"},
		{"query and body", "POST", search + "?workspace=main", `{"query":"a"}`, 400, "invalid", "", "no query"},
		{"path field in a body", "PATCH", "/v1/workspaces/a", `{"From":"b","name":"c"}`, 400, "invalid", "From", "From"},

		{"unknown parameter", "GET", list + "?teir=HOT", "", 400, "invalid", "teir", "teir"},
		{"duplicate parameter", "GET", list + "?tier=HOT&tier=COLD", "", 400, "invalid", "tier", "twice"},
		{"text for number", "GET", list + "?limit=ten", "", 400, "invalid", "limit", "whole number"},
		{"number too large", "GET", list + "?limit=99999999999999999999", "", 400, "invalid", "limit", "whole number"},
		{"empty bool", "GET", list + "?pinned=", "", 400, "invalid", "pinned", "true nor false"},
		{"unknown tier", "GET", list + "?tier=warmish", "", 400, "invalid", "tier", "warmish"},
		{"broken escape", "GET", list + "?tag=%zz", "", 400, "invalid", "", "query"},
		{"semicolon", "GET", list + "?tag=a;pinned=true", "", 400, "invalid", "", "query"},
		{"parameter not UTF-8", "GET", list + "?tag=%ff", "", 400, "invalid", "tag", "UTF-8"},
		{"id not UTF-8", "GET", list + "/%ff", "", 400, "invalid", "id", "UTF-8"},
		{"body on GET", "GET", list, `{"tier":"HOT"}`, 400, "invalid", "", "no body"},
		{"body on DELETE", "DELETE", "/v1/context", `{"workspace":"a"}`, 400, "invalid", "", "no body"},

		{"unknown route", "GET", "/v1/memorys", "", 404, "not_found", "", "/v1/memorys"},
		{"root", "GET", "/", "", 404, "not_found", "", "no route"},
		{"path without version", "POST", "/recall", `{}`, 404, "not_found", "", "no route"},
		{"trailing slash", "POST", "/v1/recall/", `{}`, 404, "not_found", "", "no route"},
		{"double slash", "POST", "/v1//recall", `{}`, 404, "not_found", "", "no route"},
		{"dot segments", "POST", "/v1/x/../recall", `{}`, 404, "not_found", "", "no route"},
		{"wrong method", "GET", "/v1/recall", "", 405, "invalid", "", "GET"},
		{"unknown method", "BREW", "/v1/context", "", 405, "invalid", "", "BREW"},
		{"OPTIONS method", "OPTIONS", "/v1/health", "", 405, "invalid", "", "OPTIONS"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := s.ask(tt.method, tt.path, tt.body)
			f := got.failure(t)
			if got.status != tt.status || f.Code != tt.code || f.Field != tt.field || !strings.Contains(f.Message, tt.message) {
				t.Errorf("%d %+v", got.status, f)
			}
			if tt.status == http.StatusMethodNotAllowed && got.header.Get("Allow") == "" {
				t.Error("the answer has no Allow header")
			}
		})
	}
}

func TestUnusualRequestsAreAccepted(t *testing.T) {
	backend := &fakeBackend{}
	s := serve(t, backend, api.Options{})
	ten := 10
	tests := []struct {
		name, method, path, body string
		want                     []any
	}{
		{"FTS5 syntax and NUL", "POST", "/v1/search", `{"query":"\"a NEAR/2 (b* OR \u0000"}`, []any{memory.SearchRequest{Query: "\"a NEAR/2 (b* OR \x00"}}},
		{"empty query", "POST", "/v1/search", `{"query":""}`, []any{memory.SearchRequest{}}},
		{"null is the same as absent", "POST", "/v1/search", `{"query":"a","limit":null,"tier":null}`, []any{memory.SearchRequest{Query: "a"}}},
		{"tier in any case in a body", "POST", "/v1/search", `{"query":"a","tier":"wArM","limit":10}`,
			[]any{memory.SearchRequest{Query: "a", Limit: &ten, Filter: memory.Filter{Tier: memory.TierWarm}}}},
		{"spaces around the object", "POST", "/v1/index", " {\n} \n", []any{memory.IndexRequest{}}},
		{"text at the limit", "POST", "/v1/memories", `{"text":"` + strings.Repeat("ä", 10_000) + `"}`,
			[]any{memory.StoreRequest{Text: strings.Repeat("ä", 10_000)}}},
		{"slash in an id", "GET", "/v1/memories/a%2Fb", "", []any{memory.ShowRequest{ID: "a/b"}}},
		{"empty id", "GET", "/v1/memories/", "", []any{memory.ShowRequest{}}},
		{"tier in any case in a query", "GET", "/v1/memories?tier=cold&limit=0", "", []any{memory.ListRequest{Limit: new(int), Filter: memory.Filter{Tier: memory.TierCold}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := s.ask(tt.method, tt.path, tt.body); got.status != 200 {
				t.Fatalf("%d %s", got.status, got.body)
			}
			if got := fmt.Sprintf("%+v", plainArgs(backend.lastCall()...)); got != fmt.Sprintf("%+v", plainArgs(tt.want...)) {
				t.Errorf("the backend got %s", got)
			}
		})
	}
}

// plainArgs replaces pointers to limits by their values, so that arguments can be
// compared as text.
func plainArgs(args ...any) []any {
	limit := -1
	for i, arg := range args {
		switch r := arg.(type) {
		case memory.SearchRequest:
			if r.Limit != nil {
				limit, r.Limit = *r.Limit, nil
			}
			args[i] = r
		case memory.ListRequest:
			if r.Limit != nil {
				limit, r.Limit = *r.Limit, nil
			}
			args[i] = r
		}
	}
	return append(args, limit)
}

func TestBodyOverOneMiBIsRefused(t *testing.T) {
	backend := &fakeBackend{}
	s := serve(t, backend, api.Options{})
	body := func(size int) string {
		const frame = `{"query":""}`
		return `{"query":"` + strings.Repeat("x", size-len(frame)) + `"}`
	}
	const limit = 1 << 20
	if got := s.ask("POST", "/v1/search", body(limit)); got.status != 200 {
		t.Errorf("1 MiB: %d %s", got.status, got.body)
	}
	for _, size := range []int{limit + 1, 3 * limit, 32 * limit} {
		got := s.ask("POST", "/v1/search", body(size))
		if f := got.failure(t); got.status != 413 || f.Code != "invalid" {
			t.Errorf("%d bytes: %d %+v", size, got.status, f)
		}
	}
	// curl asks before it sends a body of this size: Expect: 100-continue.
	if got := s.ask("POST", "/v1/search", body(limit+1), "Expect", "100-continue"); got.status != 413 {
		t.Errorf("Expect: 100-continue: %d", got.status)
	}
	if got := s.ask("POST", "/v1/search", body(limit), "Expect", "100-continue"); got.status != 200 {
		t.Errorf("Expect: 100-continue: %d %s", got.status, got.body)
	}
	// The same through the client.
	_, err := s.client.Search(t.Context(), memory.SearchRequest{Query: strings.Repeat("x", limit)})
	if f := api.Describe(err); f.Code != "invalid" || !strings.Contains(f.Message, "larger") {
		t.Errorf("client: %+v", f)
	}
}

// net/http itself refuses a header that is too large, and input that is not
// HTTP. Its answer is plain text. The server goes on.
func TestInputThatIsNotHTTPIsRefused(t *testing.T) {
	s := serve(t, &fakeBackend{}, api.Options{})
	if got := s.ask("GET", "/v1/health", "", "X", strings.Repeat("x", 64<<10)); got.status != 431 {
		t.Errorf("64 KiB header: %d", got.status)
	}
	for _, junk := range []string{"\x00\x01\x02\r\n\r\n", "hello\r\n\r\n", "GET /v1/health HTTP/1.1\r\n\r\n"} {
		conn := s.dial()
		if _, err := conn.Write([]byte(junk)); err != nil {
			t.Fatal(err)
		}
		if got := readAnswer(t, conn); got.status != 400 {
			t.Errorf("%q: %d", junk, got.status)
		}
	}
	if got := s.ask("GET", "/v1/health", ""); got.status != 200 {
		t.Errorf("afterwards: %d", got.status)
	}
}

func TestBrowsersAreRefused(t *testing.T) {
	backend := &fakeBackend{}
	s := serve(t, backend, api.Options{})
	for _, header := range [][]string{{"Origin", "http://localhost"}, {"Origin", "null"}, {"Referer", "http://localhost/"},
		{"Host", "example.com"}, {"Host", "127.0.0.1"}, {"Host", "localhost:80"}, {"Host", "localhost.example.com"}} {
		for _, r := range [][]string{{"GET", "/v1/health", ""}, {"POST", "/v1/recall", `{"prompt":"a"}`}, {"GET", "/nowhere", ""}, {"GET", "/metrics", ""}} {
			got := s.ask(r[0], r[1], r[2], header...)
			if f := got.failure(t); got.status != 403 || f.Code != "forbidden" {
				t.Errorf("%v %v: %d %+v", header, r, got.status, f)
			}
		}
	}
	// A request with an absolute URL has its host in the first line.
	conn := s.dial()
	fmt.Fprint(conn, "GET http://example.com/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if got := readAnswer(t, conn); got.status != 403 {
		t.Errorf("absolute URL: %d", got.status)
	}
	if backend.lastCall() != nil {
		t.Errorf("the backend was called with %v", backend.lastCall())
	}
}

// Clients that stop in the middle of a request are cut off. The server answers other
// clients meanwhile.
func TestSlowClientsAreCutOff(t *testing.T) {
	tryLimits(t, func(limit time.Duration) error { return cutOffSlowClients(t, limit) })
}

// cutOffSlowClients fails the test if the server keeps a slow client. It returns an error
// if the server does not answer another client.
func cutOffSlowClients(t *testing.T, limit time.Duration) error {
	t.Helper()
	s := serve(t, &fakeBackend{}, api.Options{Concurrency: 2, Timeouts: api.Timeouts{Header: limit, Body: limit}})
	slow := map[string]net.Conn{}
	for _, start := range []string{
		"", "POST /v1/rec", "POST /v1/recall HTTP/1.1\r\nHost: localhost\r\n",
		"POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{\"prompt\"",
		"GET /v1/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n",
		"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n",
		"GET /nowhere HTTP/1.1\r\nHost: example.com\r\nTransfer-Encoding: chunked\r\n\r\n",
	} {
		slow[start] = s.dial()
		if _, err := slow[start].Write([]byte(start)); err != nil {
			return err
		}
		if got, err := s.tryAsk("POST", "/v1/recall", `{"prompt":"a"}`); err != nil || got.status != 200 {
			return fmt.Errorf("%q blocks other clients: %d %s, %v", start, got.status, got.body, err)
		}
	}
	for start, conn := range slow {
		_ = conn.SetReadDeadline(time.Now().Add(waitLimit))
		for buffer := make([]byte, 4096); ; { // the server closes the connection, perhaps after an error answer
			if _, err := conn.Read(buffer); err != nil {
				if ne, ok := err.(interface{ Timeout() bool }); ok && ne.Timeout() {
					t.Fatalf("the server does not close the connection after %q", start)
				}
				break
			}
		}
	}
	return nil
}

// A client cannot open so many connections that the process has no handles left.
func TestConnectionsBeyondTheLimitAreClosed(t *testing.T) {
	s := serve(t, &fakeBackend{}, api.Options{Concurrency: 1})
	var open []net.Conn
	for range 8 {
		open = append(open, s.dial())
	}
	more := s.dial()
	_ = more.SetReadDeadline(time.Now().Add(waitLimit))
	if _, err := more.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("one connection too many: %v", err)
	}
	for _, conn := range open {
		_ = conn.Close()
	}
	eventually(t, "a closed connection frees its place", func() bool {
		_, err := s.client.Recall(context.Background(), memory.RecallRequest{Prompt: "a"})
		return err == nil
	})
}

// Clients that send their bodies slowly do not block other clients.
func TestSlowBodiesDoNotBlockOthers(t *testing.T) {
	s := serve(t, &fakeBackend{}, api.Options{Concurrency: 4})
	for range 12 {
		fmt.Fprint(s.dial(), "POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{")
	}
	if _, err := s.client.Recall(t.Context(), memory.RecallRequest{Prompt: "a"}); err != nil {
		t.Error(err)
	}
}

// The server drops a client that does not read its answer, and frees its place.
func TestClientThatDoesNotReadIsDropped(t *testing.T) {
	large := memory.FilesAnswer{Files: memory.List[memory.ServedFile]{{Content: strings.Repeat("x", 2<<20)}}}
	tryLimits(t, func(limit time.Duration) error {
		s := serve(t, &fakeBackend{answers: map[string]any{"Files": large}}, api.Options{Concurrency: 1, Timeouts: api.Timeouts{Write: limit}})
		conn := s.dial()
		fmt.Fprint(conn, "GET /v1/files HTTP/1.1\r\nHost: localhost\r\n\r\n")
		begins := make([]byte, len("HTTP/1.1 200"))
		if _, err := io.ReadFull(conn, begins); err != nil || string(begins) != "HTTP/1.1 200" {
			return fmt.Errorf("%q, %w", begins, err)
		}
		eventually(t, "the place of the dropped client is free", func() bool {
			_, err := s.client.Stats(context.Background(), memory.StatsRequest{})
			got, errMetrics := s.tryAsk("GET", "/metrics", "")
			return errors.Join(err, errMetrics) == nil && strings.Contains(got.body, `route="/v1/files",code="499"} 1`)
		})
		got, err := s.client.Files(t.Context(), memory.FilesRequest{})
		if err != nil || len(got.Files) != 1 || len(got.Files[0].Content) != 2<<20 {
			return fmt.Errorf("a client that reads: %v", err)
		}
		return nil
	})
}
