package server_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
	"github.com/memory-tiered/memory/embed/server"
	"github.com/memory-tiered/memory/internal/must"
)

const key = "test-0123456789abcdef"

// fastPace is a pace with short pauses, for tests.
var fastPace = &server.Pace{QueryTimeout: time.Minute, RequestTimeout: time.Minute, MaxTries: 3, Pause: time.Millisecond,
	MaxPause: 50 * time.Millisecond, BreakerTime: 20 * time.Millisecond}

func open(t *testing.T, base string) embed.Embedder {
	t.Helper()
	return openWithLimit(t, base, time.Minute)
}

func openWithLimit(t *testing.T, base string, limit time.Duration) embed.Embedder {
	t.Helper()
	pace := *fastPace
	pace.QueryTimeout, pace.RequestTimeout = limit, limit
	e := must.Get(server.Open(server.Options{Provider: "openai", Base: base + "/v1", Model: "words", Key: key, Dimensions: 256, Pace: &pace}))(t)
	return e
}

func TestClientConforms(t *testing.T) {
	s := embedtest.Serve(t)
	embedtest.Run(t, func(t *testing.T) embed.Embedder { return open(t, s.URL) })
}

func TestRequestContainsShortenedTextsAndKey(t *testing.T) {
	s := embedtest.Serve(t)
	e := open(t, s.URL)
	must.Get(e.Embed(t.Context(), embed.Passage, []string{"the cat", " ", strings.Repeat("x", 7000)}))(t)
	requests := s.Requests()
	if len(requests) != 1 || requests[0].Path != "/v1/embeddings" || requests[0].Header.Get("Authorization") != "Bearer "+key {
		t.Fatalf("%+v", requests)
	}
	if got := requests[0].Texts; len(got) != 2 || got[0] != "the cat" || len(got[1]) != 6000 {
		t.Errorf("sent %d texts, the second of %d bytes", len(got), len(got[1]))
	}
	if requests[0].Model != "words" || requests[0].Dim != 0 {
		t.Errorf("model %s, dimensions %d", requests[0].Model, requests[0].Dim)
	}
	if e.Remote() || !strings.HasPrefix(e.Model(), "openai/127.0.0.1:") || !strings.HasSuffix(e.Model(), "/words@256") {
		t.Errorf("%s, remote %v", e.Model(), e.Remote())
	}
}

// TestTextThatIsTooLongForTheServerIsShortened uses a server that refuses a batch for
// one long text. All texts must get a vector.
func TestTextThatIsTooLongForTheServerIsShortened(t *testing.T) {
	s := embedtest.Serve(t)
	s.SetFault(&embedtest.Fault{Status: 400, Body: `{"error":{"message":"too many tokens"}}`, Only: func(texts []string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return len(text) > 1000 })
	}})
	texts := []string{"a cat", "a dog", strings.Repeat("bird ", 800), "a fish", "a cow"}
	vectors := must.Get(open(t, s.URL).Embed(t.Context(), embed.Passage, texts))(t)
	if err := embed.Check(vectors, len(texts), 256); err != nil || embed.IsZero(vectors[2]) {
		t.Error(err)
	}
}

// A busy machine needs longer than a short limit for the last query, so longer ones are
// tried too.
func TestQueryAfterAFailureFailsAtOnce(t *testing.T) {
	var err error
	for limit := 100 * time.Millisecond; limit < time.Minute; limit *= 3 {
		if err = queryAfterFailures(t, limit); err == nil {
			return
		}
	}
	t.Error(err)
}

func queryAfterFailures(t *testing.T, limit time.Duration) error {
	t.Helper()
	s := embedtest.Serve(t)
	pace := *fastPace
	pace.BreakerTime, pace.QueryTimeout = time.Hour, limit
	e, err := server.Open(server.Options{Provider: "openai", Base: s.URL, Model: "words", Dimensions: 256, Pace: &pace})
	if err != nil {
		return err
	}
	s.SetFault(&embedtest.Fault{Hang: true})
	for range 3 {
		if _, err := e.Embed(t.Context(), embed.Query, []string{"where is the cat"}); err == nil || !strings.Contains(err.Error(), "did not answer within") {
			return fmt.Errorf("the server hangs: %v", err)
		}
	}
	if n := len(s.Requests()); n != 1 {
		return fmt.Errorf("%d requests, want 1", n)
	}
	s.SetFault(nil)
	if _, err := e.Embed(t.Context(), embed.Passage, []string{"the cat"}); err != nil {
		return err
	}
	if _, err := e.Embed(t.Context(), embed.Query, []string{"where is the cat"}); err != nil {
		return fmt.Errorf("query after a successful request: %w", err)
	}
	return nil
}

func TestQueriesAreTriedTwiceAndPassagesAsOftenAsThePaceSays(t *testing.T) {
	pace := *fastPace
	pace.MaxTries = 4
	for kind, want := range map[embed.Kind]int{embed.Query: 2, embed.Passage: 4} {
		s := embedtest.Serve(t)
		s.SetFault(&embedtest.Fault{Status: 500})
		e := must.Get(server.Open(server.Options{Provider: "openai", Base: s.URL, Model: "words", Dimensions: 256, Pace: &pace}))(t)
		if _, err := e.Embed(t.Context(), kind, []string{"where is the cat"}); err == nil {
			t.Error("no error")
		}
		if n := len(s.Requests()); n != want {
			t.Errorf("kind %d: %d requests, want %d", kind, n, want)
		}
	}
}

// An answer of more than 16 MiB is no accident: the next one would be as long.
func TestAnswerThatIsTooLongFailsOnce(t *testing.T) {
	s := embedtest.Serve(t)
	s.SetFault(&embedtest.Fault{Status: 200, Body: `{"data":"` + strings.Repeat("x", 17<<20) + `"}`})
	_, err := open(t, s.URL).Embed(t.Context(), embed.Passage, []string{"where is the cat"})
	if err == nil || !strings.Contains(err.Error(), "returns an invalid answer: it has more than 16 MiB") {
		t.Error(err)
	}
	if n := len(s.Requests()); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

func TestMessageOfTheServerIsShortened(t *testing.T) {
	s := embedtest.Serve(t)
	s.SetFault(&embedtest.Fault{Status: 400, Body: `{"error":{"message":"` + strings.Repeat("é", 1000) + `"}}`})
	_, err := open(t, s.URL).Embed(t.Context(), embed.Passage, []string{"the cat"})
	if err == nil || strings.Count(err.Error(), "é") != 200 || !strings.HasSuffix(err.Error(), "…") {
		t.Errorf("error %v, want 200 characters of the message", err)
	}
}

func TestQueryFailsAfterThreeSecondsByDefault(t *testing.T) {
	if testing.Short() {
		t.Skip("waits three seconds")
	}
	s := embedtest.Serve(t)
	s.SetFault(&embedtest.Fault{Hang: true})
	e := must.Get(server.Open(server.Options{Provider: "openai", Base: s.URL, Model: "words", Dimensions: 256}))(t)
	if _, err := e.Embed(t.Context(), embed.Query, []string{"where is the cat"}); err == nil || !strings.Contains(err.Error(), "did not answer within 3s") {
		t.Errorf("error %v, want a time limit of 3 s", err)
	}
}

func TestSecretsAreMaskedForRemoteServers(t *testing.T) {
	masked := 0
	mask := func(string) string { masked++; return "masked" }
	e, err := server.Open(server.Options{Provider: "openai", Base: "http://embeddings.invalid/v1", Model: "words", Dimensions: 3, Pace: fastPace, Mask: mask})
	if err != nil || !e.Remote() {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), embed.Query, []string{"a secret"}); err == nil || masked != 1 {
		t.Errorf("masked %d texts, %v", masked, err)
	}
}

func TestProbeFindsTheDimension(t *testing.T) {
	s := embedtest.Serve(t)
	for _, tt := range []struct {
		name string
		o    server.Options
		want int
	}{
		{"known", server.Options{Provider: "openai", Key: key}, 1536},
		{"set", server.Options{Provider: "openai", Key: key, Dimensions: 512}, 512},
		{"from the server", server.Options{Provider: "openai", Base: s.URL, Model: "nomic-embed-text"}, 256},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := server.Probe(t.Context(), tt.o)
			if err != nil || got != tt.want {
				t.Errorf("%d, %v; want %d", got, err, tt.want)
			}
		})
	}
}

func TestOpenAIRefusesInvalidOptions(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    server.Options
		want string
	}{
		{"no key", server.Options{Provider: "openai"}, "needs a key"},
		{"no dimension", server.Options{Provider: "openai", Base: "http://localhost:1/v1", Model: "own"}, "not known"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := server.Open(tt.o)
			if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v; want %q", err, tt.want)
			}
		})
	}
}

func TestVendors(t *testing.T) {
	e, err := server.Open(server.Options{Provider: "gemini", Key: key})
	if err != nil || e.Model() != "gemini/gemini-embedding-001@3072" || e.Dim() != 3072 || !e.Remote() {
		t.Errorf("%v, %v", e, err)
	}
	s := embedtest.Serve(t)
	e = must.Get(server.Open(server.Options{Provider: "openai", Base: s.URL, Model: "text-embedding-3-large", Dimensions: 256}))(t)
	must.Get(e.Embed(t.Context(), embed.Query, []string{"the cat"}))(t)
	if seen := s.Requests(); len(seen) != 1 || seen[0].Dim != 256 {
		t.Errorf("%+v", seen)
	}
}
