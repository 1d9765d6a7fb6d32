package question

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/language"
)

// extractTerms returns the terms of a clean text: words that are no stop words,
// identifiers together with the words in them, and runs of CJK. Words that describe the
// request are none. If the text has stop words alone, it returns them, or the emoji of a
// thing beside them.
func extractTerms(text string) []memory.Term {
	var all, stopped []memory.Term
	isStopWord, previous := language.IsStopWordIn(text), ""
	for _, piece := range splitPieces(withoutRequest(text)) {
		for _, t := range pieceTerms(piece) {
			if t.Kind == memory.TermWord && (isStopWord(t.Text) || previous == "wie" && isHowMuch(t.Text)) {
				stopped = append(stopped, t)
			} else {
				all = append(all, t)
			}
			previous = t.Text
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
		start, script := 0, language.NoCJK
		for i, r := range field {
			s := language.ScriptOf(r)
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
	switch s := language.ScriptOf(first); {
	case s == language.Hiragana && utf8.RuneCountInString(piece) < 3: // a particle
		return nil
	case s != language.NoCJK:
		return []memory.Term{{Text: piece, Kind: memory.TermCJK}}
	}
	piece = trimPunctuation(piece)
	switch {
	case piece == "" || language.IsStopWord(strings.ToLower(piece)):
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
		return language.IsAlnum(r) && (strings.ContainsAny(rest[:1], "/~.") || dashes == 2)
	}
	for piece != "" && !beginsIdentifier(piece) {
		r, size := utf8.DecodeRuneInString(piece)
		if language.IsAlnum(r) {
			break
		}
		piece = piece[size:]
	}
	for piece != "" {
		r, size := utf8.DecodeLastRuneInString(piece)
		if language.IsAlnum(r) || r == '/' || (r == '+' || r == '#') && len(piece) <= len("C++") {
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
		case language.IsAlnum(r):
			letters++
		case r == '-' || r == '–':
			hyphens++
		case r != '\'' && r != '’':
			return true
		}
	}
	return letters > 0 && digits > 0 && !language.IsOrdinal(s) || hyphens > 0 && digits > 0 || strings.HasPrefix(s, "--")
}

// identifierWords returns the words of an identifier that are also terms: src, auth,
// token and store of src/auth/token_store.go.
func identifierWords(identifier string) []memory.Term {
	const shortest = 3 // shorter words are extensions and abbreviations
	var terms []memory.Term
	for _, w := range strings.FieldsFunc(identifier, func(r rune) bool { return !language.IsAlnum(r) }) {
		t := memory.Term{Text: strings.ToLower(w), Kind: memory.TermWord}
		if utf8.RuneCountInString(w) >= shortest && w != identifier && !language.IsStopWord(t.Text) && !strings.ContainsFunc(w, unicode.IsDigit) {
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
		if language.IsStopWord(strings.ToLower(part)) {
			terms = append(terms, wordTerm(part)...)
			continue
		}
		for _, w := range strings.Split(part, "'") {
			if utf8.RuneCountInString(w) > 1 || unicode.IsDigit(language.FirstRune(w)) {
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

// withoutRequest returns a question without the words at its beginning that describe the
// request: "the boiler" of "Tell me everything about the boiler". It also leaves out "in my
// notes" at the end. It returns the question as it is if nothing else is left.
func withoutRequest(text string) string {
	words := strings.Fields(text)
	from, requests, writes := 0, false, false
	for i, field := range words {
		w := bareLower(field)
		writes = writes || isWriting(w)
		isRequest := isRequestWord(w) || writes && (isWriting(w) || isWritten(w))
		if !isRequest && !leadsToTopic(w) && !language.IsStopWord(w) {
			break
		}
		requests = requests || isRequest
		if requests && leadsToTopic(w) && i+1 < len(words) {
			from = i + 1
		}
	}
	if from == 0 {
		return text
	}
	rest := strings.Join(withoutNotes(words[from:]), " ")
	if language.AllStopWords(language.SplitWords(strings.ToLower(rest))) {
		return text
	}
	return rest
}

// bareLower returns a word in lower case without punctuation. Of a French verb with its
// pronoun ("sais-tu") it returns the verb.
func bareLower(field string) string {
	verb, _, _ := strings.Cut(strings.Trim(strings.ToLower(field), ".,:;!?¿¡\"'"), "-")
	return verb
}

// withoutNotes removes "in my notes" from the end of a question.
func withoutNotes(words []string) []string {
	i := len(words) - 1
	if i < 0 || !isPlaceOfNote(bareLower(words[i])) {
		return words
	}
	for i > 0 && language.IsStopWord(bareLower(words[i-1])) {
		i--
	}
	return words[:i]
}
