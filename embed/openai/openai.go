// Package openai embeds by OpenAI's embeddings interface: at OpenAI, or at any
// server that speaks it, as Ollama, LM Studio, llama.cpp and vLLM do. It alone
// knows that interface; how to ask a server at all is package wire's.
package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/wire"
)

// What is asked where nobody says otherwise.
const (
	DefaultBase  = "https://api.openai.com/v1"
	DefaultModel = "text-embedding-3-small"
)

// batch is how many texts go into a request: OpenAI takes 2,048, but a model on
// this machine's processor would need minutes for as many.
const batch = 64

// Options says which server and model.
type Options struct {
	Base       string // empty: OpenAI
	Model      string // empty: text-embedding-3-small
	Key        string // empty: none is sent
	Dimensions int    // 0: what is known of the model, else [Probe] it
	Limits     embed.Limits
	Mask       func(string) string
	Pace       *wire.Pace // nil: the default
}

// known are OpenAI's own models and their dimensions.
var known = map[string]int{"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}

// dimensions says how many numbers the model's vectors have, as far as is known
// without asking; 0: ask.
func (o Options) dimensions() int {
	if o.Dimensions != 0 {
		return o.Dimensions
	}
	return known[o.Model]
}

// New makes the embedder. Its dimension has to be known: set, of a known model,
// or found by [Probe].
func New(o Options) (embed.Embedder, error) {
	c, err := client(o)
	if err == nil && c.Dim() == 0 {
		err = memory.Invalid("embedding.dimensions", "how many numbers the vectors of %s have is not known", o.Model)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Probe asks the server how many numbers its vectors have; what is known without
// asking is told at once.
func Probe(ctx context.Context, o Options) (int, error) {
	c, err := client(o)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	if c.Dim() != 0 {
		return c.Dim(), nil
	}
	vectors, err := c.Embed(ctx, embed.Query, []string{"How long is a vector?"})
	if err != nil {
		return 0, memory.Unavailable(err, "learn the dimension of %s", o.Model).
			WithHint("or say it: memory config set embedding.dimensions N")
	}
	return len(vectors[0]), nil
}

func client(o Options) (*wire.Client, error) {
	if o.Base == "" {
		o.Base = DefaultBase
	}
	if o.Model == "" {
		o.Model = DefaultModel
	}
	base, remote, err := wire.Base(o.Base)
	if err != nil {
		return nil, err
	}
	if o.Key == "" && o.Base == DefaultBase {
		return nil, memory.Invalid("embedding.apiKey", "OpenAI wants a key").
			WithHint("memory config set embedding.apiKey env:OPENAI_API_KEY")
	}
	dim := o.dimensions()
	return wire.New(wire.Options{
		Model: name(o, base, dim), Dim: dim, Host: base.Host, Remote: remote, Key: o.Key, Limits: o.Limits, Mask: o.Mask, Batch: batch, Pace: o.Pace,
		Request: func(ctx context.Context, _ embed.Kind, texts []string) (*http.Request, error) {
			return request(ctx, o, base, texts)
		},
		Answer: answer,
	}), nil
}

// name tells apart what may give other vectors: server, model, dimension.
func name(o Options, base *url.URL, dim int) string {
	at := ""
	if o.Base != DefaultBase {
		at = base.Host + "/"
	}
	return fmt.Sprintf("openai/%s%s@%d", at, o.Model, dim)
}

func request(ctx context.Context, o Options, base *url.URL, texts []string) (*http.Request, error) {
	ask := map[string]any{"model": o.Model, "input": texts, "encoding_format": "float"}
	if o.Dimensions != 0 && strings.HasPrefix(o.Model, "text-embedding-3") {
		ask["dimensions"] = o.Dimensions // others have one dimension, and some refuse to be told
	}
	body, err := json.Marshal(ask)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base.JoinPath("embeddings").String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if o.Key != "" {
		r.Header.Set("Authorization", "Bearer "+o.Key)
	}
	return r, nil
}

// answer puts each vector where its index says, in whichever order they come.
func answer(body []byte, n int) ([][]float32, error) {
	var a struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("it is not the JSON of embeddings: %w", err)
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
			return nil, fmt.Errorf("it has no vector or two for one of the texts (index %d)", at)
		}
		vectors[at] = d.Embedding
	}
	return vectors, nil
}
