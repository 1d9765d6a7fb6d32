package entity

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory/lang"
)

// word is a word of a text. A character of a script that does not separate its words is a word
// of its own.
type word struct {
	text    string // as written, without a possessive
	at      int    // its offset
	key     string // in lower case and NFC
	near    bool   // may belong to the same name as the word before
	capital bool   // begins with a capital letter
	inner   bool   // has a capital as no common word has: NoteBar, iPhone
	starts  bool   // begins a sentence, so that its capital tells nothing
	owns    bool   // is a possessive: Lena's
	joined  bool   // is a part of an address, which has no capitals
}

// split returns the words of a text.
func split(text string) (words []word) {
	starts, before := true, 0
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !lang.IsAlnum(r) {
			at += size
			continue
		}
		end := at + size
		if !isCJK(text[at:]) {
			end = at + wordLength(text[at:])
		}
		w := newWord(text[at:end], at)
		if n := len(words); n > 0 {
			var ends bool
			w.near, ends = between(text[before:at], words[n-1].text)
			starts = starts || ends
		}
		w.starts, w.joined = starts, isJoint(text, at-1) || isJoint(text, end)
		starts = starts && !strings.ContainsFunc(w.text, unicode.IsLetter)
		words = append(words, w)
		at, before = end, end
	}
	return words
}

// possessives are the ends of a possessive.
var possessives = strings.NewReplacer("’s", "", "'s", "", "’S", "", "'S", "")

func newWord(text string, at int) word {
	w := word{text: text, at: at, key: text}
	if strings.ContainsAny(text, "'’") {
		if bare := possessives.Replace(text); bare != "" && strings.HasPrefix(text, bare) {
			w.text, w.owns = bare, bare != text
		}
		w.key = strings.ReplaceAll(w.text, "’", "'")
	}
	lower := false
	for i, r := range w.text {
		isUpper := unicode.IsUpper(r)
		w.capital = w.capital || i == 0 && isUpper
		w.inner = w.inner || lower && isUpper
		lower = unicode.IsLower(r)
	}
	w.key = strings.ToLower(norm.NFC.String(w.key))
	return w
}

// wordLength returns the length of the word at the beginning of a text. An apostrophe between
// letters is part of it.
func wordLength(text string) int {
	end := strings.IndexFunc(text, func(r rune) bool {
		return r != '\'' && r != '’' && (!lang.IsAlnum(r) || lang.ScriptOf(r) != lang.NoCJK)
	})
	if end < 0 {
		end = len(text)
	}
	return len(strings.TrimRight(text[:end], "'’"))
}

// between tells by the characters between two words whether they may belong to one name, and
// whether a sentence may end there. A dot behind a short word with a capital is that of an
// abbreviation: "Dr. Mommsen".
func between(gap, previous string) (near, ends bool) {
	if gap == " " || gap == "" {
		return true, false
	}
	mark := strings.TrimSpace(gap)
	switch mark {
	case "":
		near = !strings.Contains(gap, "\n\n")
	case "&":
		near = true
	case "-", "\u2010", "\u2011", "_", "/", "+", "@":
		near = mark == gap
	case ".":
		near = mark == gap || utf8.RuneCountInString(previous) <= 2 && unicode.IsUpper(lang.FirstRune(previous))
	}
	return near, !near && strings.ContainsAny(gap, ".!?:;\n•。！？：；…—–|")
}

// isJoint reports whether a dot or an @ at an offset is a part of an address.
func isJoint(text string, at int) bool {
	return at >= 0 && at < len(text)-1 && (text[at] == '.' || text[at] == '@') && lang.IsAlnum(lang.FirstRune(text[at+1:]))
}

func isCJK(text string) bool { return lang.ScriptOf(lang.FirstRune(text)) != lang.NoCJK }

// isCased reports whether the script of a word has capitals.
func isCased(w word) bool { return w.capital || unicode.IsLower(lang.FirstRune(w.text)) }

// isAcronym reports whether a word has only capitals, but for the s of a plural.
func isAcronym(w word) bool {
	s := strings.TrimSuffix(w.text, "s")
	return strings.ToUpper(s) == s && utf8.RuneCountInString(s) > 1
}

// isEnough reports whether a word is enough for a name: it has a letter, and two characters.
func isEnough(w word) bool {
	return strings.ContainsFunc(w.text, unicode.IsLetter) && (isCJK(w.text) || utf8.RuneCountInString(w.key) > 1)
}

// keyOf returns words as names are compared.
func keyOf(words []word) string {
	if len(words) == 1 {
		return words[0].key
	}
	keys := make([]string, len(words))
	for i, w := range words {
		keys[i] = w.key
	}
	return strings.Join(keys, " ")
}
