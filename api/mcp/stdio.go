package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memory-tiered/memory"
)

// ServeStreams serves the protocol on two streams, one message a line. It returns when
// the input has ended and every request in it is answered, or when ctx ends.
func ServeStreams(ctx context.Context, in io.Reader, out io.Writer, s *sdk.Server) error {
	err := s.Run(ctx, answering{&sdk.IOTransport{Reader: io.NopCloser(in), Writer: keepOpen{out}}})
	if err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
		return memory.Unavailable(err, "serve the protocol")
	}
	return nil
}

// lastAnswers is how long answers may take after the end of the input. A request that the
// client has cancelled never gets one.
const lastAnswers = 30 * time.Second

// keepOpen leaves a stream open when the server ends.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

// answering is a transport whose input ends only when every request is answered.
type answering struct{ sdk.Transport }

func (t answering) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	return &answeringConnection{Connection: c, answered: make(chan struct{}, 1)}, err
}

type answeringConnection struct {
	sdk.Connection
	mu       sync.Mutex
	open     int           // requests without an answer
	answered chan struct{} // receives after an answer
}

func (c *answeringConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if r, ok := message.(*jsonrpc.Request); ok && r.ID.IsValid() {
		c.count(1)
	}
	if err != nil {
		c.wait(ctx)
	}
	return message, err
}

func (c *answeringConnection) Write(ctx context.Context, message jsonrpc.Message) error {
	err := c.Connection.Write(ctx, message)
	if _, ok := message.(*jsonrpc.Response); ok {
		c.count(-1)
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}

// wait returns when every request is answered, or after lastAnswers.
func (c *answeringConnection) wait(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lastAnswers)
	defer cancel()
	for ctx.Err() == nil && c.count(0) > 0 {
		select {
		case <-ctx.Done():
		case <-c.answered:
		}
	}
}

// count adds to the number of open requests, and returns it.
func (c *answeringConnection) count(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += n
	return c.open
}
