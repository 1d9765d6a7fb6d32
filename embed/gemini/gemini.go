// Package gemini embeds with Google's Gemini API, which distinguishes queries from
// passages. It knows only the format of the API; package wire sends the requests.
package gemini

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/wire"
)

// The defaults. The model's vectors have 3,072 numbers. It is trained so that the
// first 768 are a good vector too, which needs a quarter of the space.
const (
	DefaultBase       = "https://generativelanguage.googleapis.com/v1beta"
	DefaultModel      = "gemini-embedding-001"
	defaultDimensions = 768
)

// batchSize is the number of texts that the API accepts per request.
const batchSize = 100

// Options configure the model.
type Options struct {
	Base       string // empty: DefaultBase
	Model      string // empty: DefaultModel
	Key        string
	Dimensions int // 0: 768
	Limits     embed.Limits
	Mask       func(string) string
	Pace       *wire.Pace // nil: the default
}

type content struct {
	Parts []part `json:"parts"`
}

type part struct {
	Text string `json:"text"`
}

type embedRequest struct {
	Model      string  `json:"model"`
	Content    content `json:"content"`
	TaskType   string  `json:"taskType"`
	Dimensions int     `json:"outputDimensionality"`
}

// New returns the embedder.
func New(o Options) (embed.Embedder, error) {
	if o.Base == "" {
		o.Base = DefaultBase
	}
	if o.Model == "" {
		o.Model = DefaultModel
	}
	if o.Dimensions == 0 {
		o.Dimensions = defaultDimensions
	}
	base, remote, err := wire.ParseBase(o.Base)
	if err != nil {
		return nil, err
	}
	if o.Key == "" {
		return nil, memory.Invalid("embedding.apiKey", "Gemini needs a key").
			WithHint("memory config set embedding.apiKey env:GEMINI_API_KEY")
	}
	at := ""
	if o.Base != DefaultBase {
		at = base.Host + "/"
	}
	return wire.New(wire.Options{
		Model: fmt.Sprintf("gemini/%s%s@%d", at, o.Model, o.Dimensions), Dim: o.Dimensions, Host: base.Host, Remote: remote,
		Key: o.Key, Limits: o.Limits, Mask: o.Mask, Batch: batchSize, Pace: o.Pace,
		Request: func(ctx context.Context, kind embed.Kind, texts []string) (*http.Request, error) {
			return newRequest(ctx, o, base.JoinPath("models", o.Model+":batchEmbedContents").String(), kind, texts)
		},
		Answer: parseAnswer,
	}), nil
}

func newRequest(ctx context.Context, o Options, url string, kind embed.Kind, texts []string) (*http.Request, error) {
	task := map[embed.Kind]string{embed.Query: "RETRIEVAL_QUERY", embed.Passage: "RETRIEVAL_DOCUMENT"}[kind]
	requests := make([]embedRequest, len(texts))
	for i, text := range texts {
		requests[i] = embedRequest{"models/" + o.Model, content{[]part{{text}}}, task, o.Dimensions}
	}
	body, err := json.Marshal(map[string]any{"requests": requests})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Goog-Api-Key", o.Key)
	return r, nil
}

// parseAnswer returns the vectors, which are in the order of the texts.
func parseAnswer(body []byte, n int) ([][]float32, error) {
	var a struct {
		Embeddings []struct {
			Values []float32 `json:"values"`
		} `json:"embeddings"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("not the JSON of embeddings: %w", err)
	}
	if len(a.Embeddings) != n {
		return nil, fmt.Errorf("%d vectors for %d texts", len(a.Embeddings), n)
	}
	vectors := make([][]float32, n)
	for i, e := range a.Embeddings {
		vectors[i] = e.Values
	}
	return vectors, nil
}
