package postgres

import "strings"

// kind is a kind of tokens in SQL.
type kind int

const (
	space     kind = iota // also comments
	word                  // an identifier, a keyword or a number
	literal               // '…'
	quoted                // "…"
	blob                  // x'…'
	parameter             // ? or ?1
	symbol                // one character, or ||
)

// token is a part of a statement.
type token struct {
	kind kind
	text string
}

// tokenize cuts a statement into tokens, which join to the same text.
func tokenize(statement string) (tokens []token) {
	for len(statement) > 0 {
		k, n := next(statement)
		tokens = append(tokens, token{k, statement[:n]})
		statement = statement[n:]
	}
	return tokens
}

// next returns the kind and the length of the first token.
func next(s string) (kind, int) {
	switch c := s[0]; {
	case strings.HasPrefix(s, "--"):
		return space, lengthUntil(s, "\n")
	case isSpace(c):
		return space, lengthWhile(s, isSpace)
	case c == '\'':
		return literal, quotedLength(s)
	case c == '"':
		return quoted, quotedLength(s)
	case c == 'x' && strings.HasPrefix(s, "x'"):
		return blob, 1 + quotedLength(s[1:])
	case c == '?':
		return parameter, 1 + lengthWhile(s[1:], isDigit)
	case isLetter(c):
		return word, lengthWhile(s, isLetter)
	case strings.HasPrefix(s, "||"):
		return symbol, 2
	}
	return symbol, 1
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80 || isDigit(c)
}

func lengthWhile(s string, is func(byte) bool) int {
	for i := range len(s) {
		if !is(s[i]) {
			return i
		}
	}
	return len(s)
}

func lengthUntil(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i
	}
	return len(s)
}

// quotedLength returns the length of a quoted text. A doubled quote does not end it, as
// the next token is then quoted too.
func quotedLength(s string) int {
	if i := strings.IndexByte(s[1:], s[0]); i >= 0 {
		return i + 2
	}
	return len(s)
}
