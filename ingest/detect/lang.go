package detect

import (
	"strings"
	"unicode"
)

// languages are detected by function words, in this order of priority.
var languages = []string{"en", "de", "es", "fr"}

// functionWords are frequent words that the other languages in the list do not
// have. It maps each word to the indices of its languages.
var functionWords = compileFunctionWords(
	"the and is of to with for was that it on are",
	"der das und ist nicht mit für auf ein eine wird von",
	"el los las y es con para por una del que",
	"le les et est avec pour une dans sur pas des du",
)

func compileFunctionWords(lists ...string) map[string][]int {
	m := map[string][]int{}
	for lang, list := range lists {
		for _, w := range strings.Fields(list) {
			m[w] = append(m[w], lang)
		}
	}
	return m
}

// scriptCounts counts the letters of each script that identifies a language.
type scriptCounts struct{ han, kana, hangul, cyrillic, other int }

// maxScriptRunes is how many characters of a text are counted.
const maxScriptRunes = 400

func countScripts(text string) (s scriptCounts) {
	n := 0
	for _, r := range text {
		if n++; n > maxScriptRunes {
			break
		}
		switch {
		case r < 0x80:
			if unicode.IsLetter(r) {
				s.other++
			}
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			s.kana++
		case unicode.Is(unicode.Han, r):
			s.han++
		case unicode.Is(unicode.Hangul, r):
			s.hangul++
		case unicode.Is(unicode.Cyrillic, r):
			s.cyrillic++
		case unicode.IsLetter(r):
			s.other++
		}
	}
	return s
}

// Lang returns the language of a text as an ISO 639-1 code: by script,
// else by function words. It returns "" if the language is not clear, as for
// names, numbers and code.
func Lang(text string, words []string) string {
	s := countScripts(text)
	switch most := max(s.other/3, 1); { // one ideograph counts as three letters
	case s.kana > 0 && s.kana+s.han > most:
		return "ja"
	case s.han > most:
		return "zh"
	case s.hangul > most:
		return "ko"
	case s.cyrillic > s.other:
		return "ru"
	}
	var count [4]int
	for _, w := range words {
		for _, lang := range functionWords[w] {
			count[lang]++
		}
	}
	best := 0
	for lang := range count {
		if count[lang] > count[best] {
			best = lang
		}
	}
	if count[best] == 0 {
		return ""
	}
	return languages[best]
}
