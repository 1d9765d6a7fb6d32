// Package protecting finds what looks like a mark that protects a memory, and is outside
// the grammar of marks. It is a key, a separator and a value, such as "[private:: true]".
// It cannot be read safely. So it withholds its whole file, until a person corrects it.
//
// The package knows no file format. Packages frontmatter and chunker read what is inside
// the grammar. The keys are in one table, and all are
// treated alike.
package protecting

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// Key is a key that protects.
type Key struct {
	Name  string
	Flags []string // words that protect without the key, or as one
	// Values are the words that protect after the key and a blank. Nil: any word does.
	Values []string
	Denial func(value string) bool // the value protects nothing
}

// Keys lists the keys that protect.
var Keys = []Key{
	{"private", []string{"private"}, trueWords, isFalse},
	{"user", nil, nil, func(string) bool { return false }},
	{"trust", lessTrusted, lessTrusted, isTrusted},
	{"forgotten", []string{"forgotten"}, trueWords, isFalse},
}

var (
	trueWords   = []string{"true", "yes", "on"}
	lessTrusted = []string{string(memory.TrustUntrusted), string(memory.TrustQuarantined)}
	names       = []string{"private", "user", "trust", "forgotten"}
)

func isFalse(value string) bool {
	b, err := memory.ReadBool(value)
	return err == nil && !b
}

func isTrusted(value string) bool { return strings.EqualFold(value, string(memory.TrustTrusted)) }

// Find returns the key that a word names, perhaps misspelled, before a value, or nil.
func Find(word, value string) *Key {
	word = fold(word)
	if memory.MeansUser(word, value) {
		word = "user"
	}
	if near := memory.SuggestKey(word, names); near != "" {
		word = near
	}
	return named(word)
}

// named returns the key with exactly this name, a word for it or a flag, or nil.
func named(word string) *Key {
	meanings, _ := words()
	meant := meanings[joinedWord(word)]
	is := func(k Key) bool { return k.Name == word || k.Name == meant || slices.Contains(k.Flags, word) }
	if i := slices.IndexFunc(Keys, is); i >= 0 {
		return &Keys[i]
	}
	return nil
}

// flag returns the key of a word that protects without a value, or nil. exact leaves
// misspelled words out.
func flag(word string, exact bool) *Key {
	word = strings.Trim(word, decoration)
	for i, k := range Keys {
		if slices.Contains(k.Flags, word) || !exact && memory.SuggestKey(word, k.Flags) != "" {
			return &Keys[i]
		}
	}
	return nil
}

// Withhold hides a file while a mark in it cannot be read: no model gets its memories. If
// the mark may be about a user, no user does.
func Withhold(file *memory.Declared, ofUser bool) {
	private := true
	file.Private = &private
	if ofUser {
		file.User = memory.NobodyUser
	}
}

// Protects reports whether a declaration hides a memory, from all or from other users, or
// trusts it less.
func Protects(d memory.Declared) bool {
	return d.Forgotten != nil && *d.Forgotten || d.Private != nil && *d.Private || d.User != "" || d.Trust != "" && d.Trust != memory.TrustTrusted
}
