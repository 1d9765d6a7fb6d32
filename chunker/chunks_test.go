package chunker_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/property"
)

func TestFingerprintIgnoresWhiteSpaceCompositionAndLinks(t *testing.T) {
	tests := []struct {
		name, a, b string
		same       bool
	}{
		{"white space", "a  b\n\tc ", "a b c", true},
		{"wide white space", "a\u3000b\u00a0c", "a b c", true},
		{"composed or decomposed", "caf\u00e9", "cafe\u0301", true},
		{"linked or not", "ask [[Ada]]", "ask Ada", true},
		{"brackets that are no link", "a[[1], [2]]", "a[1], [2]", false},
		{"case", "A", "a", false},
		{"words without a blank between them", "a b", "ab", false},
		{"full width", "Ａ", "A", false},
		{"empty", "", " \n", true},
	}
	for _, tt := range tests {
		if got := chunker.Fingerprint(tt.a) == chunker.Fingerprint(tt.b); got != tt.same {
			t.Errorf("%s: %q and %q have equal fingerprints: %v", tt.name, tt.a, tt.b, got)
		}
	}
}

func TestShortTextIsOneChunk(t *testing.T) {
	for _, text := range []string{"x", strings.Repeat("é", memory.MaxChunk), strings.Repeat("a b\n\n", memory.MaxChunk/5-1) + "."} {
		got := chunker.Chunks(text)
		if len(got) != 1 || got[0].Text != text || got[0].Fingerprint != chunker.Fingerprint(text) {
			t.Errorf("%d chunks of %.20q", len(got), text)
		}
	}
	if got := chunker.Chunks(" \n"); got != nil {
		t.Errorf("chunks of an empty text: %+v", got)
	}
}

func TestLongTextIsCutAtTheBestBoundary(t *testing.T) {
	sentence := "The meeting was moved to Thursday because the room is taken."
	tests := []struct{ name, text, end string }{
		{"paragraphs", strings.Repeat(strings.Repeat(sentence+" ", 8)+"\n\n", 8), "taken."},
		{"lines", strings.Repeat("- one thing after another and no dot\n", 100), "no dot"},
		{"sentences", strings.Repeat(sentence+" ", 60), "taken."},
		{"Japanese", strings.Repeat("金沢で兼六園に行った。", 400), "。"},
		{"words", strings.Repeat("word ", 1000), "word"},
	}
	for _, tt := range tests {
		chunks := chunker.Chunks(tt.text)
		if len(chunks) < 2 {
			t.Errorf("%s: %d chunks", tt.name, len(chunks))
		}
		for _, c := range chunks {
			if !strings.HasSuffix(c.Text, tt.end) {
				t.Errorf("%s: a chunk ends with %q", tt.name, c.Text[max(0, len(c.Text)-20):])
			}
		}
	}
}

func TestChunksHaveAboutTheSameLength(t *testing.T) {
	tests := []struct{ name, text string }{
		{"a little longer than one chunk", strings.Repeat("It rains. ", memory.MaxChunk*11/100)},
		{"a paragraph ends early", strings.Repeat("It rains ", memory.MaxChunk/50) + "\n\n" + strings.Repeat("It rains ", memory.MaxChunk/5)},
	}
	for _, tt := range tests {
		for _, c := range chunker.Chunks(tt.text) {
			if n := utf8.RuneCountInString(c.Text); n < memory.MaxChunk/4 {
				t.Errorf("%s: a chunk has only %d characters", tt.name, n)
			}
		}
	}
}

// TestChunksContainTheWholeText splits random texts: only white space may get
// lost, and no chunk may be very short.
func TestChunksContainTheWholeText(t *testing.T) {
	words := rapid.SampledFrom([]string{"word ", "sentence. ", "line\n", "paragraph\n\n", "長い文章。", "👩‍👧", "\u00a0", "   ", strings.Repeat("x", 900)})
	property.Check(t, func(r *rapid.T) {
		text := strings.Repeat(strings.Join(rapid.SliceOfN(words, 1, 30).Draw(r, "words"), ""), rapid.IntRange(1, 60).Draw(r, "times"))
		var all strings.Builder
		chunks := chunker.Chunks(text)
		for _, c := range chunks {
			n := utf8.RuneCountInString(c.Text)
			if c.Text != strings.TrimSpace(c.Text) || n == 0 || n > memory.MaxChunk || c.Fingerprint != chunker.Fingerprint(c.Text) {
				t.Fatalf("chunk of %d characters: %q", n, c.Text)
			}
			if len(chunks) > 1 && n < memory.MaxChunk/8 && strings.TrimSpace(text) == text && !strings.Contains(text, "   ") {
				t.Fatalf("a short rest of %d characters: %q", n, c.Text)
			}
			all.WriteString(c.Text)
		}
		if got, want := strings.Join(strings.Fields(all.String()), ""), strings.Join(strings.Fields(text), ""); got != want {
			t.Fatalf("the chunks contain %d bytes of %d", len(got), len(want))
		}
	})
}

func TestEachRowOfATableIsAChunkBelowTheColumns(t *testing.T) {
	blocks := chunker.Parse([]byte("Prices of the shop:\n\n| Item | Price |\n|:--|--:|\n| Sofa, grey | 1,249 |\n| **Desk** (oak) | 310 |\n| 3 \\| 4 | 5 |"), 0).Blocks
	if len(blocks) != 1 || blocks[0].Kind != memory.KindTable {
		t.Fatalf("%+v", blocks)
	}
	var texts []string
	for _, c := range chunker.ChunksOf(blocks[0]) {
		texts = append(texts, c.Text)
	}
	above := "Prices of the shop:\n\n| Item | Price |\n"
	want := []string{blocks[0].Text, above + "| Sofa, grey | 1,249 |", above + "| **Desk** (oak) | 310 |", above + "| 3 \\| 4 | 5 |"}
	if !slices.Equal(texts, want) {
		t.Errorf("%q", texts)
	}
	columns, rows := chunker.Table(blocks[0].Text)
	cells := append(rows, columns)
	if want := [][]string{{"Sofa, grey", "1,249"}, {"**Desk** (oak)", "310"}, {`3 \| 4`, "5"}, {"Item", "Price"}}; !slices.EqualFunc(cells, want, slices.Equal) {
		t.Errorf("the cells are %q", cells)
	}
}

func TestATableWithoutRowsOrWithTooManyIsNotSplit(t *testing.T) {
	long := "| n | m |\n|---|---|" + strings.Repeat("\n| a | b |", 201)
	for _, text := range []string{"| n | m |\n|---|---|", long, "a | b", ""} {
		got := chunker.ChunksOf(memory.Block{Kind: memory.KindTable, Text: text})
		if _, rows := chunker.Table(text); len(got) != len(chunker.Chunks(text)) || rows != nil {
			t.Errorf("%.30q has %d chunks and %d rows", text, len(got), len(rows))
		}
	}
}
