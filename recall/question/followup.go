package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/learn"
)

// tellsNothing reports whether a prompt has no word that names a thing: stop words, single
// letters and digits. It is a follow-up ("what about the other one?") or a scrap of code
// ("x = 1"), and every memory has these words. folded is the prompt as the gate folds it.
// An emoji names a thing, and so does an abbreviation in capital letters ("who does the
// IT?").
func tellsNothing(prompt, folded string) bool {
	if strings.ContainsFunc(prompt, isPictograph) || languageName().MatchString(folded) {
		return false
	}
	words := splitGateWords(elision().ReplaceAllString(folded, " "))
	foreign := lang.IsForeign(prompt)
	for _, w := range words {
		r, size := utf8.DecodeRuneInString(w)
		single := size == len(w) && lang.ScriptOf(r) == lang.NoCJK
		if !single && !isFollowUp(w) && !(foreign && isAmbiguous(w)) {
			return false
		}
	}
	return !hasAbbreviation(prompt)
}

var (
	// elision matches a French or Italian word that ends with an apostrophe: c'est, l'altro.
	elision = lazyregexp.New(`\b(?:[cdjlmnst]|qu|dell|nell|sull|all|dall)'`)
	// languageName matches C++, C# and F#.
	languageName = lazyregexp.New(`\b[a-z](?:\+\+|#)`)
)

func isPictograph(r rune) bool { return unicode.Is(unicode.So, r) }

// hasAbbreviation reports whether a text in mixed case has a word of capital letters alone.
func hasAbbreviation(text string) bool {
	capitals := false
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		capitals = capitals || len(w) > 1 && strings.ToUpper(w) == w && strings.ToLower(w) != w
	}
	return capitals && strings.ToUpper(text) != text
}

var (
	// isFollowUp holds the stop words and the words that refer to something said before, folded
	// as the gate folds words.
	isFollowUp = lang.Set(func() []string {
		return foldedWords(lang.List("stopwords", "english", "other"), lang.List("question", "follow up"))
	})

	// isAmbiguous holds the words that tell nothing in a prompt that is not English.
	isAmbiguous = lang.Set(func() []string { return foldedWords(lang.List("stopwords", "foreign")) })
)

// foldedWords returns the words of some lists, without apostrophes and accents.
func foldedWords(lists ...[]string) (folded []string) {
	for _, w := range slices.Concat(lists...) {
		folded = append(folded, splitGateWords(learn.Fold(w))...)
	}
	return folded
}
