package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/memory-tiered/memory"
)

// server answers requests, one call of ServeHTTP each.
type server struct {
	Options
	backend   Backend
	routes    []route
	admitted  gate // requests being read or answered
	answering gate // requests that a use case is working on
	metrics   *metrics
}

func newServer(b Backend, o Options) *server {
	return &server{Options: o, backend: b, routes: routes(), metrics: newMetrics(),
		admitted: make(gate, waiting*o.Concurrency), answering: make(gate, o.Concurrency)}
}

// ServeHTTP answers one request, whatever it is, and never lets a panic out but
// the one that cuts an answer off that had begun.
func (s *server) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	begin := time.Now()
	w := &response{ResponseWriter: rw, timeout: s.Timeouts.Write}
	w.Header().Set("Memory-Version", s.Version)
	s.metrics.inFlight.Add(1)
	var asked route
	defer func() {
		abort := false
		if p := recover(); p != nil {
			abort = s.panicked(w, asked, p)
		}
		s.metrics.inFlight.Add(-1)
		s.metrics.observe(asked, w.status, time.Since(begin))
		s.Log.Debug("answered", "method", r.Method, "route", asked.path, "status", w.status, "took", time.Since(begin))
		if abort {
			panic(http.ErrAbortHandler) // closes the connection and says nothing
		}
	}()
	if err := s.handle(w, r, &asked); err != nil {
		s.fail(w, r, err)
	}
}

// handle takes a request through its phases: who asks, what for, and the answer.
func (s *server) handle(w *response, r *http.Request, asked *route) error {
	if r.ContentLength != 0 { // what it sends it must send soon, also where nobody reads it
		w.readWithin(s.Timeouts.Body)
	}
	if err := refuse(r); err != nil {
		return err
	}
	if !s.admitted.enter() {
		return busy()
	}
	defer s.admitted.leave()
	found, parts, err := find(s.routes, r.Method, r.URL.EscapedPath())
	if err != nil {
		return err
	}
	*asked = found
	body, err := readBody(r)
	if err != nil {
		w.Header().Set("Connection", "close") // where the next request would begin is unknown
		return err
	}
	request, err := found.decode(body, r.URL.RawQuery, parts)
	if err != nil {
		return err
	}
	return s.answer(w, r, found, request)
}

func busy() error {
	return &httpError{memory.Unavailable(nil, "the daemon is answering as many requests as it may").
		WithHint("try again in a second; limits.concurrency says how many"), http.StatusServiceUnavailable}
}

// answer sends what the use case says, within its time.
func (s *server) answer(w *response, r *http.Request, asked route, request any) error {
	if asked.write != nil {
		return asked.write(s, w)
	}
	limit := s.Timeouts.Answer
	if asked.long {
		limit = s.Timeouts.Long
	}
	ctx, cancel := context.WithTimeout(r.Context(), limit)
	defer cancel()
	if asked.events && wantsEvents(r) {
		return s.stream(ctx, w, asked, request)
	}
	answer, err := s.work(ctx, asked, request, nil)
	if err != nil {
		return err
	}
	body, err := encode(answer)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	if workspace, receipt := asked.counts(request, answer); receipt != "" {
		return w.deliver(body, func() { s.delivered(r.Context(), workspace, receipt) })
	}
	return w.whole(contentJSON, body)
}

// work lets the use case work, if it may. Its place is free again before the
// answer is sent: whoever has read one finds it free, and who reads slowly keeps
// nobody waiting.
func (s *server) work(ctx context.Context, asked route, request any, progress func(memory.Progress)) (any, error) {
	if !asked.always {
		if !s.answering.enter() {
			return nil, busy()
		}
		defer s.answering.leave()
	}
	return asked.serve(ctx, s.backend, request, progress)
}

// delivered counts the uses of an answer, if its reader is still there.
func (s *server) delivered(ctx context.Context, workspace, receipt string) {
	if gone(ctx) {
		return
	}
	if err := s.backend.Delivered(context.WithoutCancel(ctx), workspace, receipt); err != nil {
		s.Log.Warn("uses not counted", "workspace", workspace, "error", err)
	}
}

// statusGone stands in the metrics for a request whose client left before the
// answer: nobody gets to see it. (nginx made the number common.)
const statusGone = 499

// errCutOff is why a request ends that was still in flight when the server
// stopped: its client is there, and is told.
var errCutOff = errors.New("the daemon is stopping")

// gone says whether a request has ended because its client left.
func gone(ctx context.Context) bool { return errors.Is(context.Cause(ctx), context.Canceled) }

// fail answers with an error.
func (s *server) fail(w *response, r *http.Request, err error) {
	if gone(r.Context()) || w.begun() {
		w.status = statusGone
		return
	}
	var method *wrongMethod
	if errors.As(err, &method) {
		w.Header().Set("Allow", method.allow)
	}
	code := status(err)
	if code == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	w.finish(code, s.describe(err))
}

// describe says an error as the client gets it. One that is a bug is logged,
// under a number that the client gets to see.
func (s *server) describe(err error) failed {
	f := Describe(err)
	if f.Code == internal.code {
		id := requestID()
		s.Log.Error("internal error", "request", id, "error", err)
		f.Hint += ", under request " + id
	}
	return failed{f}
}

// panicked answers for a use case that panicked, or says that the answer, which
// had begun, must be cut off.
func (s *server) panicked(w *response, asked route, p any) (abort bool) {
	id := requestID()
	s.Log.Error("panic", "request", id, "route", asked.method+" "+asked.path, "panic", p, "stack", string(debug.Stack()))
	if w.begun() {
		return true
	}
	w.finish(internal.status, failed{Failure{Code: internal.code, Message: "something in the daemon broke",
		Hint: internal.hint + ", under request " + id}})
	return false
}

// requestID names a request in an answer and in the log; eight characters tell
// one day's apart.
func requestID() string { return rand.Text()[:8] }
