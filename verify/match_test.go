package verify_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/verify"
)

const heron = "A blue heron lives by the mill pond"

func TestMatcherFindsATextHoweverItIsWrittenOrWrapped(t *testing.T) {
	long := strings.Repeat("x", 1<<20-3)
	tests := []struct {
		name, src, text string
		want            int64
	}{
		{"as written", "ab " + heron + " cd", heron, 3},
		{"absent", "A blue heron lives by the mill", heron, -1},
		{"wrapped", "A blue heron\n  lives by\r\n\tthe mill pond", heron, 0},
		{"in a block quote", "> A blue heron\n> lives by the mill pond", heron, 2},
		{"in JSON", `{"text":"A blue heron\nlives by the mill pond"}`, "A blue heron\nlives by the mill pond", 9},
		{"quoted in JSON", `x"say \"no\" & go"`, `say "no" & go`, 2},
		{"quoted in JSON of ASCII alone", `x"M\u00fcller \ud83d\ude00 \"no\""`, `Müller 😀 "no"`, 2},
		{"with HTML escapes in JSON", `x"a \u003cb\u003e c"`, "a <b> c", 2},
		{"across two pieces", long + " " + heron, heron, 1<<20 - 2},
		{"at the end of a piece", long[:len(long)-len(heron)-10] + heron, heron, int64(1<<20 - 13 - len(heron))},
		{"short words only", "go to it now", "go to it", 0},
		{"short words only, absent", "go to an it", "go to it", -1},
		{"without a space between the words", "blueheron", "blue heron", -1},
		{"after a partial match", "blue her blue heron", "blue heron", 9},
		{"empty", "anything", "  ", -1},
		{"a word that may separate words", "Ada prefers tea >\n  > coffee", "Ada prefers tea > coffee", 0},
		{"the same, before the longest word", "x a > b >= something", "a > b >= something", 2},
		{"the same in JSON", `{"text":"tea \u003e coffee"}`, "tea > coffee", 9},
		{"a word that begins as an escape does", `write \newline here`, `write \newline here`, 0},
		{"no-break space", "blue\u00a0heron", "blue heron", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			texts := []string{"something else that is not there", tt.text}
			for name, wanted := range map[string]*verify.Matcher{"texts": verify.NewMatcher(texts...), "hashes": hashesOf(t, texts...)} {
				got, err := wanted.IndexReader(strings.NewReader(tt.src))
				if err != nil || got != tt.want {
					t.Errorf("%s: found at %d (%v), want %d", name, got, err, tt.want)
				}
			}
		})
	}
}
