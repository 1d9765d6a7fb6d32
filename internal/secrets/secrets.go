// Package secrets knows what a secret looks like. It is a text that gives
// access to something, which must not be kept unasked or sent to another
// machine.
//
// Some secrets show by themselves: a private key, an address with a password, a token
// of a well-known service. All others are a value beside a word for a secret. The words of
// each language are tables in lang/; what a value looks like is in nouns.go.
package secrets

import (
	"cmp"
	"slices"
	"strings"
)

// mask replaces a secret, so that the text still shows that there was one.
const mask = "[secret]"

// span is a place in a text, in bytes.
type span struct{ from, to int }

// finding is a secret in a text.
type finding struct {
	span
	kind string
}

// Find returns the kind of a secret of a text, such as "password" or "card number". It errs
// towards a secret: a number beside a word for a PIN is one, although other words stand between.
func Find(text string) (kind string, found bool) {
	if all := findAll(fold(text)); len(all) > 0 {
		return all[0].kind, true
	}
	return "", false
}

// Mask replaces the secrets of a text with "[secret]". The other words still serve to compare
// and to find the text.
func Mask(text string) string {
	f := fold(text)
	all := findAll(f)
	slices.SortFunc(all, func(a, b finding) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var b strings.Builder
	end := 0
	for _, found := range all {
		at := f.original(found.span)
		if at.from >= end {
			b.WriteString(text[end:at.from] + mask)
		}
		end = max(end, at.to)
	}
	return b.String() + text[end:]
}

// Remove removes the secrets of a text.
func Remove(text string) string { return strings.ReplaceAll(Mask(text), mask, "") }

// findAll returns the secrets of a text, those that show by themselves first.
func findAll(f folded) []finding {
	all := findShapes(f.text)
	var before sentence
	for _, s := range sentences(f) {
		found := s.find()
		switch {
		case len(found) > 0 || len(before) == 0:
		case !before.has(nouns):
		case len(before) <= fewWords && before.naming(f.text) == awaited:
			found = s.reply(awaited, before)
		case s.pointsBack():
			found = s.reply(named, before)
		}
		all, before = append(all, found...), s
	}
	return all
}
