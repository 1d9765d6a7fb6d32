package recall

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// extractTerms returns the terms of a clean text: words that are no stop words,
// identifiers together with the words in them, and runs of CJK. If the text has stop
// words alone, it returns them.
func extractTerms(text string) []memory.Term {
	var all, stopped []memory.Term
	for _, piece := range splitPieces(text) {
		for _, t := range pieceTerms(piece) {
			if t.Kind == memory.TermWord && stopWords[t.Text] {
				stopped = append(stopped, t)
			} else {
				all = append(all, t)
			}
		}
	}
	if len(all) == 0 {
		return stopped
	}
	return all
}

// splitPieces splits at separators and between scripts.
func splitPieces(text string) []string {
	var pieces []string
	for _, field := range strings.FieldsFunc(text, isSeparator) {
		start, script := 0, noCJK
		for i, r := range field {
			s := scriptOf(r)
			if s != script && i > start {
				pieces = append(pieces, field[start:i])
				start = i
			}
			script = s
		}
		pieces = append(pieces, field[start:])
	}
	return pieces
}

// isSeparator reports whether r never occurs inside an identifier.
func isSeparator(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("`\"“”„«»()[]{}<>,;|*…、。，；：！？「」『』（）【】《》・", r)
}

// script is a group of CJK scripts.
type script uint8

const (
	noCJK script = iota
	hanOrKatakana
	hiragana
	hangul
)

// scriptOf returns the CJK script of a character. Hiragana is separate, because in
// Japanese it writes the grammar, and Han and Katakana write the words.
func scriptOf(r rune) script {
	switch {
	case r < 0x1100:
		return noCJK
	case unicode.Is(unicode.Han, r), unicode.Is(unicode.Katakana, r), r == 'ー':
		return hanOrKatakana
	case unicode.Is(unicode.Hiragana, r):
		return hiragana
	case unicode.Is(unicode.Hangul, r):
		return hangul
	}
	return noCJK
}

// pieceTerms returns the terms of one piece.
func pieceTerms(piece string) []memory.Term {
	first, _ := utf8.DecodeRuneInString(piece)
	switch s := scriptOf(first); {
	case s == hiragana && utf8.RuneCountInString(piece) < 3: // a particle
		return nil
	case s != noCJK:
		return []memory.Term{{Text: piece, Kind: memory.TermCJK}}
	}
	piece = trimPunctuation(piece)
	switch {
	case piece == "" || stopWords[strings.ToLower(piece)]:
		return wordTerm(piece)
	case !isIdentifier(piece):
		return compoundWords(piece)
	}
	return append([]memory.Term{{Text: piece, Kind: memory.TermIdentifier}}, identifierWords(piece)...)
}

// trimPunctuation removes the punctuation around a piece. It keeps the characters with
// which an identifier begins (/etc, ~/bin, .env, --force) or ends (C++, src/).
func trimPunctuation(piece string) string {
	beginsIdentifier := func(rest string) bool {
		next := strings.TrimLeft(rest, "-./~")
		r, _ := utf8.DecodeRuneInString(next)
		dashes := strings.Count(rest[:len(rest)-len(next)], "-")
		return isAlnum(r) && (strings.ContainsAny(rest[:1], "/~.") || dashes == 2)
	}
	for piece != "" && !beginsIdentifier(piece) {
		r, size := utf8.DecodeRuneInString(piece)
		if isAlnum(r) {
			break
		}
		piece = piece[size:]
	}
	for piece != "" {
		r, size := utf8.DecodeLastRuneInString(piece)
		if isAlnum(r) || r == '/' || (r == '+' || r == '#') && len(piece) <= len("C++") {
			break
		}
		piece = piece[:len(piece)-size]
	}
	return piece
}

func isAlnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// isIdentifier reports whether a trimmed piece must match as a whole: a path, an
// address, a version, a code, a hash or a flag.
func isIdentifier(s string) bool {
	var letters, digits, hyphens int
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case isAlnum(r):
			letters++
		case r == '-' || r == '–':
			hyphens++
		case r != '\'' && r != '’':
			return true
		}
	}
	return letters > 0 && digits > 0 && !isOrdinal(s) || hyphens > 0 && digits > 0 || strings.HasPrefix(s, "--")
}

// isOrdinal recognises 1st, 2nd, 23rd, 5th.
func isOrdinal(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	return rest != s && strings.Contains("st nd rd th", strings.ToLower(rest)) && len(rest) == 2
}

// identifierWords returns the words of an identifier that are also terms: src, auth,
// token and store of src/auth/token_store.go.
func identifierWords(identifier string) []memory.Term {
	const shortest = 3 // shorter words are extensions and abbreviations
	var terms []memory.Term
	for _, w := range strings.FieldsFunc(identifier, func(r rune) bool { return !isAlnum(r) }) {
		t := memory.Term{Text: strings.ToLower(w), Kind: memory.TermWord}
		if utf8.RuneCountInString(w) >= shortest && w != identifier && !stopWords[t.Text] && !strings.ContainsFunc(w, unicode.IsDigit) {
			terms = append(terms, t)
		}
	}
	return terms
}

// compoundWords splits a compound at hyphens and apostrophes. It removes possessives
// and single letters.
func compoundWords(piece string) []memory.Term {
	var terms []memory.Term
	for _, part := range strings.FieldsFunc(piece, func(r rune) bool { return r == '-' || r == '–' }) {
		part = strings.ReplaceAll(part, "’", "'")
		part = strings.TrimSuffix(strings.TrimSuffix(part, "'s"), "'")
		if stopWords[strings.ToLower(part)] {
			terms = append(terms, wordTerm(part)...)
			continue
		}
		for _, w := range strings.Split(part, "'") {
			if utf8.RuneCountInString(w) > 1 || unicode.IsDigit(firstRune(w)) {
				terms = append(terms, wordTerm(w)...)
			}
		}
	}
	return terms
}

func wordTerm(w string) []memory.Term {
	if w == "" {
		return nil
	}
	return []memory.Term{{Text: strings.ToLower(w), Kind: memory.TermWord}}
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
