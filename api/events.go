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
func (s *server) stream(ctx context.Context, w *response, matched route, request any) error {
	e := eventWriter{w: w}
	answer, err := s.run(ctx, matched, request, e.progress)
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

// eventWriter writes server-sent events.
type eventWriter struct {
	w     *response
	last  time.Time // when progress was last sent
	stage string
	err   error // of the first event that could not be sent: the client has left
}

// progress sends how far a task is, at most once per progressInterval. It
// always sends the first and the last step of a stage.
func (e *eventWriter) progress(p memory.Progress) {
	now := time.Now()
	if e.err != nil || (p.Stage == e.stage && p.Done < p.Total && now.Sub(e.last) < progressInterval) {
		return
	}
	e.last, e.stage = now, p.Stage
	e.err = e.send(eventProgress, p)
}

func (e *eventWriter) send(name string, data any) error {
	body, err := encode(data)
	if err != nil {
		return fmt.Errorf("encode the event %s: %w", name, err)
	}
	if !e.w.started() {
		e.w.writeHeader(http.StatusOK, contentEvents, 0)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "event: %s\ndata: %s\n", name, body) // body ends with a newline
	return e.w.push(b.Bytes())
}

// callEvents sends a request and reads the events of its answer. It passes on
// the progress and returns the result.
func callEvents[A any](ctx context.Context, c *Client, method, path string, request any, progress func(memory.Progress)) (answer A, err error) {
	response, err := c.send(ctx, method, path, contentEvents, request)
	if err != nil {
		return answer, err
	}
	defer closeBody(response)
	lines := bufio.NewReader(response.Body)
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
			progress(p)
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
