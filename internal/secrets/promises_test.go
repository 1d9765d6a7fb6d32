package secrets_test

import (
	"os"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/secrets"
)

// readTexts returns the texts of a file of testdata, and whether each has a secret.
func readTexts(t *testing.T, path string) (texts []string, secret []bool) {
	t.Helper()
	content, err := os.ReadFile("testdata/" + path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(content)) {
		sign, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if sign != "#" {
			texts, secret = append(texts, strings.ReplaceAll(text, `\n`, "\n")), append(secret, sign == "+")
		}
	}
	return texts, secret
}

func TestPromises(t *testing.T) {
	texts, want := readTexts(t, "promises/texts.txt")
	for i, text := range texts {
		if kind, found := secrets.Find(text); found != want[i] {
			t.Errorf("Find(%q) = %q, %t: %q", text, kind, found, secrets.Mask(text))
		}
	}
}

// A reply is "question > answer". "<" separates a text and the one after it that names it.
func TestPromisesOfReplies(t *testing.T) {
	texts, want := readTexts(t, "promises/replies.txt")
	for i, text := range texts {
		before, reply, isReply := strings.Cut(text, " > ")
		kind, found := secrets.FindReply(before, reply)
		if !isReply {
			first, after, _ := strings.Cut(text, " < ")
			kind, found = secrets.FindNamedAfter(first, after)
		}
		if found != want[i] {
			t.Errorf("%q = %q, %t", text, kind, found)
		}
	}
}
