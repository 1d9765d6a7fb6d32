package inspector

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
)

const (
	headerTimeout = 10 * time.Second // a browser on the same machine sends its headers at once
	stopTimeout   = 2 * time.Second  // for the requests in flight when the pages close
)

// Server opens the pages on a port of this machine when they are asked for. It closes the
// port when nobody has used them for a while.
type Server struct {
	options Options
	idle    time.Duration

	mu     sync.Mutex
	closed bool
	open   *opened // nil: the port is closed
	done   sync.WaitGroup
}

// opened is an open port.
type opened struct {
	*Inspector
	address string
	web     *http.Server
	timer   *time.Timer // closes the port
}

// NewServer returns a server that closes its port after idle without a request.
func NewServer(o Options, idle time.Duration) *Server { return &Server{options: o, idle: idle} }

// Open opens the port, unless it is open, and returns an address with a new token.
func (s *Server) Open() (address string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return "", memory.Unavailable(nil, "the service is stopping")
	}
	if s.open == nil {
		if err := s.listen(); err != nil {
			return "", err
		}
	}
	s.open.timer.Reset(s.idle)
	return s.open.address + openPath + "?token=" + s.open.Token(), nil
}

// listen opens the port and serves it. The caller holds the lock.
func (s *Server) listen() error {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return memory.Unavailable(err, "open a port for the inspector")
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	o := &opened{Inspector: New(s.options, "127.0.0.1:"+port, "localhost:"+port), address: "http://127.0.0.1:" + port}
	o.web = &http.Server{Handler: s.counting(o), ReadHeaderTimeout: headerTimeout}
	o.timer = time.AfterFunc(s.idle, func() { s.close(o) })
	s.open = o
	s.done.Go(func() { _ = o.web.Serve(listener) })
	return nil
}

// counting notes each request, so that the port stays open.
func (s *Server) counting(o *opened) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.timer.Reset(s.idle)
		o.ServeHTTP(w, r)
	})
}

// close closes a port that is open.
func (s *Server) close(o *opened) {
	s.mu.Lock()
	if s.open != o {
		s.mu.Unlock()
		return
	}
	s.open = nil
	s.mu.Unlock()
	o.timer.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if o.web.Shutdown(ctx) != nil {
		_ = o.web.Close()
	}
}

// Close closes the port, and opens it no more.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	o := s.open
	s.mu.Unlock()
	if o != nil {
		s.close(o)
	}
	s.done.Wait()
	return nil
}

// Wait returns when the port has closed by itself, or when ctx ends.
func (s *Server) Wait(ctx context.Context) error {
	closed := make(chan struct{})
	go func() { s.done.Wait(); close(closed) }()
	select {
	case <-closed:
	case <-ctx.Done():
	}
	return s.Close()
}
