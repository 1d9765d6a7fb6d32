package protecting

import (
	"html"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/memory-tiered/memory"
)

// decoration are the characters that may be around a key or a value.
const decoration = " \t\r\n\"'`?@!.*>{}[](),;-&+/"

// plain replaces what an editor may have made of a plain character.
var plain = strings.NewReplacer("–", "-", "—", "-", "−", "-", "“", `"`, "”", `"`, "„", `"`, "’", "'", "‘", "'")

// fold returns a text as it compares: in small letters, with plain characters, without
// what a person does not see.
func fold(s string) string {
	if strings.Contains(s, "&") {
		s = html.UnescapeString(s)
	}
	s = plain.Replace(norm.NFKC.String(s))
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s))
}

// pair returns the key of a text "key: value" between some separators, or nil. Its value
// is one word, unless anyValue is set.
func pair(text, separators string, anyValue bool) *Key {
	k, _ := valuedPair(text, separators, anyValue)
	return k
}

func valuedPair(text, separators string, anyValue bool) (k *Key, value string) {
	before, after, found := cutSeparator(text, separators)
	if !found {
		return nil, ""
	}
	key := strings.Trim(before, decoration)
	value = strings.Trim(after, decoration)
	if k = Find(key, value); k == nil || !anyValue && (!isWord(value) || k.Denial(value)) {
		return nil, ""
	}
	return k, value
}

// isSure reports whether a value protects after its key.
func (k Key) isSure(value string) bool {
	_, _, err := memory.ReadTime(value, time.UTC)
	return k.Values == nil || slices.Contains(k.Values, value) || memory.SuggestKey(value, k.Values) != "" || err == nil
}

// IsPair reports whether a key with a value looks like a mark.
func IsPair(key, value string) bool { return pair(fold(key)+":"+fold(value), ":", false) != nil }

// cutSeparator cuts a text at its first separator. A colon may be doubled.
func cutSeparator(text, separators string) (before, after string, found bool) {
	if separators == "::" {
		return strings.Cut(text, "::")
	}
	at := strings.IndexAny(text, separators)
	if at < 0 {
		return "", "", false
	}
	return text[:at], strings.TrimLeft(text[at:], separators), true
}

// isWord reports whether a value is one word, or empty.
func isWord(value string) bool {
	if strings.ContainsFunc(value, unicode.IsSpace) {
		return false
	}
	return value == "" || strings.IndexFunc(value, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) == 0
}

// maxRemark is the number of words up to which a comment may protect in a sentence:
// "please keep this private".
const maxRemark = 6

// remark returns the key that the words of a comment name: alone, with a value, or at
// either end of a few words.
func remark(text string) *Key {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) })
	switch {
	case len(words) == 0 || len(words) > maxRemark:
		return nil
	case len(words) == 1:
		word := strings.Trim(words[0], decoration)
		if k := flag(word, false); k != nil {
			return k
		}
		if k := Find(word, ""); k != nil && k.Name == word {
			return k
		}
		return nil
	case len(words) == 2:
		key, value := strings.Trim(words[0], decoration), strings.Trim(words[1], decoration)
		if k := Find(key, value); k != nil && k.Name == key && isWord(value) && k.isSure(value) {
			return k
		}
	}
	if k := flag(words[0], true); k != nil {
		return k
	}
	return flag(words[len(words)-1], true)
}
