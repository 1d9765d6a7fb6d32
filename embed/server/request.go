package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/internal/modelserver"
)

// embedBatch embeds a batch of texts. If the server refuses the batch as too large,
// embedBatch halves it; it shortens a single text.
func (c *client) embedBatch(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors, err := c.send(ctx, kind, texts)
	if !modelserver.MayAcceptAnother(err) {
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
	const minChars = 200 // a shorter text is not refused for its length
	n := utf8.RuneCountInString(texts[0])
	if n <= minChars {
		return nil, err
	}
	return c.embedBatch(ctx, kind, []string{shorten(texts[0], n/2, n/4)})
}

// maxChars is the longest text that is sent, in characters: some 1,500 tokens, of the 2,048
// and more that servers take.
const maxChars = 6000

// shorten returns a text of at most so many characters. Of a longer one it keeps the first head
// characters and the end, which usually contain the topic and the result. It drops bytes that
// are not UTF-8.
func shorten(text string, most, head int) string {
	const gap = "\n\n" // no model treats it as a word
	runes := []rune(strings.ToValidUTF8(text, ""))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:head]) + gap + string(runes[len(runes)-most+head+len(gap):])
}

// send requests the vectors of some texts.
func (c *client) send(ctx context.Context, kind embed.Kind, texts []string) (vectors [][]float32, err error) {
	fields := map[string]any{"model": c.Options.Model, "input": texts, "encoding_format": "float"}
	if c.Dimensions != 0 && (strings.HasPrefix(c.Options.Model, "text-embedding-3") || strings.HasPrefix(c.Options.Model, "gemini-")) {
		fields["dimensions"] = c.Dimensions // other models have one dimension, and some refuse the field
	}
	tries := modelserver.Attempts{Max: c.pace.MaxTries, Limit: c.pace.RequestTimeout, Pause: c.pace.Pause, MaxPause: c.pace.MaxPause}
	if kind == embed.Query { // a person may be waiting, and its context has a limit
		tries.Max, tries.Limit = min(tries.Max, 2), 0
	}
	err = c.server.Post(ctx, "embeddings", fields, tries, func(answer []byte) (err error) {
		if vectors, err = parse(answer, len(texts)); err == nil {
			err = c.normalize(vectors)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return vectors, nil
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
