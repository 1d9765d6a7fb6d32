package api

import (
	"bytes"
	"context"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

const contentEvents = "text/event-stream"

// The events of a stream: any number of progress, then one of the others.
const (
	eventProgress = "progress" // memory.Progress
	eventResult   = "result"   // the answer
	eventError    = "error"    // as the body of an error answer
)

// wantsEvents says whether a client asks to be told how far a task is.
func wantsEvents(r *http.Request) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(r.Header.Values("Accept"), ","), ","), func(accepted string) bool {
		kind, _, err := mime.ParseMediaType(accepted)
		return err == nil && kind == contentEvents
	})
}

// stream answers with events. What fails before the first of them is answered
// as any failure is.
func (s *server) stream(ctx context.Context, w *response, asked route, request any) error {
	e := events{w: w}
	answer, err := s.work(ctx, asked, request, e.progress)
	if err == nil {
		return e.send(eventResult, answer)
	}
	if !w.begun() || gone(ctx) {
		return err
	}
	return e.send(eventError, s.describe(err))
}

// pace is how often progress is told at most: what a person's eye can follow.
const pace = 50 * time.Millisecond

// events writes server-sent events.
type events struct {
	w     *response
	told  time.Time
	stage string
	err   error // of the first event that could not be sent: the client is gone
}

// progress tells how far a task is, unless it was told just now; the beginning
// and the end of a stage always are.
func (e *events) progress(p memory.Progress) {
	now := time.Now()
	if e.err != nil || (p.Stage == e.stage && p.Done < p.Total && now.Sub(e.told) < pace) {
		return
	}
	e.told, e.stage = now, p.Stage
	e.err = e.send(eventProgress, p)
}

func (e *events) send(name string, data any) error {
	body, err := encode(data)
	if err != nil {
		return fmt.Errorf("encode the event %s: %w", name, err)
	}
	if !e.w.begun() {
		e.w.head(http.StatusOK, contentEvents, 0)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "event: %s\ndata: %s\n", name, body) // the body ends its own line
	return e.w.push(b.Bytes())
}
