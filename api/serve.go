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

	"github.com/memory-tiered/memory/api/caller"
)

// Options configures a server. The zero value is a good choice.
type Options struct {
	Version     string       // sent with every answer, in the header Memory-Version
	Log         *slog.Logger // nil: no log
	Concurrency int          // requests answered at the same time; 0: 64. More are told to try again
	Timeouts    Timeouts

	// Authenticate tells who sent a request over the network. Nil: requests come over the socket.
	Authenticate func(*http.Request) (caller.Caller, error)
}

// Timeouts limits every phase of a request. A zero field has its default.
type Timeouts struct {
	Header time.Duration // until a request's header has arrived: 5 s, far more than a local client needs
	Body   time.Duration // until its body has arrived: 10 s, for the same reason
	Answer time.Duration // until a use case has answered: 30 s, a thousand times what one takes
	Long   time.Duration // until an index run has: 2 h, for the first one with a slow embedding provider
	Write  time.Duration // until the client has read the answer: 30 s
	Idle   time.Duration // between two requests of a connection: 2 min, longer than clients keep a connection
	Drain  time.Duration // for the requests in flight when the server stops: 10 s; then they are cancelled

	Heartbeat time.Duration // between two heartbeats of a stream of events: 5 s
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

		Heartbeat: cmp.Or(t.Heartbeat, heartbeatInterval),
	}
}

// heartbeatInterval is the default of Timeouts.Heartbeat.
const heartbeatInterval = 5 * time.Second

const (
	// defaultConcurrency is the default of Options.Concurrency: far above what a
	// person's agents ask at once, and below what slows the machine down.
	defaultConcurrency = 64
	// admittedPerSlot is how many requests may be read, answered or written for
	// each request that may be answered. Clients that send or read slowly then do
	// not block the others.
	admittedPerSlot = 4
	// connectionsPerSlot is how many connections may be open for each request that may be
	// answered. Most of them are idle. By default 512 may be open: half of the handles that
	// the strictest system allows. One more is closed at once.
	connectionsPerSlot = 8
	// maxHeader limits a request's header, query included, in bytes.
	maxHeader = 16 << 10
	// closeDelay is how long cancelled requests have to answer their clients before
	// the server closes the connections.
	closeDelay = time.Second
	// cancelTimeout is how long a use case has to return after its request was
	// cancelled.
	cancelTimeout = 5 * time.Second
)

// Serve offers a backend on a listener until ctx is done. It then accepts no
// more requests, finishes the requests in flight, and returns nil. It cancels
// those that take longer than Timeouts.Drain. Serve closes the listener, and
// returns only when nothing uses the backend any more.
func Serve(ctx context.Context, l net.Listener, b Backend, o Options) error {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Concurrency = cmp.Or(o.Concurrency, defaultConcurrency)
	o.Timeouts = o.Timeouts.withDefaults()

	// Requests outlive ctx: its end stops the server, but cancels no request.
	base, cancelRequests := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancelRequests(nil)
	s := newServer(b, o)
	h := &http.Server{
		Handler:                      s,
		ReadHeaderTimeout:            o.Timeouts.Header,
		IdleTimeout:                  o.Timeouts.Idle,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
		BaseContext:                  func(net.Listener) context.Context { return base },
		ConnState:                    s.limitConnections,
	}
	if o.Authenticate == nil {
		h.ConnContext = withPeer
	}
	stopped := make(chan error, 1)
	go func() { stopped <- h.Serve(l) }()
	select {
	case err := <-stopped:
		cancelRequests(errStopping)
		return errors.Join(fmt.Errorf("serve %s: %w", l.Addr(), err), h.Close(), s.admitted.drain(cancelTimeout))
	case <-ctx.Done():
	}
	err := s.stop(base, h, cancelRequests)
	<-stopped // http.ErrServerClosed, as expected
	return err
}

// stop waits until Drain for the requests in flight, then cancels them.
func (s *server) stop(base context.Context, h *http.Server, cancelRequests func(error)) error {
	drain, done := context.WithTimeout(base, s.Timeouts.Drain)
	defer done()
	if err := h.Shutdown(drain); err != nil {
		s.Log.Warn("requests cancelled", "after", s.Timeouts.Drain)
		cancelRequests(errStopping)
		closing := time.AfterFunc(closeDelay, func() { _ = h.Close() })
		defer closing.Stop()
		return errors.Join(s.admitted.drain(cancelTimeout), h.Close())
	}
	return s.admitted.drain(cancelTimeout)
}

// limitConnections closes a new connection if too many are open, so that clients cannot use
// up the handles of the process.
func (s *server) limitConnections(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		if s.connections.Add(1) > int64(connectionsPerSlot*s.Concurrency) {
			s.Log.Debug("a connection is closed: too many are open")
			_ = c.Close()
		}
	case http.StateClosed, http.StateHijacked:
		s.connections.Add(-1)
	}
}

// gate is a semaphore: its capacity is how many may be inside.
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

// drain waits until everyone has left, and lets no one in again.
func (g gate) drain(timeout time.Duration) error {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for range cap(g) {
		select {
		case g <- struct{}{}:
		case <-timer.C:
			return errors.New("a request did not end after it was cancelled")
		}
	}
	return nil
}
