package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// The defaults of Gemini. The model's vectors have 3,072 numbers. It is trained so that the
// first 768 are a good vector too, which needs a quarter of the space.
const (
	geminiBase       = "https://generativelanguage.googleapis.com/v1beta"
	geminiModel      = "gemini-embedding-001"
	geminiDimensions = 768
)

// geminiBatch is the number of texts that the API accepts per request.
const geminiBatch = 100

type geminiContent struct {
	Parts []geminiPart `json:"parts"`
}

type geminiPart struct {
	Text string `json:"text"`
}

type geminiText struct {
	Model      string        `json:"model"`
	Content    geminiContent `json:"content"`
	TaskType   string        `json:"taskType"`
	Dimensions int           `json:"outputDimensionality"`
}

// Gemini returns an embedder for Google's Gemini API, which distinguishes queries from
// passages.
func Gemini(o Options) (embed.Embedder, error) {
	if o.Base == "" {
		o.Base = geminiBase
	}
	if o.Model == "" {
		o.Model = geminiModel
	}
	if o.Dimensions == 0 {
		o.Dimensions = geminiDimensions
	}
	base, remote, err := parseBase(o.Base)
	if err != nil {
		return nil, err
	}
	if o.Key == "" {
		return nil, memory.Invalid("embedding.apiKey", "Gemini needs a key").
			WithHint("memory config set embedding.apiKey env:GEMINI_API_KEY")
	}
	return newClient(o, format{
		name: modelName("gemini", geminiBase, o, base, o.Dimensions), dim: o.Dimensions, host: base.Host, remote: remote, batch: geminiBatch,
		request: func(ctx context.Context, kind embed.Kind, texts []string) (*http.Request, error) {
			return geminiRequest(ctx, o, base.JoinPath("models", o.Model+":batchEmbedContents").String(), kind, texts)
		},
		answer: parseGemini,
	}), nil
}

func geminiRequest(ctx context.Context, o Options, url string, kind embed.Kind, texts []string) (*http.Request, error) {
	task := map[embed.Kind]string{embed.Query: "RETRIEVAL_QUERY", embed.Passage: "RETRIEVAL_DOCUMENT"}[kind]
	requests := make([]geminiText, len(texts))
	for i, text := range texts {
		requests[i] = geminiText{"models/" + o.Model, geminiContent{[]geminiPart{{text}}}, task, o.Dimensions}
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

// parseGemini returns the vectors, which are in the order of the texts.
func parseGemini(body []byte, n int) ([][]float32, error) {
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
