package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
)

const contentEvents = "text/event-stream"

// The events of a stream: any number of progress events, then one result or one
// error.
const (
	eventProgress = "progress" // memory.Progress
	eventResult   = "result"   // the answer
	eventError    = "error"    // the body of an error answer
)

// wantsEvents reports whether a client asks for progress events.
func wantsEvents(r *http.Request) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(r.Header.Values("Accept"), ","), ","), func(accepted string) bool {
		mediaType, _, err := mime.ParseMediaType(accepted)
		return err == nil && mediaType == contentEvents
	})
}

// stream answers with events. An error before the first event is answered like
// any other error.
func (s *server) stream(ctx context.Context, w *response, matched *route, request any) error {
	e := eventWriter{w: w}
	var beats sync.WaitGroup
	beating, stop := context.WithCancel(ctx)
	beats.Go(func() { e.beat(beating, s.Timeouts.Heartbeat) })
	answer, err := s.run(ctx, matched, request, e.progress)
	stop()
	beats.Wait()
	if err == nil {
		return e.send(eventResult, answer)
	}
	if !w.started() || clientLeft(ctx) {
		return err
	}
	return e.send(eventError, s.describe(err))
}

// progressInterval is the shortest time between two progress events: a person's
// eye follows no faster change.
const progressInterval = 50 * time.Millisecond

// heartbeat is a comment of server-sent events, which clients ignore.
var heartbeat = []byte(": working\n\n")

// eventWriter writes server-sent events.
type eventWriter struct {
	mu    sync.Mutex // heartbeats come from another goroutine than progress
	w     *response
	last  time.Time // when progress was last sent
	stage string
	err   error // of the first event that could not be sent: the client has left
}

// progress sends how far a task is, at most once per progressInterval. It
// always sends the first and the last step of a stage.
func (e *eventWriter) progress(p memory.Progress) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := time.Now()
	if e.err != nil || (p.Stage == e.stage && p.Done < p.Total && now.Sub(e.last) < progressInterval) {
		return
	}
	e.last, e.stage = now, p.Stage
	e.err = e.send(eventProgress, p)
}

// beat sends heartbeats until ctx is done. A client that gets none for several
// intervals knows that the service is stopped.
func (e *eventWriter) beat(ctx context.Context, interval time.Duration) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		e.mu.Lock()
		if e.err == nil {
			e.err = e.push(heartbeat)
		}
		e.mu.Unlock()
	}
}

func (e *eventWriter) send(name string, data any) error {
	body, err := encode(data)
	if err != nil {
		return fmt.Errorf("encode the event %s: %w", name, err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "event: %s\ndata: %s\n", name, body) // body ends with a newline
	return e.push(b.Bytes())
}

// push sends a part of the stream, and before the first one the header.
func (e *eventWriter) push(part []byte) error {
	if !e.w.started() {
		e.w.writeHeader(http.StatusOK, contentEvents, 0)
	}
	return e.w.push(part)
}

// errSilent is the cause of a stream that ends because the service sent nothing for
// too long.
var errSilent = errors.New("no sign of life from the service")

// askEvents sends a request and reads the events of its answer. It passes on
// the progress, which may be nil, and returns the result. The stream may take any
// time, as long as the service shows that it works.
func askEvents[R, A any](ctx context.Context, c *Client, to row[R, A], request R, progress func(memory.Progress)) (answer A, err error) {
	return readEvents[A](ctx, c, progress, func(ctx context.Context) (*http.Response, error) {
		return c.send(ctx, to.method, to.pathOf(request), contentEvents, request)
	})
}

// readEvents reads the events of the answer that send gets.
func readEvents[A any](ctx context.Context, c *Client, progress func(memory.Progress), send func(context.Context) (*http.Response, error)) (answer A, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(c.timeouts.silence, func() { cancel(errSilent) })
	defer silence.Stop()
	defer func() {
		if errors.Is(context.Cause(ctx), errSilent) && err != nil {
			err = c.noAnswer(errSilent)
		}
	}()
	response, err := send(ctx)
	if err != nil {
		return answer, err
	}
	defer closeBody(response)
	body := signsOfLife{response.Body, func() { silence.Reset(c.timeouts.silence) }}
	if response.Header.Get("Content-Type") != contentEvents { // a server may answer without events
		if err := json.NewDecoder(body).Decode(&answer); err != nil {
			return answer, c.connectionError(ctx, err)
		}
		return answer, nil
	}
	lines := bufio.NewReader(body)
	for {
		name, data, err := readEvent(lines)
		if err != nil {
			return answer, c.connectionError(ctx, err)
		}
		switch name {
		case eventProgress:
			var p memory.Progress
			if err := json.Unmarshal(data, &p); err != nil {
				return answer, c.connectionError(ctx, err)
			}
			if progress != nil {
				progress(p)
			}
		case eventResult:
			if err := json.Unmarshal(data, &answer); err != nil {
				return answer, c.connectionError(ctx, err)
			}
			return answer, nil
		case eventError:
			var f failureBody
			if err := json.Unmarshal(data, &f); err != nil {
				return answer, c.connectionError(ctx, err)
			}
			return answer, f.Error.Err()
		}
	}
}

// signsOfLife calls alive whenever something arrives.
type signsOfLife struct {
	io.Reader
	alive func()
}

func (r signsOfLife) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if n > 0 {
		r.alive()
	}
	return n, err
}

// readEvent reads one event, up to the empty line that ends it. A stream that
// ends before its result is an error.
func readEvent(lines *bufio.Reader) (name string, data []byte, err error) {
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", nil, err
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" && name != "" {
			return name, data, nil
		}
		switch key, value, _ := strings.Cut(line, ":"); key {
		case "event":
			name = strings.TrimPrefix(value, " ")
		case "data":
			data = append(data, strings.TrimPrefix(value, " ")...)
		}
	}
}
