package modelserver_test

import (
	"testing"

	"github.com/memory-tiered/memory/internal/modelserver"
)

// FuzzChat: an answer with an error has no text, and no answer has fewer than no tokens.
func FuzzChat(f *testing.F) {
	for _, seed := range []string{`{"choices":[{"message":{"content":"{}"}}],"usage":{"prompt_tokens":3,"completion_tokens":1e3}}`,
		`{"choices":[{"message":{"content":"{"},"finish_reason":"length"}],"usage":{"prompt_tokens":-3}}`, `{"choices":[]}`, `{}`, `[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := modelserver.ParseChat(body)
		if a.In < 0 || a.Out < 0 || err != nil && a.Text != "" {
			t.Fatalf("%s: %+v, %v", body, a, err)
		}
	})
}
