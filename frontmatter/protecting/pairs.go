package protecting

import (
	"cmp"
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

// Pair returns the key that a key with a value names, or nil.
func Pair(key, value string) *Key { return pair(fold(key)+":"+fold(value), ":", false) }

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
	words := strings.FieldsFunc(text, func(r rune) bool { return !isWordRune(r) && r != ':' && r != '=' })
	if len(words) == 0 || len(words) > maxRemark {
		return nil
	}
	if k, _ := loosePair(text, false); k != nil {
		return k
	}
	if len(words) > 1 && isOther(words[0], words[1]) {
		return flag(words[len(words)-1], true)
	}
	if len(words) > 1 {
		return cmp.Or(flag(words[0], true), flag(words[len(words)-1], true))
	}
	return cmp.Or(named(words[0]), flag(words[0], false))
}

// loosePair returns the key of a text "key value" without a correct separator, or nil. The
// value is a word that protects; with anyValue, any word.
func loosePair(text string, anyValue bool) (k *Key, value string) {
	key, value := firstWord(text)
	if k = Find(key, value); k == nil || value == "" || !isWord(value) || k.Denial(value) || isOther(key, value) {
		return nil, ""
	}
	if !anyValue && (k.Name != key || !k.isSure(value)) {
		return nil, ""
	}
	return k, value
}

// firstWord cuts a text behind its first word, and drops the signs around the rest.
func firstWord(text string) (word, rest string) {
	isSign := func(r rune) bool { return !isWordRune(r) }
	text = strings.TrimLeftFunc(text, isSign)
	rest = strings.TrimLeftFunc(text, isLetter)
	if len(rest) > 1 && rest[0] == '-' && isLetter(rune(rest[1])) {
		return "", "" // the name of something else, such as user-invocable
	}
	return text[:len(text)-len(rest)], strings.TrimFunc(rest, isSign)
}

func isWordRune(r rune) bool { return isLetter(r) || unicode.IsDigit(r) }

// InLine returns the key that a line of a list of decisions names at any place, or nil. ofUser
// reports whether one of its keys is that of a user. Nothing but decisions is in such a list.
func InLine(text string) (found *Key, ofUser bool) {
	words := strings.FieldsFunc(fold(text), func(r rune) bool { return !isWordRune(r) })
	for i, word := range words {
		value := ""
		if i+1 < len(words) {
			value = words[i+1]
		}
		if k := cmp.Or(Find(word, value), flag(word, false)); k != nil && !k.Denial(value) {
			found, ofUser = cmp.Or(found, k), ofUser || k.Name == "user"
		}
	}
	return found, ofUser
}
