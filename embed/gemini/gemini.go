// Package gemini embeds by Google's Gemini interface, which tells a question
// from a passage. It alone knows that interface; how to ask a server at all is
// package wire's.
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

// What is asked where nobody says otherwise. The model gives up to 3,072
// numbers; cut to 768, as it was trained to be, a vector takes a quarter of the
// room.
const (
	DefaultBase       = "https://generativelanguage.googleapis.com/v1beta"
	DefaultModel      = "gemini-embedding-001"
	defaultDimensions = 768
)

// batch is how many texts the interface takes at once.
const batch = 100

// Options says which model.
type Options struct {
	Base       string // empty: Google
	Model      string // empty: gemini-embedding-001
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

type ask struct {
	Model      string  `json:"model"`
	Content    content `json:"content"`
	TaskType   string  `json:"taskType"`
	Dimensions int     `json:"outputDimensionality"`
}

// New makes the embedder.
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
	base, remote, err := wire.Base(o.Base)
	if err != nil {
		return nil, err
	}
	if o.Key == "" {
		return nil, memory.Invalid("embedding.apiKey", "Gemini wants a key").
			WithHint("memory config set embedding.apiKey env:GEMINI_API_KEY")
	}
	at := ""
	if o.Base != DefaultBase {
		at = base.Host + "/"
	}
	return wire.New(wire.Options{
		Model: fmt.Sprintf("gemini/%s%s@%d", at, o.Model, o.Dimensions), Dim: o.Dimensions, Host: base.Host, Remote: remote,
		Key: o.Key, Limits: o.Limits, Mask: o.Mask, Batch: batch, Pace: o.Pace,
		Request: func(ctx context.Context, kind embed.Kind, texts []string) (*http.Request, error) {
			return request(ctx, o, base.JoinPath("models", o.Model+":batchEmbedContents").String(), kind, texts)
		},
		Answer: answer,
	}), nil
}

func request(ctx context.Context, o Options, url string, kind embed.Kind, texts []string) (*http.Request, error) {
	task := map[embed.Kind]string{embed.Query: "RETRIEVAL_QUERY", embed.Passage: "RETRIEVAL_DOCUMENT"}[kind]
	asks := make([]ask, len(texts))
	for i, text := range texts {
		asks[i] = ask{"models/" + o.Model, content{[]part{{text}}}, task, o.Dimensions}
	}
	body, err := json.Marshal(map[string]any{"requests": asks})
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

// answer reads vectors that come in the order of the texts.
func answer(body []byte, n int) ([][]float32, error) {
	var a struct {
		Embeddings []struct {
			Values []float32 `json:"values"`
		} `json:"embeddings"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("it is not the JSON of embeddings: %w", err)
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
