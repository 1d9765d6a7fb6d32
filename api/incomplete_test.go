package api_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/must"
)

// incompleteRequests are requests whose bodies begin and do not end.
var incompleteRequests = []string{
	"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n{\"text\":\"half",
	"POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n{\"action\":\"forget\"",
	"PUT /v1/context HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n",
	"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"que",
}

func TestBodyThatDoesNotArriveIsAnError(t *testing.T) {
	backend := &fakeBackend{}
	s := serve(t, backend, api.Options{Timeouts: api.Timeouts{Body: 50 * time.Millisecond}})
	for _, start := range incompleteRequests {
		line, _, _ := strings.Cut(start, "\r\n")
		t.Run(line, func(t *testing.T) {
			stalled, closed := s.dial(), s.dial()
			fmt.Fprint(stalled, start)
			fmt.Fprint(closed, start)
			must.Do(t, closed.(*net.UnixConn).CloseWrite())
			for name, conn := range map[string]net.Conn{"stalled": stalled, "closed": closed} {
				got := readAnswer(t, conn)
				if f := got.failure(t); got.status != 400 || f.Code != "invalid" || !strings.Contains(f.Message, "did not arrive") {
					t.Errorf("%s: %d %+v", name, got.status, f)
				}
			}
		})
	}
	if call := backend.lastCall(); call != nil {
		t.Errorf("the backend was called with %v", call)
	}
}

// The answer comes although the client sends only the first byte of what it announced.
func TestAnnouncedLengthOverTheLimitIsRefusedAtOnce(t *testing.T) {
	backend := &fakeBackend{}
	s := serve(t, backend, api.Options{})
	conn := s.dial()
	fmt.Fprint(conn, "POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n{")
	got := readAnswer(t, conn)
	if f := got.failure(t); got.status != 413 || f.Code != "invalid" || backend.lastCall() != nil {
		t.Errorf("%d %+v, call %v", got.status, f, backend.lastCall())
	}
	_ = conn.Close()
}

// A client may close its own side after the request, as nc -N does. It never gets 200
// for a request that ended with its connection.
func TestClientThatClosesItsSideGetsAnError(t *testing.T) {
	s := serve(t, &fakeBackend{hook: func(ctx context.Context, use string, _ any) error {
		if use == "Recall" {
			<-ctx.Done()
		}
		return ctx.Err()
	}}, api.Options{})
	conn := s.dial()
	fmt.Fprint(conn, "POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n{\"prompt\":\"a\"}")
	must.Do(t, conn.(*net.UnixConn).CloseWrite())
	got := readAnswer(t, conn)
	if f := got.failure(t); got.status != 503 || f.Code != "unavailable" {
		t.Errorf("%d %+v", got.status, f)
	}
}
