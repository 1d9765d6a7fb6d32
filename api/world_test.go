package api_test

import (
	"bufio"
	"bytes"
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

	"go.uber.org/goleak"

	"github.com/memory-tiered/memory/api"
)

func TestMain(m *testing.M) {
	if asStranger() {
		return
	}
	goleak.VerifyTestMain(m)
}

// world is a server on a real socket, and ways to talk to it.
type world struct {
	t       *testing.T
	socket  string
	client  *api.Client
	log     *lockedBuffer
	stop    context.CancelFunc
	stopped chan error
}

// socketPath is a place for a socket, short enough for every system.
func socketPath(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "api")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "state", "s.sock")
}

func serve(t *testing.T, b api.Backend, o api.Options) *world {
	t.Helper()
	w := &world{t: t, socket: socketPath(t), log: &lockedBuffer{}, stopped: make(chan error, 1)}
	l, err := api.Listen(w.socket)
	if err != nil {
		t.Fatal(err)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(w.log, nil))
	}
	var ctx context.Context
	ctx, w.stop = context.WithCancel(t.Context())
	go func() { w.stopped <- api.Serve(ctx, l, b, o) }()
	w.client = api.Dial(w.socket)
	t.Cleanup(func() {
		_ = w.client.Close()
		w.stop()
		if err := <-w.stopped; err != nil {
			t.Errorf("Serve: %v", err)
		}
		w.stopped <- nil
	})
	return w
}

// answer is an answer as it came over the wire.
type answer struct {
	status int
	header http.Header
	body   string
}

// failure is the error that the answer holds, which must be a whole one.
func (a answer) failure(t *testing.T) api.Failure {
	t.Helper()
	var body struct{ Error api.Failure }
	if err := json.Unmarshal([]byte(a.body), &body); err != nil {
		t.Fatalf("status %d, no JSON: %q", a.status, a.body)
	}
	if body.Error.Code == "" || body.Error.Message == "" || body.Error.Hint == "" {
		t.Errorf("status %d: code, message or hint is empty: %s", a.status, a.body)
	}
	return body.Error
}

// ask sends one request over a connection of its own.
func (w *world) ask(method, path, body string, header ...string) answer {
	w.t.Helper()
	r, err := http.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
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
		return new(net.Dialer).DialContext(ctx, "unix", w.socket)
	}}
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(r)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	src, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer{response.StatusCode, response.Header, string(src)}
}

// dial opens a bare connection.
func (w *world) dial() net.Conn {
	w.t.Helper()
	conn, err := net.Dial("unix", w.socket)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// read reads one answer from a bare connection.
func read(t *testing.T, conn net.Conn) answer {
	t.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	src, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(src)}
}

// eventually waits for what another goroutine is about to do.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
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
