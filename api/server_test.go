package api_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/leaks"
	"github.com/memory-tiered/memory/internal/must"
)

func TestMain(m *testing.M) {
	if runAsOtherUser() {
		return
	}
	leaks.Check(m)
}

// testServer is a server on a real socket, with a client and raw requests.
type testServer struct {
	t       *testing.T
	socket  string
	client  *api.Client
	log     *lockedBuffer
	stop    context.CancelFunc
	stopped chan error
}

// socketPath returns a path for a socket that is short enough for every system.
func socketPath(t *testing.T) string {
	t.Helper()
	dir := must.Get(os.MkdirTemp("", "api"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "state", "s.sock")
}

// serve starts a server. A busy machine exceeds none of its time limits but those that
// the test sets.
func serve(t *testing.T, b api.Backend, o api.Options) *testServer {
	t.Helper()
	s := &testServer{t: t, socket: socketPath(t), log: &lockedBuffer{}, stopped: make(chan error, 1)}
	l := must.Get(api.Listen(s.socket))(t)
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(s.log, nil))
	}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(t.Context())
	o.Timeouts.Header, o.Timeouts.Body = cmp.Or(o.Timeouts.Header, waitLimit), cmp.Or(o.Timeouts.Body, waitLimit)
	o.Timeouts.Answer, o.Timeouts.Write = cmp.Or(o.Timeouts.Answer, waitLimit), cmp.Or(o.Timeouts.Write, waitLimit)
	go func() { s.stopped <- api.Serve(ctx, l, b, o) }()
	s.client = api.Dial(s.socket)
	s.client.SetTimeouts(waitLimit, waitLimit, waitLimit)
	t.Cleanup(func() {
		_ = s.client.Close()
		s.stop()
		if err := <-s.stopped; err != nil {
			t.Errorf("Serve: %v", err)
		}
		s.stopped <- nil
	})
	return s
}

// answer is an HTTP answer.
type answer struct {
	status int
	header http.Header
	body   string
}

// failure returns the error in the answer. It must have code, message and hint.
func (a answer) failure(t *testing.T) api.Failure {
	t.Helper()
	var body struct{ Error api.Failure }
	if err := json.Unmarshal([]byte(a.body), &body); err != nil {
		t.Fatalf("status %d, not JSON: %q", a.status, a.body)
	}
	if body.Error.Code == "" || body.Error.Message == "" || body.Error.Hint == "" {
		t.Errorf("status %d: code, message or hint is empty: %s", a.status, a.body)
	}
	return body.Error
}

// ask sends one request over its own connection.
func (s *testServer) ask(method, path, body string, header ...string) answer {
	s.t.Helper()
	got, err := s.tryAsk(method, path, body, header...)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	return got
}

func (s *testServer) tryAsk(method, path, body string, header ...string) (answer, error) {
	r, err := http.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	r.Close = true
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		} else {
			r.Header.Set(header[i], header[i+1])
		}
	}
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", s.socket)
	}}
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	src, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(src)}, err
}

// dial opens a raw connection.
func (s *testServer) dial() net.Conn {
	s.t.Helper()
	conn := must.Get(net.Dial("unix", s.socket))(s.t)
	s.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// readAnswer reads one answer from a raw connection.
func readAnswer(t *testing.T, conn net.Conn) answer {
	t.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(waitLimit))
	response := must.Get(http.ReadResponse(bufio.NewReader(conn), nil))(t)
	defer response.Body.Close()
	src := must.Get(io.ReadAll(response.Body))(t)
	return answer{response.StatusCode, response.Header, string(src)}
}

// waitLimit ends a test whose condition never holds. It is long, so that a slow machine
// does not fail the test.
const waitLimit = 5 * time.Minute

// tryLimits calls attempt with time limits from 100 ms on, until one succeeds. Only the
// fault of the test may exceed the limit. On a busy machine, others exceed a short one.
func tryLimits(t *testing.T, attempt func(limit time.Duration) error) {
	t.Helper()
	var err error
	for limit := 100 * time.Millisecond; limit < waitLimit; limit *= 3 {
		if err = attempt(limit); err == nil {
			return
		}
	}
	t.Error(err)
}

// eventually waits until another goroutine has made ok true.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(waitLimit); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timeout: %s", what)
		}
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
