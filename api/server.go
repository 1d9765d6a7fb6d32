package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api/caller"
)

// server answers requests, one call of ServeHTTP each.
type server struct {
	Options
	backend   Backend
	admitted  gate // requests that are read or answered
	answering gate // requests that a use case works on
	metrics   *metrics

	connections atomic.Int64 // that are open
}

func newServer(b Backend, o Options) *server {
	return &server{Options: o, backend: b, metrics: newMetrics(),
		admitted: make(gate, admittedPerSlot*o.Concurrency), answering: make(gate, o.Concurrency)}
}

// ServeHTTP answers one request. It recovers from panics, and panics itself
// only with http.ErrAbortHandler, to cut off an answer that has begun.
func (s *server) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	begin := time.Now()
	w := &response{ResponseWriter: rw, timeout: s.Timeouts.Write}
	w.Header().Set("Memory-Version", s.Version)
	s.metrics.inFlight.Add(1)
	matched, who := &route{}, caller.Caller{} // of no path
	defer func() {
		abort := false
		if p := recover(); p != nil {
			abort = s.recovered(w, matched, p)
		}
		s.metrics.inFlight.Add(-1)
		s.metrics.observe(matched, w.status, time.Since(begin))
		s.Log.Log(r.Context(), s.requestLevel(), "answered", "caller", who.Name, "method", r.Method, "route", matched.path, "status", w.status, "took", time.Since(begin))
		if abort {
			panic(http.ErrAbortHandler) // closes the connection without a log entry
		}
	}()
	if err := s.handle(w, r, &who, &matched); err != nil {
		s.fail(w, r, err)
	}
}

// requestLevel is the level at which requests are logged. Who asked for what over the network
// can be looked up later.
func (s *server) requestLevel() slog.Level {
	if s.Authenticate != nil {
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// handle checks who asks, finds the route, reads the request and answers it.
func (s *server) handle(w *response, r *http.Request, who *caller.Caller, matched **route) (err error) {
	if r.ContentLength != 0 { // a body must arrive in time even if nothing reads it
		w.setReadTimeout(s.Timeouts.Body)
	}
	if *who, err = s.callerOf(r); err != nil {
		return err
	}
	if !s.admitted.enter() {
		return busy()
	}
	defer s.admitted.leave()
	found, pathValues, err := find(r.Method, r.URL.EscapedPath())
	if err != nil {
		return err
	}
	*matched = found
	var body []byte
	if found.upload == nil {
		if body, err = readBody(r); err != nil {
			w.Header().Set("Connection", "close") // the start of the next request is unknown
			return err
		}
	}
	request, err := found.decode(body, r.URL.RawQuery, pathValues)
	if err != nil {
		return err
	}
	if err := reach(*who, found, request); err != nil {
		return err
	}
	return s.answer(w, r, *who, found, request)
}

func busy() error {
	return &httpError{memory.Unavailable(nil, "the service already answers as many requests as it may").
		WithHint("try again in a second"), http.StatusServiceUnavailable}
}

// answer runs the use case within its time limit and sends its answer.
func (s *server) answer(w *response, r *http.Request, who caller.Caller, matched *route, request any) error {
	if matched.write != nil {
		return matched.write(s, w)
	}
	limit := s.Timeouts.Answer
	if matched.long {
		limit = s.Timeouts.Long
	}
	ctx, cancel := context.WithTimeout(r.Context(), limit)
	defer cancel()
	if matched.lines != nil {
		return s.answerLines(ctx, w, matched, request)
	}
	if matched.upload != nil {
		defer s.receive(w, r, matched, request)()
	}
	if matched.events && wantsEvents(r) {
		return s.stream(ctx, w, matched, request)
	}
	answer, err := s.run(ctx, matched, request, nil)
	if err != nil {
		return err
	}
	body, err := encode(within(who, answer))
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	if workspace, receipt := matched.receiptOf(request, answer); receipt != "" {
		return w.deliver(body, func() { s.countUses(r.Context(), workspace, receipt) })
	}
	return w.send(contentJSON, body)
}

// run runs the use case if the concurrency limit allows it. It frees its place
// before the answer is sent. A client that has read an answer finds the place
// free. A client that reads slowly delays no other.
func (s *server) run(ctx context.Context, matched *route, request any, progress func(memory.Progress)) (any, error) {
	if !matched.always {
		if !s.answering.enter() {
			return nil, busy()
		}
		defer s.answering.leave()
	}
	return matched.serve(ctx, s.backend, request, progress)
}

// countUses counts the memories of an answer as used, unless its client has
// left.
func (s *server) countUses(ctx context.Context, workspace, receipt string) {
	if clientLeft(ctx) {
		return
	}
	if err := s.backend.Delivered(context.WithoutCancel(ctx), workspace, receipt); err != nil {
		s.Log.Warn("uses not counted", "workspace", workspace, "error", err)
	}
}

// statusClientLeft is the status in the metrics of a request whose client left
// before the answer. No client ever receives it: a client that closed only its own
// side gets 503. (nginx made 499 common.)
const statusClientLeft = 499

// errStopping is the cause of a request that ends because the server stops. Its
// client is still there and gets this error.
var errStopping = errors.New("the service is stopping")

// clientLeft reports whether a request ended because its client left.
func clientLeft(ctx context.Context) bool { return errors.Is(context.Cause(ctx), context.Canceled) }

// fail answers with an error. Each request gets one, also if its client seems to have
// left: net/http itself would answer 200. A client may have closed only its own side,
// and the context also ends when a body does not arrive.
func (s *server) fail(w *response, r *http.Request, err error) {
	if w.started() {
		w.status = statusClientLeft
		return
	}
	if clientLeft(r.Context()) && !errors.As(err, new(*httpError)) {
		w.sendFailure(http.StatusServiceUnavailable, s.describe(clientClosed()))
		w.status = statusClientLeft
		return
	}
	if method, ok := errors.AsType[*wrongMethod](err); ok {
		w.Header().Set("Allow", method.allow)
	}
	code := Status(err)
	if code == http.StatusServiceUnavailable || code == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	w.sendFailure(code, s.describe(err))
	if code == http.StatusRequestEntityTooLarge {
		discardRest(r)
	}
}

func clientClosed() error {
	return memory.Unavailable(nil, "the client closed its side of the connection before the answer").
		WithHint("keep the connection open in both directions until the answer has arrived")
}

// describe returns the body of an error answer. It logs a bug under a request
// id that the hint repeats.
func (s *server) describe(err error) failureBody {
	f := Describe(err)
	if f.Code == internal.code {
		id := newRequestID()
		s.Log.Error("internal error", "request", id, "error", err)
		f.Hint = internalHint(id)
	}
	return failureBody{f}
}

// recovered logs a panic and answers with an internal error. abort reports that
// the answer has already begun and must be cut off.
func (s *server) recovered(w *response, matched *route, p any) (abort bool) {
	id := newRequestID()
	s.Log.Error("panic", "request", id, "route", matched.method+" "+matched.path, "panic", p, "stack", string(debug.Stack()))
	if w.started() {
		return true
	}
	w.sendFailure(internal.status, failureBody{Failure{Code: internal.code, Message: "the service failed to answer", Hint: internalHint(id)}})
	return false
}

func internalHint(requestID string) string { return internal.hint + " (request " + requestID + ")" }

// newRequestID makes an id for a failed request. The answer and the log both
// show it. Eight characters distinguish the failures of a day.
func newRequestID() string { return rand.Text()[:8] }
