package secrets

import (
	"strings"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// ordinaryFirst find an ordinary word before its word: "sunflower is the password".
var ordinaryFirst = []rule{
	{"password", lazyregexp.New(`(?:^|\b(?i:that|dass|que)\s+|: )` + open + `([\p{L}-]{3,})["'”]?,?\s+(?i:is|ist|est|c'est|es)\s+` + determiner + `\s+(?:\S+\s+){0,2}?[\p{L}\d-]*` + secretWord +
		`(?:\s*[.!,;]|\s*$|\s+(?i:for|of|to|für|zum|vom|von|du|de|del|para)\s)`), isValue},
	{"password", lazyregexp.New(`(?i:\bdass)\s+` + open + `([\p{L}-]{3,})["'”]?\s+` + determiner + `\s+[\p{L}\d-]*` + secretWord + `\s+ist\b`), isValue},
}

// firstCJK returns a pattern for a value before its word in Chinese and Japanese.
func firstCJK(word string) *lazyregexp.Regexp {
	return lazyregexp.New(`([!-~]{4,})[」”]?\s?(?:是|就是|が|は|って)[^\n。,、]{0,20}?(?:` + word + `)(?:です|だよ|だ|なので|として|[。!,、\n]|$)`)
}

// valueFirst returns a pattern for a value before its word: "VALUE is the password",
// "VALUE as password", "VALUE (the password)". "VALUE is our password manager" is none.
func valueFirst(value, word string) *lazyregexp.Regexp {
	const (
		adjectives = `(?:[^\s.!?]+\s+){0,2}?[\p{L}\d-]*`
		verb       = `,?\s*(?i:\bis|\bwas|\bist|\bwar|\blautet|\best|\bc'est|\bes|\bera)\s+(?:(?i:still|now|again|jetzt|noch|toujours|ahora)\s+)?` + determiner + `\s+` + adjectives
		as         = `\s*(?i:\bas|\bals|\bcomme|\bcomo)\s+(?:` + determiner + `\s+)?` + adjectives
		aside      = `\s+[(–—]\s*(?:` + determiner + `\s+)?` + adjectives
		verbLast   = `\s*\b` + determiner + `\s+[\p{L}\d-]*`
	)
	around := func(value, end string) string {
		return `(?:^|[\s"'“„«(:])` + value + `["'”»)]*(?:(?:` + verb + `|` + as + `|` + aside + `)` + word + end + `|` + verbLast + word + end + `(?:\s+[^\s.!?]+){0,4}?\s+(?i:ist)\b)`
	}
	return lazyregexp.New(around(strings.Replace(value, "(", "(?:", 1), compoundNoun) + `|` + around(value, ""))
}
