package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// The defaults of OpenAI.
const (
	openAIBase  = "https://api.openai.com/v1"
	openAIModel = "text-embedding-3-small"
)

// openAIBatch is the number of texts per request. OpenAI accepts 2,048, but a model on
// this machine's processor would need minutes for them.
const openAIBatch = 64

// knownDims are OpenAI's own models and their dimensions.
var knownDims = map[string]int{"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}

// OpenAI returns an embedder for OpenAI's embeddings API, at OpenAI or at any compatible
// server, such as Ollama, LM Studio, llama.cpp and vLLM. Its dimension must be known: from
// the options, of a known model, or from [ProbeOpenAI].
func OpenAI(o Options) (embed.Embedder, error) {
	c, err := newOpenAI(o)
	if err == nil && c.Dim() == 0 {
		err = memory.Invalid("embedding.dimensions", "the dimension of the model %s is not known", o.Model)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// ProbeOpenAI returns the dimension of the model. It sends a request only if the dimension
// is not known.
func ProbeOpenAI(ctx context.Context, o Options) (int, error) {
	c, err := newOpenAI(o)
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

func newOpenAI(o Options) (*client, error) {
	if o.Base == "" {
		o.Base = openAIBase
	}
	if o.Model == "" {
		o.Model = openAIModel
	}
	base, remote, err := parseBase(o.Base)
	if err != nil {
		return nil, err
	}
	if o.Key == "" && o.Base == openAIBase {
		return nil, memory.Invalid("embedding.apiKey", "OpenAI needs a key").
			WithHint("memory config set embedding.apiKey env:OPENAI_API_KEY")
	}
	dim := cmp.Or(o.Dimensions, knownDims[o.Model])
	return newClient(o, format{
		name: modelName("openai", openAIBase, o, base, dim), dim: dim, host: base.Host, remote: remote, batch: openAIBatch,
		request: func(ctx context.Context, _ embed.Kind, texts []string) (*http.Request, error) {
			return openAIRequest(ctx, o, base, texts)
		},
		answer: parseOpenAI,
	}), nil
}

func openAIRequest(ctx context.Context, o Options, base *url.URL, texts []string) (*http.Request, error) {
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

// parseOpenAI returns the vectors in the order of their indexes.
func parseOpenAI(body []byte, n int) ([][]float32, error) {
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
