package server_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
	"github.com/memory-tiered/memory/embed/server"
)

// geminiDialect is the format of Gemini.
var geminiDialect = embedtest.Dialect{
	Texts: func(body []byte) (texts []string) {
		var batch struct {
			Requests []struct {
				Content struct{ Parts []struct{ Text string } }
			}
		}
		_ = json.Unmarshal(body, &batch) // an invalid batch has no requests
		for _, r := range batch.Requests {
			texts = append(texts, r.Content.Parts[0].Text)
		}
		return texts
	},
	Answer: func(vectors [][]float32) any {
		var all []any
		for _, v := range vectors {
			all = append(all, map[string]any{"values": v})
		}
		return map[string]any{"embeddings": all}
	},
}

func openGemini(t *testing.T, base string) embed.Embedder {
	t.Helper()
	return openGeminiWithLimit(t, base, time.Minute)
}

func openGeminiWithLimit(t *testing.T, base string, limit time.Duration) embed.Embedder {
	t.Helper()
	e, err := server.Gemini(server.Options{Base: base + "/v1beta", Key: key, Dimensions: 256, Limits: embed.Limits{MaxChars: 6000, HeadChars: 500},
		Pace: &server.Pace{QueryTimeout: limit, RequestTimeout: limit, MaxTries: 3, Pause: time.Millisecond,
			MaxPause: 50 * time.Millisecond, BreakerTime: 20 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestGeminiConforms(t *testing.T) {
	s := embedtest.Serve(t, geminiDialect)
	embedtest.Run(t, func(t *testing.T) embed.Embedder { return openGemini(t, s.URL) })
}

func TestFaultsOfGeminiAreReported(t *testing.T) {
	embedtest.RunFaults(t, geminiDialect, key, openGeminiWithLimit)
}

func TestKindSelectsTheTaskTypeOfGemini(t *testing.T) {
	s := embedtest.Serve(t, geminiDialect)
	e := openGemini(t, s.URL)
	for kind, want := range map[embed.Kind]string{embed.Query: "RETRIEVAL_QUERY", embed.Passage: "RETRIEVAL_DOCUMENT"} {
		if _, err := e.Embed(t.Context(), kind, []string{"the cat"}); err != nil {
			t.Fatal(err)
		}
		requests := s.Requests()
		if len(requests) != 1 || requests[0].Path != "/v1beta/models/gemini-embedding-001:batchEmbedContents" ||
			requests[0].Header.Get("X-Goog-Api-Key") != key || !strings.Contains(requests[0].Body, want) ||
			!strings.Contains(requests[0].Body, `"outputDimensionality":256`) {
			t.Errorf("%+v", requests)
		}
	}
}

func TestGeminiDefaultsAndMissingKey(t *testing.T) {
	e, err := server.Gemini(server.Options{Key: key})
	if err != nil || e.Model() != "gemini/gemini-embedding-001@768" || e.Dim() != 768 || !e.Remote() {
		t.Errorf("%v, %v", e, err)
	}
	if _, err := server.Gemini(server.Options{}); err == nil || !strings.Contains(err.Error(), "needs a key") {
		t.Error(err)
	}
}
