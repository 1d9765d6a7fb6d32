// Package openai embeds with OpenAI's embeddings API, at OpenAI or at any compatible
// server, such as Ollama, LM Studio, llama.cpp and vLLM. It knows only the format of
// the API; package wire sends the requests.
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

// The defaults.
const (
	DefaultBase  = "https://api.openai.com/v1"
	DefaultModel = "text-embedding-3-small"
)

// batchSize is the number of texts per request. OpenAI accepts 2,048, but a model on
// this machine's processor would need minutes for them.
const batchSize = 64

// Options configure the server and the model.
type Options struct {
	Base       string // empty: DefaultBase
	Model      string // empty: DefaultModel
	Key        string // empty: none
	Dimensions int    // 0: the known dimension of the model; see also [Probe]
	Limits     embed.Limits
	Mask       func(string) string
	Pace       *wire.Pace // nil: the default
}

// knownDims are OpenAI's own models and their dimensions.
var knownDims = map[string]int{"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}

// knownDim returns the dimension of the model if it is known without a request; 0: it
// is not.
func (o Options) knownDim() int {
	if o.Dimensions != 0 {
		return o.Dimensions
	}
	return knownDims[o.Model]
}

// New returns the embedder. Its dimension must be known: from the options, of a known
// model, or from [Probe].
func New(o Options) (embed.Embedder, error) {
	c, err := newClient(o)
	if err == nil && c.Dim() == 0 {
		err = memory.Invalid("embedding.dimensions", "the dimension of the model %s is not known", o.Model)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Probe returns the dimension of the model. It sends a request only if the dimension
// is not known.
func Probe(ctx context.Context, o Options) (int, error) {
	c, err := newClient(o)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	if c.Dim() != 0 {
		return c.Dim(), nil
	}
	vectors, err := c.Embed(ctx, embed.Query, []string{"How long is a vector?"})
	if err != nil {
		return 0, memory.Unavailable(err, "find the dimension of the model %s", o.Model).
			WithHint("or set it: memory config set embedding.dimensions N")
	}
	return len(vectors[0]), nil
}

func newClient(o Options) (*wire.Client, error) {
	if o.Base == "" {
		o.Base = DefaultBase
	}
	if o.Model == "" {
		o.Model = DefaultModel
	}
	base, remote, err := wire.ParseBase(o.Base)
	if err != nil {
		return nil, err
	}
	if o.Key == "" && o.Base == DefaultBase {
		return nil, memory.Invalid("embedding.apiKey", "OpenAI needs a key").
			WithHint("memory config set embedding.apiKey env:OPENAI_API_KEY")
	}
	dim := o.knownDim()
	return wire.New(wire.Options{
		Model: modelName(o, base, dim), Dim: dim, Host: base.Host, Remote: remote, Key: o.Key, Limits: o.Limits, Mask: o.Mask, Batch: batchSize, Pace: o.Pace,
		Request: func(ctx context.Context, _ embed.Kind, texts []string) (*http.Request, error) {
			return newRequest(ctx, o, base, texts)
		},
		Answer: parseAnswer,
	}), nil
}

// modelName contains everything that changes the vectors: server, model, dimension.
func modelName(o Options, base *url.URL, dim int) string {
	at := ""
	if o.Base != DefaultBase {
		at = base.Host + "/"
	}
	return fmt.Sprintf("openai/%s%s@%d", at, o.Model, dim)
}

func newRequest(ctx context.Context, o Options, base *url.URL, texts []string) (*http.Request, error) {
	fields := map[string]any{"model": o.Model, "input": texts, "encoding_format": "float"}
	if o.Dimensions != 0 && strings.HasPrefix(o.Model, "text-embedding-3") {
		fields["dimensions"] = o.Dimensions // other models have one dimension, and some refuse the field
	}
	body, err := json.Marshal(fields)
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

// parseAnswer returns the vectors in the order of their indexes.
func parseAnswer(body []byte, n int) ([][]float32, error) {
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
