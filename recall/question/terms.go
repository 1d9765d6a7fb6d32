package question

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// extractTerms returns the terms of a clean text: words that are no stop words,
// identifiers together with the words in them, and runs of CJK. If the text has stop words alone, it returns them, or the emoji of a
// thing beside them.
func extractTerms(text string) []memory.Term {
	var all, stopped []memory.Term
	isStopWord := lang.IsStopWordIn(text)
	for _, piece := range splitPieces(text) {
		for _, t := range pieceTerms(piece) {
			isRequest := len(all) == 0 && isRequestWord(t.Text) // "tell me everything about"
			if t.Kind == memory.TermWord && (isRequest || isStopWord(t.Text)) {
				stopped = append(stopped, t)
			} else {
				all = append(all, t)
			}
		}
	}
	switch {
	case len(all) > 0:
		return all
	case len(stopped) > 0 && !strings.ContainsFunc(text, isThing):
		return stopped
	}
	return symbols(text)
}

// symbols returns the symbols of a text as terms. Beside words they tell a mood rather
// than what is asked for.
func symbols(text string) (terms []memory.Term) {
	for _, r := range text {
		if unicode.Is(unicode.So, r) {
			terms = append(terms, memory.Term{Text: string(r), Kind: memory.TermWord})
		}
	}
	return terms
}

// splitPieces splits at separators and between scripts.
func splitPieces(text string) []string {
	var pieces []string
	for _, field := range strings.FieldsFunc(text, isSeparator) {
		start, script := 0, lang.NoCJK
		for i, r := range field {
			s := lang.ScriptOf(r)
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

// pieceTerms returns the terms of one piece.
func pieceTerms(piece string) []memory.Term {
	first, _ := utf8.DecodeRuneInString(piece)
	switch s := lang.ScriptOf(first); {
	case s == lang.Hiragana && utf8.RuneCountInString(piece) < 3: // a particle
		return nil
	case s != lang.NoCJK:
		return []memory.Term{{Text: piece, Kind: memory.TermCJK}}
	}
	piece = trimPunctuation(piece)
	switch {
	case piece == "" || lang.IsStopWord(strings.ToLower(piece)):
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
		return lang.IsAlnum(r) && (strings.ContainsAny(rest[:1], "/~.") || dashes == 2)
	}
	for piece != "" && !beginsIdentifier(piece) {
		r, size := utf8.DecodeRuneInString(piece)
		if lang.IsAlnum(r) {
			break
		}
		piece = piece[size:]
	}
	for piece != "" {
		r, size := utf8.DecodeLastRuneInString(piece)
		if lang.IsAlnum(r) || r == '/' || (r == '+' || r == '#') && len(piece) <= len("C++") {
			break
		}
		piece = piece[:len(piece)-size]
	}
	return piece
}

// isIdentifier reports whether a trimmed piece must match as a whole: a path, an
// address, a version, a code, a hash or a flag.
func isIdentifier(s string) bool {
	var letters, digits, hyphens int
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case lang.IsAlnum(r):
			letters++
		case r == '-' || r == '–':
			hyphens++
		case r != '\'' && r != '’':
			return true
		}
	}
	return letters > 0 && digits > 0 && !lang.IsOrdinal(s) || hyphens > 0 && digits > 0 || strings.HasPrefix(s, "--")
}

// identifierWords returns the words of an identifier that are also terms: src, auth,
// token and store of src/auth/token_store.go.
func identifierWords(identifier string) []memory.Term {
	const shortest = 3 // shorter words are extensions and abbreviations
	var terms []memory.Term
	for _, w := range strings.FieldsFunc(identifier, func(r rune) bool { return !lang.IsAlnum(r) }) {
		t := memory.Term{Text: strings.ToLower(w), Kind: memory.TermWord}
		if utf8.RuneCountInString(w) >= shortest && w != identifier && !lang.IsStopWord(t.Text) && !strings.ContainsFunc(w, unicode.IsDigit) {
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
		if lang.IsStopWord(strings.ToLower(part)) {
			terms = append(terms, wordTerm(part)...)
			continue
		}
		for _, w := range strings.Split(part, "'") {
			if utf8.RuneCountInString(w) > 1 || unicode.IsDigit(lang.FirstRune(w)) {
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
