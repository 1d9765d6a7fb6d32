package dates

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/lang"
)

// token is a word of a text, without the punctuation around it. A character of a script
// without spaces is a word.
type token struct {
	text, lower  string // as written, and in lower case without a possessive
	from, to     int    // the offsets of text in the whole text
	mark         rune   // the last punctuation behind it, or 0
	startsClause bool
	endsClause   bool // a comma or a stronger mark follows
	inCJK        bool
}

// punctuation lists the marks around a word that are no part of it.
const punctuation = `.,;:!?…()[]"“”„«»¿¡–—*_`

// tokenise splits a text into words, and splits the prefixes from their words.
func (g *grammar) tokenise(text string) (tokens []token) {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch script := lang.ScriptOf(r); {
		case unicode.IsSpace(r):
			at += size
		case script != lang.NoCJK:
			end := g.numeralsEnd(text, at, size)
			tokens = appendToken(tokens, token{text: text[at:end], lower: text[at:end], from: at, to: end, inCJK: true})
			at = end
		case isWideMark(r):
			tokens = g.appendMark(tokens, r)
			at += size
		default:
			end := len(text)
			if i := strings.IndexFunc(text[at:], endsField); i >= 0 {
				end = at + i
			}
			tokens = g.appendField(tokens, text[:end], at)
			at = end
		}
	}
	return tokens
}

// endsField reports whether a character is in no field of words that spaces separate.
func endsField(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x1100 && (isWideMark(r) || lang.ScriptOf(r) != lang.NoCJK)
}

// isWideMark reports whether a character is punctuation of a script without spaces.
func isWideMark(r rune) bool { return r >= 0x3000 && unicode.IsPunct(r) }

// numeralsEnd returns the end of the character at an offset, or that of a number up to 99:
// 二十三.
func (g *grammar) numeralsEnd(text string, at, size int) int {
	const ten = 10
	first, _ := utf8.DecodeRuneInString(text[at:])
	end, value := at+size, g.numerals[first]
	if next, size := utf8.DecodeRuneInString(text[end:]); value > 0 && value < ten && g.numerals[next] == ten {
		end, value = end+size, ten
	}
	if next, size := utf8.DecodeRuneInString(text[end:]); value == ten && g.numerals[next] > 0 && g.numerals[next] < ten {
		end += size
	}
	return end
}

// appendField appends the words of a part of a text without spaces, which begins at an offset
// and ends with the text.
func (g *grammar) appendField(tokens []token, text string, at int) []token {
	field := text[at:]
	word := strings.Trim(field, punctuation)
	from := at + strings.Index(field, word)
	mark, _ := utf8.DecodeLastRuneInString(field)
	if word == "" {
		return g.appendMark(tokens, mark)
	}
	lower := strings.ReplaceAll(strings.ToLower(word), "’", "'")
	if n := g.prefixOf(lower); n > 0 && len(lower) == len(word) {
		tokens = appendToken(tokens, token{text: word[:n], lower: lower[:n], from: from, to: from + n})
		word, lower, from = word[n:], lower[n:], from+n
	}
	tokens = appendToken(tokens, token{text: word, lower: withoutPossessive(lower), from: from, to: from + len(word)})
	if from+len(word) < len(text) {
		tokens = g.appendMark(tokens, mark)
	}
	return tokens
}

// prefixOf returns the length of the prefix of a word, or 0.
func (g *grammar) prefixOf(lower string) int {
	for _, prefix := range g.prefixes {
		if len(lower) > len(prefix) && strings.HasPrefix(lower, prefix) {
			return len(prefix)
		}
	}
	return 0
}

func withoutPossessive(word string) string {
	if owner := strings.TrimSuffix(word, "'s"); owner != "" {
		return owner
	}
	return word
}

func appendToken(tokens []token, t token) []token {
	t.startsClause = len(tokens) == 0 || tokens[len(tokens)-1].endsClause
	return append(tokens, t)
}

// appendMark adds a mark to the last token. The dot of "am 3. Juni", of "am 3.6." and of "Oct. 19"
// does not end its clause.
func (g *grammar) appendMark(tokens []token, mark rune) []token {
	if len(tokens) == 0 {
		return tokens
	}
	t := &tokens[len(tokens)-1]
	t.mark = mark
	switch mark {
	case '.':
		isShort := g.isOf(t.lower, "month short") || g.isOf(t.lower, "month beside") || g.isOf(t.lower, "weekday short")
		t.endsClause = t.endsClause || !isShort && !lang.AllDigits(t.lower) && !isFigures(t.lower)
	case ',', ';', ':', '!', '?', ')', '，', '、', '。', '；', '：', '！', '？', '）':
		t.endsClause = true
	}
	return tokens
}

// endsSentence reports whether a sentence ends with the token.
func (t token) endsSentence() bool {
	return t.endsClause && strings.ContainsRune(".?!。？！", t.mark) && t.mark != 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
