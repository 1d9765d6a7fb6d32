package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
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
	failed, ok := errors.AsType[*requestError](err)
	if !ok || !failed.isTooLarge() {
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

// retry sends a request again after a temporary failure.
func (c *client) retry(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	pause, tries := c.pace.Pause, c.pace.MaxTries
	if kind == embed.Query {
		tries = min(tries, 2) // a person may be waiting
	}
	for try := 1; ; try++ {
		vectors, err := c.send(ctx, kind, texts)
		var failed *requestError
		if ctx.Err() != nil || !errors.As(err, &failed) || !failed.isTemporary() || try >= tries {
			return vectors, err
		}
		wait := cmp.Or(failed.retryAfter, pause)
		if deadline, ok := ctx.Deadline(); wait > c.pace.MaxPause || ok && time.Until(deadline) < wait {
			return nil, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		pause *= 2
	}
}

// withTimeout limits the time of a context. The error at its end names the server.
func (c *client) withTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, &requestError{host: c.base.Host, text: fmt.Sprintf("did not answer within %s", limit)})
}

// send sends one request and reads its answer.
func (c *client) send(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if kind == embed.Passage {
		var cancel context.CancelFunc
		ctx, cancel = c.withTimeout(ctx, c.pace.RequestTimeout)
		defer cancel()
	}
	request, err := c.request(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("make a request for %s: %w", c.base.Host, err)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, c.connectError(ctx, err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswerBytes+1))
	switch {
	case err != nil:
		return nil, c.connectError(ctx, err)
	case answer.StatusCode != http.StatusOK:
		return nil, c.statusError(answer, body)
	case len(body) > maxAnswerBytes: // a second one would be as long
		return nil, c.invalid(fmt.Errorf("it has more than %d MiB", maxAnswerBytes>>20))
	}
	vectors, err := parse(body, len(texts))
	if err == nil {
		err = c.normalize(vectors)
	}
	if err != nil {
		return nil, c.invalid(err)
	}
	return vectors, nil
}

func (c *client) request(ctx context.Context, texts []string) (*http.Request, error) {
	fields := map[string]any{"model": c.Options.Model, "input": texts, "encoding_format": "float"}
	if c.Dimensions != 0 && (strings.HasPrefix(c.Options.Model, "text-embedding-3") || strings.HasPrefix(c.Options.Model, "gemini-")) {
		fields["dimensions"] = c.Dimensions // other models have one dimension, and some refuse the field
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base.JoinPath("embeddings").String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "memory-tiered")
	if c.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.Key)
	}
	return r, nil
}

// parse returns the vectors in the order of their indexes.
func parse(body []byte, n int) ([][]float32, error) {
	var a struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("not the JSON of embeddings: %w", err)
	}
	if len(a.Data) != n {
		return nil, fmt.Errorf("%d vectors for %d texts", len(a.Data), n)
	}
	vectors := make([][]float32, n)
	for i, d := range a.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= n || vectors[at] != nil {
			return nil, fmt.Errorf("a text has no vector or two (index %d)", at)
		}
		vectors[at] = d.Embedding
	}
	return vectors, nil
}

// normalize gives the vectors unit length and checks them. A zero vector is an error: no
// text that is sent is blank, and a text with a stored zero vector would never be found.
func (c *client) normalize(vectors [][]float32) error {
	for i, v := range vectors {
		if embed.IsZero(v) {
			return fmt.Errorf("vector %d is zero", i)
		}
		embed.Normalize(v)
	}
	return embed.Check(vectors, len(vectors), cmp.Or(c.dim, len(vectors[0])))
}
