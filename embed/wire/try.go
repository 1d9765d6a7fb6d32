package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/memory-tiered/memory/embed"
)

// maxAnswer bounds what is read of an answer: 64 vectors of 4096 numbers, each
// written with 20 digits, and as much again.
const maxAnswer = 16 << 20

// batch asks for some texts until it is answered, or there is no use in asking.
// A batch that the server finds too much is halved; one text alone is shortened.
func (c *Client) batch(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors, err := c.tries(ctx, kind, texts)
	var refused *Refused
	if !errors.As(err, &refused) || !refused.tooMuch() {
		return vectors, err
	}
	if n := len(texts) / 2; n > 0 {
		first, err := c.batch(ctx, kind, texts[:n])
		if err != nil {
			return nil, err
		}
		rest, err := c.batch(ctx, kind, texts[n:])
		return append(first, rest...), err
	}
	const least = 400 // bytes; what is refused at that length is refused for another reason
	if len(texts[0]) <= least {
		return nil, err
	}
	short := embed.Limits{MaxBytes: len(texts[0]) / 2, HeadChars: len(texts[0]) / 4}.Clamp(texts[0])
	return c.batch(ctx, kind, []string{short})
}

// tries asks again after a failure that may pass. Passages go one request at a
// time, so that a server that counts requests is not hurried.
func (c *Client) tries(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Passage {
		select {
		case c.turn <- struct{}{}:
			defer func() { <-c.turn }()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	pause, tries := c.pace.Pause, c.pace.Tries
	if kind == embed.Query {
		tries = min(tries, 2) // somebody waits
	}
	for try := 1; ; try++ {
		vectors, err := c.once(ctx, kind, texts)
		if err == nil || stopped(ctx) || !passes(err) || try >= tries {
			return vectors, c.reason(ctx, err)
		}
		wait := pause + rand.N(pause/4+1) // those who failed together come back apart
		var refused *Refused
		if errors.As(err, &refused) && refused.After > 0 {
			wait = refused.After
		}
		if deadline, ok := ctx.Deadline(); wait > c.pace.Longest || ok && time.Until(deadline) < wait {
			return nil, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, c.reason(ctx, ctx.Err())
		}
		pause *= 2
	}
}

// reason is why there is no answer: the caller's own end of patience as it is, a
// question's as what the server did not do.
func (c *Client) reason(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	var slow tooSlow
	if cause := context.Cause(ctx); errors.As(cause, &slow) {
		return cause
	}
	return ctx.Err()
}

// once is one request and its answer.
func (c *Client) once(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Passage {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.pace.Try, tooSlow{c.o.Host, c.pace.Try})
		defer cancel()
	}
	request, err := c.o.Request(ctx, kind, texts)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", c.o.Host, err)
	}
	request.Header.Set("User-Agent", "memory-tiered")
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, c.reason(ctx, &unreached{c.o.Host, err})
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, c.reason(ctx, &unreached{c.o.Host, err})
	case answer.StatusCode != http.StatusOK:
		return nil, c.refusal(answer, body)
	case len(body) > maxAnswer:
		return nil, fmt.Errorf("%s answers with more than %d bytes", c.o.Host, maxAnswer)
	}
	vectors, err := c.o.Answer(body, len(texts))
	if err == nil {
		err = c.check(vectors, len(texts))
	}
	if err != nil {
		return nil, &nonsense{c.o.Host, err}
	}
	return vectors, nil
}

// check holds an answer to what was asked, and makes its vectors unit length.
// Texts that are sent say something: a vector of zeros is no answer to them, and
// kept it would keep its text from ever being found.
func (c *Client) check(vectors [][]float32, n int) error {
	dim := c.o.Dim
	for i, v := range vectors {
		if dim == 0 {
			dim = len(v)
		}
		if len(v) == 0 || embed.IsZero(v) {
			return fmt.Errorf("vector %d says nothing", i)
		}
		embed.Normalize(v)
	}
	return embed.Check(vectors, n, dim)
}

// after reads how long a server asks to be left alone.
func after(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	text := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(text, 64); err == nil && s > 0 && s < 1e6 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}
