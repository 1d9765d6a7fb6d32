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

// bracketed is a [[wikilink]]: whether a name is linked or not changes nothing
// of what is said.
var bracketed = regexp.MustCompile(`\[\[([^\[\]\n]+)\]\]`)

// Fingerprint identifies a text: Unicode NFC, white space folded, the brackets
// of [[links]] off. Annotations are not in a text any more.
func Fingerprint(text string) memory.Fingerprint {
	if strings.Contains(text, "[[") {
		text = bracketed.ReplaceAllString(text, "$1")
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
	left := utf8.RuneCountInString(text)
	for text != "" {
		n := len(text)
		if left > memory.MaxChunk {
			n = cutAt(text, left)
		}
		piece, rest := strings.TrimRightFunc(text[:n], unicode.IsSpace), strings.TrimLeftFunc(text[n:], unicode.IsSpace)
		left -= utf8.RuneCountInString(text[:len(text)-len(rest)])
		text = rest
		chunks = append(chunks, memory.Chunk{Text: piece, Fingerprint: Fingerprint(piece)})
	}
	return chunks
}

// ends are where a text may be cut, best first.
var ends = [][]string{{"\n\n"}, {"\n"}, {". ", "! ", "? ", "。", "！", "？", "۔", "। "}, {" ", "、", "，"}}

// cutAt is how many bytes the next chunk takes of a text that is left characters
// long: about as many as the others, so that no crumb is left over.
func cutAt(text string, left int) int {
	pieces := (left + memory.MaxChunk - 1) / memory.MaxChunk
	even := left / pieces
	least, most := bytesOf(text, even*2/3), bytesOf(text, min(memory.MaxChunk, even*4/3))
	for _, kind := range ends {
		best := 0
		for _, end := range kind {
			if i := strings.LastIndex(text[least:most], end); i >= 0 {
				best = max(best, least+i+len(end))
			}
		}
		if best > 0 {
			return best
		}
	}
	return most
}

// bytesOf is how many bytes the first n characters take.
func bytesOf(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}
