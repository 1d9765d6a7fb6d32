package openai_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
	"github.com/memory-tiered/memory/embed/openai"
	"github.com/memory-tiered/memory/embed/wire"
)

const key = "test-0123456789abcdef"

// hurried is a pace for tests: what takes a server seconds takes it moments.
var hurried = &wire.Pace{Question: 400 * time.Millisecond, Try: 400 * time.Millisecond, Tries: 3, Pause: time.Millisecond,
	Longest: 50 * time.Millisecond, Brake: 20 * time.Millisecond}

// dialect is OpenAI's; the vectors come last first, with their index.
var dialect = embedtest.Dialect{
	Texts: func(body []byte) []string {
		var ask struct{ Input []string }
		_ = json.Unmarshal(body, &ask) // a broken request shows in what is missing
		return ask.Input
	},
	Answer: func(vectors [][]float32) any {
		var data []any
		for i, v := range slices.Backward(vectors) {
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		return map[string]any{"data": data}
	},
}

func open(t *testing.T, base string) embed.Embedder {
	t.Helper()
	e, err := openai.New(openai.Options{Base: base + "/v1", Model: "words", Key: key, Dimensions: 256, Pace: hurried,
		Limits: embed.Limits{MaxChars: 6000, HeadChars: 500}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestConformance(t *testing.T) {
	s := embedtest.Serve(t, dialect)
	embedtest.Run(t, func(t *testing.T) embed.Embedder { return open(t, s.URL) })
}

func TestItSurvivesItsServer(t *testing.T) { embedtest.Survives(t, dialect, key, open) }

func TestAnIndexTwice(t *testing.T) {
	s := embedtest.Serve(t, embedtest.Dialect{Texts: dialect.Texts, Answer: func(v [][]float32) any {
		return map[string]any{"data": []any{map[string]any{"index": 1, "embedding": v[0]}, map[string]any{"index": 1, "embedding": v[1]}}}
	}})
	_, err := open(t, s.URL).Embed(t.Context(), embed.Passage, []string{"a cat", "a dog"})
	if err == nil || !strings.Contains(err.Error(), "no vector or two") {
		t.Error(err)
	}
}

func TestWhatIsSent(t *testing.T) {
	s := embedtest.Serve(t, dialect)
	e := open(t, s.URL)
	if _, err := e.Embed(t.Context(), embed.Passage, []string{"the cat", " ", strings.Repeat("x", 7000)}); err != nil {
		t.Fatal(err)
	}
	seen := s.Seen()
	if len(seen) != 1 || seen[0].Path != "/v1/embeddings" || seen[0].Header.Get("Authorization") != "Bearer "+key {
		t.Fatalf("%+v", seen)
	}
	if got := seen[0].Texts; len(got) != 2 || got[0] != "the cat" || len(got[1]) != 6000 {
		t.Errorf("sent %d texts, the second of %d bytes", len(got), len(got[1]))
	}
	if !strings.Contains(seen[0].Body, `"model":"words"`) || strings.Contains(seen[0].Body, "dimensions") {
		t.Error(seen[0].Body[:100])
	}
	if e.Remote() || !strings.HasPrefix(e.Model(), "openai/127.0.0.1:") || !strings.HasSuffix(e.Model(), "/words@256") {
		t.Errorf("%s, remote %v", e.Model(), e.Remote())
	}
}

// TestALongTextAmongOthers: a server that refuses one text for its length keeps
// the others, and that one, from no vector.
func TestALongTextAmongOthers(t *testing.T) {
	var s *embedtest.Server
	tooLong := &embedtest.Fault{Status: 400, Body: `{"error":{"message":"too many tokens"}}`}
	s = embedtest.Serve(t, embedtest.Dialect{Answer: dialect.Answer, Texts: func(body []byte) []string {
		texts := dialect.Texts(body)
		s.Be(nil)
		for _, text := range texts {
			if len(text) > 1000 {
				s.Be(tooLong)
			}
		}
		return texts
	}})
	texts := []string{"a cat", "a dog", strings.Repeat("bird ", 800), "a fish", "a cow"}
	vectors, err := open(t, s.URL).Embed(t.Context(), embed.Passage, texts)
	if err != nil {
		t.Fatal(err)
	}
	if err := embed.Check(vectors, len(texts), 256); err != nil || embed.IsZero(vectors[2]) {
		t.Error(err)
	}
}

func TestAQuestionAfterAFailureDoesNotWait(t *testing.T) {
	s := embedtest.Serve(t, dialect)
	pace := *hurried
	pace.Brake = time.Hour
	e, err := openai.New(openai.Options{Base: s.URL, Model: "words", Dimensions: 256, Pace: &pace})
	if err != nil {
		t.Fatal(err)
	}
	s.Be(&embedtest.Fault{Hang: true})
	for range 3 {
		if _, err := e.Embed(t.Context(), embed.Query, []string{"where is the cat"}); err == nil || !strings.Contains(err.Error(), "did not answer within") {
			t.Fatal(err)
		}
	}
	if n := len(s.Seen()); n != 1 {
		t.Errorf("asked %d times", n)
	}
	s.Be(nil)
	if _, err := e.Embed(t.Context(), embed.Passage, []string{"the cat"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), embed.Query, []string{"where is the cat"}); err != nil {
		t.Errorf("a passage was answered, and a question is not asked: %v", err)
	}
}

func TestSecretsAreMaskedWhereTextLeaves(t *testing.T) {
	masked := 0
	mask := func(string) string { masked++; return "masked" }
	e, err := openai.New(openai.Options{Base: "http://embeddings.invalid/v1", Model: "words", Dimensions: 3, Pace: hurried, Mask: mask})
	if err != nil || !e.Remote() {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), embed.Query, []string{"a secret"}); err == nil || masked != 1 {
		t.Errorf("masked %d texts, %v", masked, err)
	}
}

func TestDimensions(t *testing.T) {
	s := embedtest.Serve(t, dialect)
	for _, tt := range []struct {
		name string
		o    openai.Options
		want int
	}{
		{"known", openai.Options{Key: key}, 1536},
		{"set", openai.Options{Key: key, Dimensions: 512}, 512},
		{"asked", openai.Options{Base: s.URL, Model: "nomic-embed-text"}, 256},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := openai.Probe(t.Context(), tt.o)
			if err != nil || got != tt.want {
				t.Errorf("%d, %v; want %d", got, err, tt.want)
			}
		})
	}
}

func TestWhatCannotWork(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    openai.Options
		want string
	}{
		{"no key", openai.Options{}, "wants a key"},
		{"no dimension", openai.Options{Base: "http://localhost:1/v1", Model: "own"}, "not known"},
		{"no address", openai.Options{Base: "localhost", Model: "own"}, "not the address"},
		{"a key in the address", openai.Options{Base: "http://a:b@localhost/v1"}, "more than an address"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := openai.New(tt.o)
			if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v; want %q", err, tt.want)
			}
		})
	}
}
