package static

import (
	"strings"
	"unicode/utf8"
)

const (
	// unknownToken is the token of a word that the vocabulary cannot build.
	unknownToken = "[UNK]"

	// continuationPrefix marks a piece that does not begin its word.
	continuationPrefix = "##"

	// maxWordChars is the longest word in characters. Longer words are unknown.
	maxWordChars = 100
)

// vocabulary maps the pieces of a model to their ids.
type vocabulary struct {
	tokens            []string         // by id
	wordStarts        map[string]int32 // pieces that begin a word
	continuations     map[string]int32 // other pieces, without their "##"
	longestPieceBytes int
	unknown           int32
	maxTokens         int // of a text; later ones are ignored
}

// newVocabulary reads one token per line; the number of the line, from 0, is its id. Every
// token is a substring of the lines.
func newVocabulary(lines string, most int) (v vocabulary) {
	v.tokens, v.maxTokens = strings.Split(lines, "\n"), most
	v.wordStarts, v.continuations = make(map[string]int32, len(v.tokens)), make(map[string]int32, len(v.tokens)/4)
	for i, token := range v.tokens {
		id := int32(i)
		v.wordStarts[token] = id
		piece, inner := strings.CutPrefix(token, continuationPrefix)
		if inner {
			v.continuations[piece] = id
		}
		v.longestPieceBytes = max(v.longestPieceBytes, len(piece))
	}
	v.unknown = v.wordStarts[unknownToken]
	return v
}

// appendPieces appends the ids of the longest pieces that build a word of the given
// number of characters, from the left. If a piece is missing, it appends one unknown
// token.
func (v *vocabulary) appendPieces(ids []int32, word []byte, chars int) []int32 {
	if chars > maxWordChars {
		return append(ids, v.unknown)
	}
	before, from := len(ids), v.wordStarts
	for len(word) > 0 {
		id, size := v.longestPiece(from, word)
		if size == 0 {
			return append(ids[:before], v.unknown)
		}
		ids, word, from = append(ids, id), word[size:], v.continuations
	}
	return ids
}

// longestPiece finds the longest piece that word begins with; size is 0 if there is
// none.
func (v *vocabulary) longestPiece(from map[string]int32, word []byte) (id int32, size int) {
	for end := min(len(word), v.longestPieceBytes); end > 0; end-- {
		if end < len(word) && !utf8.RuneStart(word[end]) {
			continue
		}
		if id, ok := from[string(word[:end])]; ok {
			return id, end
		}
	}
	return 0, 0
}
