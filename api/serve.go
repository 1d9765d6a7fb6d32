package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Options says how a backend is served. The zero value is a good choice.
type Options struct {
	Version     string       // on every answer, in the header Memory-Version
	Log         *slog.Logger // nil: nothing is logged
	Concurrency int          // requests answered at once, 64 if 0; more are told to come again
	Timeouts    Timeouts
}

// Timeouts bounds every phase of a request. What is zero has its default.
type Timeouts struct {
	Header time.Duration // until a request's header is there: 5 s, a local client needs none
	Body   time.Duration // until its body is there: 10 s, likewise
	Answer time.Duration // until a use case has answered: 30 s, a thousand times what one takes
	Long   time.Duration // until an index has: 2 h, for a first one with a slow embedding provider
	Write  time.Duration // until the client has taken the answer: 30 s
	Idle   time.Duration // between requests of a connection: 2 min, longer than clients keep one
	Drain  time.Duration // for what is in flight when the server stops: 10 s, then it is cut off
}

func (t Timeouts) withDefaults() Timeouts {
	return Timeouts{
		Header: cmp.Or(t.Header, 5*time.Second),
		Body:   cmp.Or(t.Body, 10*time.Second),
		Answer: cmp.Or(t.Answer, 30*time.Second),
		Long:   cmp.Or(t.Long, 2*time.Hour),
		Write:  cmp.Or(t.Write, 30*time.Second),
		Idle:   cmp.Or(t.Idle, 2*time.Minute),
		Drain:  cmp.Or(t.Drain, 10*time.Second),
	}
}

const (
	// concurrency is how many requests are answered at once where Options does
	// not say: far above what a person's agents ask, below what hurts.
	concurrency = 64
	// waiting is how many requests, for each that may be answered, may be on their
	// way in or out: those who are slow to send or to read do not keep the others
	// from being answered.
	waiting = 4
	// maxHeader is what a request's header may hold, query included.
	maxHeader = 16 << 10
	// parting is how long requests that are cut off have to tell their clients so
	// before the connections are closed.
	parting = time.Second
	// cutOff is how long a use case has to notice that its request was given up.
	cutOff = 5 * time.Second
)

// Serve offers a backend on a listener until ctx is done; then it takes no more
// requests, finishes those in flight, and returns nil. Those that are not done
// within Timeouts.Drain are cancelled. It closes the listener, and returns only
// when the backend is no longer used.
func Serve(ctx context.Context, l net.Listener, b Backend, o Options) error {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Concurrency = cmp.Or(o.Concurrency, concurrency)
	o.Timeouts = o.Timeouts.withDefaults()

	// Requests outlive ctx: it says when to stop, not when to be cut off.
	base, abandon := context.WithCancelCause(context.WithoutCancel(ctx))
	defer abandon(nil)
	s := newServer(b, o)
	h := &http.Server{
		Handler:                      s,
		ReadHeaderTimeout:            o.Timeouts.Header,
		IdleTimeout:                  o.Timeouts.Idle,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
		BaseContext:                  func(net.Listener) context.Context { return base },
		ConnContext:                  identify,
	}
	stopped := make(chan error, 1)
	go func() { stopped <- h.Serve(l) }()
	select {
	case err := <-stopped:
		abandon(errCutOff)
		return errors.Join(fmt.Errorf("serve %s: %w", l.Addr(), err), h.Close(), s.admitted.drain(cutOff))
	case <-ctx.Done():
	}
	err := s.stop(base, h, abandon)
	<-stopped // http.ErrServerClosed, which is what was asked for
	return err
}

// stop ends the server: in peace while Drain lasts, then by force.
func (s *server) stop(base context.Context, h *http.Server, abandon func(error)) error {
	drain, done := context.WithTimeout(base, s.Timeouts.Drain)
	defer done()
	if err := h.Shutdown(drain); err != nil {
		s.Log.Warn("requests cut off", "after", s.Timeouts.Drain)
		abandon(errCutOff)
		closing := time.AfterFunc(parting, func() { _ = h.Close() })
		defer closing.Stop()
		return errors.Join(s.admitted.drain(cutOff), h.Close())
	}
	return s.admitted.drain(cutOff)
}

// gate bounds how many go through at once.
type gate chan struct{}

func (g gate) enter() bool {
	select {
	case g <- struct{}{}:
		return true
	default:
		return false
	}
}

func (g gate) leave() { <-g }

// drain closes the gate for good when the last has left.
func (g gate) drain(within time.Duration) error {
	late := time.NewTimer(within)
	defer late.Stop()
	for range cap(g) {
		select {
		case g <- struct{}{}:
		case <-late.C:
			return errors.New("a request did not end after it was cut off")
		}
	}
	return nil
}
