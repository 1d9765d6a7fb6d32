package text

import "strings"

// stem removes the endings of an English token as the keyword index does. It is
// Martin Porter's algorithm of 1980 with the details of FTS5. Tokens under 3 and
// over 64 bytes stay, and -logi is an ending. Every byte other than a, e, i, o, u
// and y is a consonant.
func stem(token string) string {
	if len(token) < 3 || len(token) > 64 {
		return token
	}
	w := step1(token)
	w = step(w, step2, 0)
	w = step(w, step3, 0)
	w = step4(w)
	return step5(w)
}

// isVowel reports whether a byte is a vowel, which y is after a consonant.
func isVowel(c byte, afterConsonant bool) bool {
	return strings.IndexByte("aeiou", c) >= 0 || c == 'y' && afterConsonant
}

// measure counts the groups of vowels with a consonant after them, up to 2. Callers
// compare it with 0 and 1 only.
func measure(w string) (m int) {
	consonant, vowels := false, false
	for i := 0; i < len(w) && m < 2; i++ {
		consonant = !isVowel(w[i], consonant)
		if consonant && vowels {
			m++
		}
		vowels = !consonant
	}
	return m
}

func hasVowel(w string) bool {
	for i := range len(w) {
		if isVowel(w[i], i > 0) {
			return true
		}
	}
	return false
}

// endsCVC reports whether a word ends with consonant, vowel, consonant, where the
// last is not w, x or y.
func endsCVC(w string) bool {
	if strings.IndexByte("wxy", w[len(w)-1]) >= 0 {
		return false
	}
	pattern, consonant := 0, false
	for i := range len(w) {
		consonant = !isVowel(w[i], consonant)
		pattern = pattern << 1 & 7
		if consonant {
			pattern |= 1
		}
	}
	return pattern == 5
}

// step1 removes plurals, -ed and -ing, and turns a final y into i.
func step1(w string) string {
	w, cut := cutPast(plural(w))
	if cut {
		w = restoreStem(w)
	}
	if n := len(w) - 1; w[n] == 'y' && hasVowel(w[:n]) {
		w = w[:n] + "i"
	}
	return w
}

func plural(w string) string {
	switch {
	case !strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ss"):
		return w
	case len(w) > 4 && strings.HasSuffix(w, "sses"), len(w) > 3 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-2]
	}
	return w[:len(w)-1]
}

func cutPast(w string) (base string, cut bool) {
	if base, ok := strings.CutSuffix(w, "eed"); ok && base != "" {
		if measure(base) > 0 {
			return base + "ee", false
		}
		return w, false
	}
	for _, suffix := range []string{"ed", "ing"} {
		if base, ok := strings.CutSuffix(w, suffix); ok && base != "" && hasVowel(base) {
			return base, true
		}
	}
	return w, false
}

// restoreStem repairs the end of a word after -ed or -ing was removed.
func restoreStem(w string) string {
	n := len(w)
	if n > 2 && (strings.HasSuffix(w, "at") || strings.HasSuffix(w, "bl") || strings.HasSuffix(w, "iz")) {
		return w + "e"
	}
	last := w[n-1]
	if n > 1 && last == w[n-2] && !isVowel(last, false) && strings.IndexByte("lsz", last) < 0 {
		return w[:n-1]
	}
	if measure(w) == 1 && endsCVC(w) {
		return w + "e"
	}
	return w
}

// suffixRule replaces one suffix by another.
type suffixRule struct{ from, to string }

// step2, step3 and step4Endings list the longer of two matching suffixes first.
var step2 = []suffixRule{{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
	{"logi", "log"}, {"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"},
	{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"},
	{"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}}

var step3 = []suffixRule{{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""},
	{"ness", ""}}

var step4Endings = []suffixRule{{"al", ""}, {"ance", ""}, {"ence", ""}, {"er", ""}, {"ic", ""}, {"able", ""}, {"ible", ""},
	{"ant", ""}, {"ement", ""}, {"ment", ""}, {"ent", ""}, {"ou", ""}, {"ism", ""}, {"ate", ""}, {"iti", ""},
	{"ous", ""}, {"ive", ""}, {"ize", ""}}

// step applies the first rule that matches, if the measure of what is left is above
// a minimum.
func step(w string, rules []suffixRule, minMeasure int) string {
	for _, e := range rules {
		if base, ok := strings.CutSuffix(w, e.from); ok && base != "" {
			if measure(base) > minMeasure {
				return base + e.to
			}
			return w
		}
	}
	return w
}

func step4(w string) string {
	if base, ok := strings.CutSuffix(w, "ion"); ok && base != "" {
		if strings.IndexByte("st", base[len(base)-1]) >= 0 && measure(base) > 1 {
			return base
		}
		return w
	}
	return step(w, step4Endings, 1)
}

// step5 removes a final e, and one of two final l.
func step5(w string) string {
	if base, ok := strings.CutSuffix(w, "e"); ok && base != "" {
		if m := measure(base); m > 1 || m == 1 && !endsCVC(base) {
			w = base
		}
	}
	if n := len(w); n > 1 && strings.HasSuffix(w, "ll") && measure(w[:n-1]) > 1 {
		return w[:n-1]
	}
	return w
}
