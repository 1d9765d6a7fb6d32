package recall

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// extractTerms finds what a cleaned text asks for: words without the stop words,
// identifiers whole and with the words in them, runs of CJK. A text of stop
// words alone is asked for by them.
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

// splitPieces cuts at white space and at what never stands inside an identifier, and
// again where CJK begins and ends.
func splitPieces(text string) []string {
	var out []string
	for _, field := range strings.FieldsFunc(text, isSeparator) {
		start, script := 0, noCJK
		for i, r := range field {
			s := scriptOf(r)
			if s != script && i > start {
				out = append(out, field[start:i])
				start = i
			}
			script = s
		}
		out = append(out, field[start:])
	}
	return out
}

func isSeparator(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("`\"“”„«»()[]{}<>,;|*…、。，；：！？「」『』（）【】《》・", r)
}

type script uint8

const (
	noCJK script = iota
	hanOrKatakana
	hiragana
	hangul
)

// scriptOf keeps Hiragana apart from Han and Katakana: in Japanese the one
// holds the grammar and the others the words.
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

// pieceTerms is what one piece asks for.
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

// trimPunctuation takes off the punctuation of the sentence around a piece. What an
// identifier begins with (/etc, ~/bin, .env, --force) or ends with (C++, src/)
// stays.
func trimPunctuation(piece string) string {
	begins := func(rest string) bool {
		next := strings.TrimLeft(rest, "-./~")
		r, _ := utf8.DecodeRuneInString(next)
		dashes := strings.Count(rest[:len(rest)-len(next)], "-")
		return isAlnum(r) && (strings.ContainsAny(rest[:1], "/~.") || dashes == 2)
	}
	for piece != "" && !begins(piece) {
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

// isIdentifier says whether a trimmed piece is something that is looked for as
// it stands: a path, an address, a version, a code, a hash, a flag.
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

// isOrdinal knows 1st, 2nd, 23rd, 5th.
func isOrdinal(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	return rest != s && strings.Contains("st nd rd th", strings.ToLower(rest)) && len(rest) == 2
}

// identifierWords gives the words of an identifier that could be looked for on their
// own: of src/auth/token_store.go auth, token and store.
func identifierWords(identifier string) []memory.Term {
	const shortest = 3 // shorter ones are extensions and abbreviations
	var out []memory.Term
	for _, w := range strings.FieldsFunc(identifier, func(r rune) bool { return !isAlnum(r) }) {
		t := memory.Term{Text: strings.ToLower(w), Kind: memory.TermWord}
		if utf8.RuneCountInString(w) >= shortest && w != identifier && !stopWords[t.Text] && !strings.ContainsFunc(w, unicode.IsDigit) {
			out = append(out, t)
		}
	}
	return out
}

// compoundWords cuts a compound, takes a possessive off and leaves what is more than a
// letter.
func compoundWords(piece string) []memory.Term {
	var out []memory.Term
	for _, part := range strings.FieldsFunc(piece, func(r rune) bool { return r == '-' || r == '–' }) {
		part = strings.ReplaceAll(part, "’", "'")
		part = strings.TrimSuffix(strings.TrimSuffix(part, "'s"), "'")
		if stopWords[strings.ToLower(part)] {
			out = append(out, wordTerm(part)...)
			continue
		}
		for _, w := range strings.Split(part, "'") {
			if utf8.RuneCountInString(w) > 1 || unicode.IsDigit(firstRune(w)) {
				out = append(out, wordTerm(w)...)
			}
		}
	}
	return out
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
