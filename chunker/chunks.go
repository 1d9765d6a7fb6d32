package chunker

import (
	"crypto/sha256"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory"
)

// linkBrackets is a [[wikilink]]: whether a name is linked or not changes nothing
// of what is said.
var linkBrackets = regexp.MustCompile(`\[\[([^\[\]\n]+)\]\]`)

// Fingerprint identifies a text: Unicode NFC, white space folded, the brackets
// of [[links]] off. Annotations are not in a text any more.
func Fingerprint(text string) memory.Fingerprint {
	if strings.Contains(text, "[[") {
		text = linkBrackets.ReplaceAllString(text, "$1")
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

// Chunks cuts a text into what is indexed as one: the whole where it is short,
// else pieces of about equal length that end with a paragraph, a line, a
// sentence or at least a word. None is empty.
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

// cutPoints are where a text may be cut, best first.
var cutPoints = [][]string{{"\n\n"}, {"\n"}, {". ", "! ", "? ", "。", "！", "？", "۔", "। "}, {" ", "、", "，"}}

// cutAt is how many bytes the next chunk takes of a text that is left characters
// long: about as many as the others, so that no crumb is left over.
func cutAt(text string, chars int) int {
	pieces := (chars + memory.MaxChunk - 1) / memory.MaxChunk
	targetLen := chars / pieces
	minCut, maxCut := byteLen(text, targetLen*2/3), byteLen(text, min(memory.MaxChunk, targetLen*4/3))
	for _, points := range cutPoints {
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

// byteLen is how many bytes the first n characters take.
func byteLen(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}
