package frontmatter_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
)

func TestQuoteHasAtMostEightWordsAnd80Characters(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"short", "Prefers tabs", "Prefers tabs"},
		{"eight words", "one two three four five six seven eight nine", "one two three four five six seven eight"},
		{"one line", "one\n\n  two\tthree\u2028four", "one two three four"},
		{"no words to count", strings.Repeat("漢", 200), strings.Repeat("漢", 80)},
		{"not text", "a\xffb", "a\ufffdb"},
		{"nothing", " \n", ""},
	}
	for _, tt := range tests {
		if got := frontmatter.Quote(tt.in); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("Prefers \"tabs\" over spaces \\ in Go, not\x00 at \u0085 all \U0001F600\ufeff")
	f.Fuzz(func(t *testing.T, text string) {
		quote := frontmatter.Quote(text)
		if strings.ContainsAny(quote, "\n\r\u2028\u2029\u0085") || len(strings.Fields(quote)) > 8 {
			t.Fatalf("%q", quote)
		}
		if quote == "" {
			return
		}
		change := frontmatter.Change{ID: "3f8a91c2-b7d0-8000-8000-000000000000", Quote: quote,
			Declared: memory.Declared{Pinned: ptr(true)}}
		out, err := frontmatter.Set([]byte("Text\n"), nil, []frontmatter.Change{change})
		if err != nil {
			t.Fatal(err)
		}
		if m := frontmatter.Parse(out, nil); len(m.Entries) != 1 || m.Entries[0].Quote != quote {
			t.Fatalf("%q: %+v", out, m)
		}
	})
}
