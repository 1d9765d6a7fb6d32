package server

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

// maxAnswerBytes is the size limit of an answer: three times 64 vectors of 4096
// numbers with 20 digits each.
const maxAnswerBytes = 16 << 20

// embedBatch embeds a batch of texts. If the server refuses the batch as too large,
// embedBatch halves it; it shortens a single text.
func (c *client) embedBatch(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors, err := c.retry(ctx, kind, texts)
	var status *StatusError
	if !errors.As(err, &status) || !status.tooLarge() {
		return vectors, err
	}
	if n := len(texts) / 2; n > 0 {
		first, err := c.embedBatch(ctx, kind, texts[:n])
		if err != nil {
			return nil, err
		}
		rest, err := c.embedBatch(ctx, kind, texts[n:])
		return append(first, rest...), err
	}
	const minBytes = 400 // a shorter text is not refused for its length
	if len(texts[0]) <= minBytes {
		return nil, err
	}
	short := embed.Limits{MaxBytes: len(texts[0]) / 2, HeadChars: len(texts[0]) / 4}.Clamp(texts[0])
	return c.embedBatch(ctx, kind, []string{short})
}

// retry sends a request again after a temporary failure. Requests with passages are
// sent one at a time, because some servers limit the rate of requests.
func (c *client) retry(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Passage {
		select {
		case c.passageSlot <- struct{}{}:
			defer func() { <-c.passageSlot }()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	pause, tries := c.pace.Pause, c.pace.MaxTries
	if kind == embed.Query {
		tries = min(tries, 2) // a person may be waiting
	}
	for try := 1; ; try++ {
		vectors, err := c.send(ctx, kind, texts)
		if err == nil || callerStopped(ctx) || !isTemporary(err) || try >= tries {
			return vectors, c.cancelCause(ctx, err)
		}
		wait := pause + rand.N(pause/4+1) // jitter, so that clients do not retry at the same time
		var status *StatusError
		if errors.As(err, &status) && status.RetryAfter > 0 {
			wait = status.RetryAfter
		}
		if deadline, ok := ctx.Deadline(); wait > c.pace.MaxPause || ok && time.Until(deadline) < wait {
			return nil, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, c.cancelCause(ctx, ctx.Err())
		}
		pause *= 2
	}
}

// cancelCause returns the error of a request whose context is done: a timeoutError for
// our own time limit, the context's error for the caller's. Otherwise it returns err.
func (c *client) cancelCause(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	var timeout timeoutError
	if cause := context.Cause(ctx); errors.As(cause, &timeout) {
		return cause
	}
	return ctx.Err()
}

// send sends one request and reads its answer.
func (c *client) send(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Passage {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.pace.RequestTimeout, timeoutError{c.format.host, c.pace.RequestTimeout})
		defer cancel()
	}
	request, err := c.format.request(ctx, kind, texts)
	if err != nil {
		return nil, fmt.Errorf("make a request for %s: %w", c.format.host, err)
	}
	request.Header.Set("User-Agent", "memory-tiered")
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, c.cancelCause(ctx, &connectError{c.format.host, err})
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswerBytes+1))
	switch {
	case err != nil:
		return nil, c.cancelCause(ctx, &connectError{c.format.host, err})
	case answer.StatusCode != http.StatusOK:
		return nil, c.statusError(answer, body)
	case len(body) > maxAnswerBytes:
		return nil, &answerError{c.format.host, fmt.Errorf("it has more than %d MiB", maxAnswerBytes>>20)} // a second one would be as long
	}
	vectors, err := c.format.answer(body, len(texts))
	if err == nil {
		err = c.checkVectors(vectors, len(texts))
	}
	if err != nil {
		return nil, &answerError{c.format.host, err}
	}
	return vectors, nil
}

// checkVectors validates an answer and normalises its vectors. A zero vector is an
// error: no text that is sent is blank, and a text with a stored zero vector would
// never be found.
func (c *client) checkVectors(vectors [][]float32, n int) error {
	dim := c.format.dim
	for i, v := range vectors {
		if dim == 0 {
			dim = len(v)
		}
		if len(v) == 0 || embed.IsZero(v) {
			return fmt.Errorf("vector %d is zero", i)
		}
		embed.Normalize(v)
	}
	return embed.Check(vectors, n, dim)
}

// retryAfter returns the wait that a server asks for; 0: none.
func retryAfter(h http.Header, now time.Time) time.Duration {
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
