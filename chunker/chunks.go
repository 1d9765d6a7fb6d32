package chunker

import (
	"crypto/sha256"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
)

// linkBrackets matches the brackets of a [[wikilink]]. A fingerprint ignores
// them, because a linked name means the same as a plain one.
var linkBrackets = lazyregexp.New(`\[\[([^\[\]\n]+)\]\]`)

// Fingerprint identifies a text after normalisation: Unicode NFC, white space
// folded, no brackets around [[links]]. The text must not contain annotations.
func Fingerprint(text string) memory.Fingerprint {
	if strings.Contains(text, "[[") {
		text = linkBrackets().ReplaceAllString(text, "$1")
	}
	folded := make([]byte, 0, len(text)+8)
	for word := range strings.FieldsSeq(norm.NFC.String(text)) {
		if len(folded) > 0 {
			folded = append(folded, ' ')
		}
		folded = append(folded, word...)
	}
	return sha256.Sum256(folded)
}

// ChunksOf splits the text of a block into the parts that are indexed separately. Each
// row of a table is one too, below the names of its columns.
func ChunksOf(b memory.Block) []memory.Chunk {
	chunks := Chunks(b.Text)
	if b.Kind != memory.KindTable {
		return chunks
	}
	above, header, rows := findTable(b.Text)
	if len(rows) > maxSplitRows {
		return chunks
	}
	for _, row := range rows {
		chunks = append(chunks, Chunks(strings.Join(slices.Concat(above, []string{header, row}), "\n"))...)
	}
	return chunks
}

// Chunks splits a text into the parts that are indexed separately. A short text
// is one chunk. A longer one becomes chunks of about equal length, each ending
// at a paragraph, a line, a sentence or at least a word. No chunk is empty.
func Chunks(text string) []memory.Chunk {
	var chunks []memory.Chunk
	text = strings.TrimSpace(text)
	chars := utf8.RuneCountInString(text)
	for text != "" {
		n := len(text)
		if chars > memory.MaxChunk {
			n = cutAt(text, chars)
		}
		piece, rest := strings.TrimRightFunc(text[:n], unicode.IsSpace), strings.TrimLeftFunc(text[n:], unicode.IsSpace)
		chars -= utf8.RuneCountInString(text[:len(text)-len(rest)])
		text = rest
		chunks = append(chunks, memory.Chunk{Text: piece, Fingerprint: Fingerprint(piece)})
	}
	return chunks
}

// cutPoints lists where a text may be cut, best first.
var cutPoints = sync.OnceValue(func() [][]string {
	return [][]string{{"\n\n"}, {"\n"}, lang.SentenceEnds(), {" ", "、", "，"}}
})

// cutAt returns the length in bytes of the next chunk of a text of chars
// characters. All chunks get about the same length, so that no short rest
// remains.
func cutAt(text string, chars int) int {
	pieces := (chars + memory.MaxChunk - 1) / memory.MaxChunk
	targetLen := chars / pieces
	minCut, maxCut := byteLen(text, targetLen*2/3), byteLen(text, min(memory.MaxChunk, targetLen*4/3))
	for _, points := range cutPoints() {
		best := 0
		for _, end := range points {
			if i := strings.LastIndex(text[minCut:maxCut], end); i >= 0 {
				best = max(best, minCut+i+len(end))
			}
		}
		if best > 0 {
			return best
		}
	}
	return maxCut
}

// byteLen returns how many bytes the first n characters take.
func byteLen(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}
