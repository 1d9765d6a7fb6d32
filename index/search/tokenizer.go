package search

import (
	"strings"

	"github.com/memory-tiered/memory/index/text"
)

// tokenizer turns chunks into the numbers of their tokens. It adds new tokens to the
// vocabulary.
type tokenizer struct {
	*vocabulary
	context       string // of the last chunk: the next one often has the same
	contextTokens []int32
}

// tokenize appends the tokens of a chunk, with none after each column.
func (t *tokenizer) tokenize(tokens []int32, c *ChunkText) []int32 {
	if c.Context != t.context {
		t.context, t.contextTokens = c.Context, t.appendTokens(t.contextTokens[:0], c.Context)
	}
	tokens = append(t.appendTokens(tokens, c.Text), none)
	tokens = append(append(tokens, t.contextTokens...), none)
	return append(t.appendTokens(tokens, c.Parts), none)
}

// appendTokens appends the tokens of a text.
func (v *vocabulary) appendTokens(tokens []int32, s string) []int32 {
	for word := range text.Words(s) {
		if token := v.tokenOf(word); token != none {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// tokenOf returns the token of a word, which may be a new one. A word without a token
// has none.
func (v *vocabulary) tokenOf(word string) int32 {
	if token, known := v.byWord[word]; known {
		return token
	}
	token := none
	if t := text.Token(word); t != "" {
		var known bool
		if token, known = v.ids[t]; !known {
			if token, known = v.pending[t]; !known {
				t = strings.Clone(t) // it may share memory with the whole text
				token = int32(len(v.tokens) + len(v.pendingTokens))
				v.pending[t] = token
				v.pendingTokens = append(v.pendingTokens, t)
			}
		}
	}
	v.byWord[strings.Clone(word)] = token
	return token
}
