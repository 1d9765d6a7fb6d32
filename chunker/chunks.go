package chunker

import (
	"crypto/sha256"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory"
)

// Fingerprint identifies a text: Unicode NFC, white space folded, the brackets
// of [[links]] off.
func Fingerprint(text string) memory.Fingerprint {
	text = strings.NewReplacer("[[", "", "]]", "").Replace(text)
	return sha256.Sum256([]byte(strings.Join(strings.Fields(norm.NFC.String(text)), " ")))
}

// Chunks cuts a text into what is indexed as one: the whole where it is short,
// else pieces that end with a paragraph, a line, a sentence or a word.
func Chunks(text string) []memory.Chunk {
	var chunks []memory.Chunk
	for text = strings.TrimSpace(text); text != ""; {
		n := cutAt(text)
		if piece := strings.TrimSpace(text[:n]); piece != "" {
			chunks = append(chunks, memory.Chunk{Text: piece, Fingerprint: Fingerprint(piece)})
		}
		text = strings.TrimSpace(text[n:])
	}
	return chunks
}

// cutAt is how many bytes the next chunk takes.
func cutAt(text string) int {
	most, runes := len(text), 0
	for i := range text {
		if runes++; runes > memory.MaxChunk {
			most = i
			break
		}
	}
	if most == len(text) {
		return most
	}
	window := text[:most]
	for _, end := range []string{"\n\n", "\n", ". ", "! ", "? ", "。", "！", "？", " "} {
		if i := strings.LastIndex(window, end); i > len(window)/2 { // an end too early would make many small chunks
			return i + len(end)
		}
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return most
}
