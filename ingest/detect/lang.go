package detect

import (
	"strings"
	"sync"
	"unicode"

	"github.com/memory-tiered/memory/lang"
)

// functionWords maps frequent words, which the other languages do not have, to their
// languages.
var functionWords = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range lang.Section("notes", "function") {
		language, _, _ := strings.Cut(line.File, "/")
		for w := range strings.FieldsSeq(line.Text) {
			all[w] = append(all[w], language)
		}
	}
	return all
})

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

// detectLang returns the language of a text as an ISO 639-1 code: by script,
// else by function words. It returns "" if the language is not clear, as for
// names, numbers and code.
func detectLang(text string, words []string) string {
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
	best, count, languagesOf := "", map[string]int{}, functionWords()
	for _, w := range words {
		for _, language := range languagesOf[w] {
			count[language]++
		}
	}
	for language, n := range count {
		if n > count[best] || n == count[best] && (language == "en" || best != "en" && language < best) {
			best = language
		}
	}
	return best
}
