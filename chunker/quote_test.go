package chunker_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
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
		{"table", "| Name | Phone |\n|---|---|\n| Clara Holm | 030 3333 |\n| Dieter Vogt | 030 4444 |", "Clara Holm 030 3333 Dieter Vogt 030 4444"},
		{"table below a lead-in", "Numbers of the office:\nName | Phone\n---|---\nClara | 030 3333", "Numbers of the office: Clara 030 3333"},
		{"table with an escaped border", "| Flag | Use |\n|---|---|\n| a\\|b | either |", "a\\|b either"},
		{"table without cells", "| Name | Phone |\n|---|---|\n| | |", "| Name | Phone | |---|---| | |"},
		{"no table", "a | b\nthen --- c | d", "a | b then --- c | d"},
	}
	for _, tt := range tests {
		if got := chunker.QuoteOf(tt.in); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("Prefers \"tabs\" over spaces \\ in Go, not\x00 at \u0085 all \U0001F600\ufeff")
	f.Fuzz(func(t *testing.T, text string) {
		quoted := chunker.QuoteOf(text)
		if strings.ContainsAny(quoted, "\n\r\u2028\u2029\u0085") || len(strings.Fields(quoted)) > 8 {
			t.Fatalf("%q", quoted)
		}
		if quoted == "" {
			return
		}
		change := frontmatter.Change{ID: "3f8a91c2-b7d0-8000-8000-000000000000", Quote: quoted,
			Declared: memory.Declared{Pinned: new(true)}}
		out, err := frontmatter.Set([]byte("Text\n"), nil, []frontmatter.Change{change})
		if err != nil {
			t.Fatal(err)
		}
		if m := frontmatter.Parse(out, nil); len(m.Entries) != 1 || m.Entries[0].Quote != quoted {
			t.Fatalf("%q: %+v", out, m)
		}
	})
}
