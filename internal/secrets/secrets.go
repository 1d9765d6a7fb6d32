// Package secrets knows what a secret looks like. It is a text that gives
// access to something, which must not be kept unasked or sent to another
// machine.
package secrets

import (
	"strings"
	"unicode"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// rule recognises one kind of secret. If the pattern has a group, the group is
// the secret, and the text around it may stay. A match without the group is none.
type rule struct {
	kind    string // for the reader of this table
	pattern *lazyregexp.Regexp
	confirm func(text string) bool // nil: every match is a secret
}

// key matches a name that a secret follows, as in "db_password = …".
const key = `(?i:[\w.-]*(?:password|passwd|passphrase|passcode|pwd|secret(?:[ _-]?key)?|token|(?:api|access|private|encryption|signing)[ _-]?key|credentials?|[_.-]pass))`

var rules = []rule{
	{"private key", lazyregexp.New(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\z)`), nil},
	{"token", lazyregexp.New(`\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{16,}`), nil},
	{"token", lazyregexp.New(`\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{30,}|dop_v1_[0-9a-f]{40,})`), nil},
	{"cloud key", lazyregexp.New(`\b(?:(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{35}|ya29\.[\w-]{20,})`), nil},
	{"signed token", lazyregexp.New(`\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`), nil},
	{"bearer token", lazyregexp.New(`(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{16,})`), nil},
	{"bearer token", lazyregexp.New(`(?i)\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+([^\s"'` + "`" + `]{6,})`), nil},
	{"credentials", lazyregexp.New(`(?i:\b(?:creds?|credentials|login)\b)[^\n.!?]{0,30}?\s[\w.@+-]+:([^\s/"'` + "`" + `]{4,})`), nil},
	{"credentials in an address", lazyregexp.New(`\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/@:]*:([^\s/@]+)@`), nil},
	{"password", lazyregexp.New(`\b` + key + `["']?\s*(?::=|[:=]|=>)\s*["'` + "`" + `]?([^\s"'` + "`" + `,;]{4,})`), nil},
	{"password", lazyregexp.New(`(?i:\buser(?:name)?\b[^\n]{0,40}?\bpass\b)\s*[:=]?\s*["'` + "`" + `]?([^\s"'` + "`" + `,;]{4,})`), nil},
	{"password", lazyregexp.New(`(?i:\bpass)\s*[:=]\s*["'` + "`" + `]?([^\s"'` + "`" + `,;]{4,})`), hasDigitOrSymbol},
	{"password", lazyregexp.New(`\b` + key + `\s+(?i:is|ist|lautet)\s*:?\s*["'` + "`" + `]?([^\s"'` + "`" + `,;]{4,})`), isNotProse},
	{"password", lazyregexp.New(passwordWord + `[^\n.!?。！？:=,"“”]{0,40}?(?:\s(?:is|ist|lautet|est|es)\s|[:=：]|は|是|为)\s*["'` + "`" + `「“]?([!-~]{4,})`), hasDigitOrSymbol},
	{"password", lazyregexp.New(passwordWord + `,?\s+["'` + "`" + `「“]?([!-~]{4,})`), isMixed},
	{"card number", lazyregexp.New(`\b(?:\d[ -]?){12,18}\d\b`), passesLuhn},
	{"one-time code", lazyregexp.New(`(?i)\b(?:one-time|verification|security|2fa|otp|login)[ -]?(?:code|pin)?\s*(?:is|:|=)\s*(\d{4,8})\b`), nil},
}

// mask replaces a secret, so that the text still shows that there was one.
const mask = "[secret]"

// recogniser finds the secrets of one kind.
type recogniser interface {
	spans(text string) []span
	kindOf() string
}

// recognisersFor returns the rules that may find a secret in a text, in the order in
// which they are tried. Most texts have no word for a secret, and need the first rules only.
func recognisersFor(text string) (all []recogniser) {
	lists := [][]rule{rules}
	named := secretStem.MatchString(text)
	if named {
		lists = append(lists, statedRules, phrasedRules)
	}
	for _, list := range lists {
		for _, r := range list {
			all = append(all, r)
		}
	}
	if named {
		for _, r := range besideWords {
			all = append(all, r)
		}
	}
	return all
}

// Mask replaces the secrets of a text with "[secret]". It rather masks too much
// than too little: the other words still serve to compare and to find the text.
func Mask(text string) string {
	seen := fold(text)
	for _, r := range recognisersFor(seen.text) {
		spans := r.spans(seen.text)
		for i := len(spans) - 1; i >= 0; i-- {
			at := seen.original(spans[i])
			text = text[:at.from] + mask + text[at.to:]
		}
		if len(spans) > 0 {
			seen = fold(text)
		}
	}
	return text
}

// Remove removes the secrets of a text, as far as [Mask] finds them.
func Remove(text string) string { return strings.ReplaceAll(Mask(text), mask, "") }

// Find returns the kind of the first secret of a text, such as "password" or
// "card number".
func Find(text string) (kind string, found bool) {
	seen := fold(text)
	for _, r := range recognisersFor(seen.text) {
		if len(r.spans(seen.text)) > 0 {
			return r.kindOf(), true
		}
	}
	return "", false
}

// span is the place of a secret in a text, in bytes.
type span struct{ from, to int }

// kindOf returns the kind of the secrets that the rule recognises.
func (r rule) kindOf() string { return r.kind }

// spans returns the secrets of a text that a rule recognises.
func (r rule) spans(text string) (spans []span) {
	for _, at := range r.pattern.FindAllStringSubmatchIndex(text, -1) {
		found := span{at[0], at[1]}
		if len(at) > 2 {
			found = span{at[2], at[3]}
		}
		if found.from >= 0 && (r.confirm == nil || r.confirm(text[found.from:found.to])) {
			spans = append(spans, found)
		}
	}
	return spans
}

// isNotProse reports whether the text after "the password is" has anything but
// small letters. "the token is valid for an hour" names no secret.
func isNotProse(text string) bool {
	for _, r := range text {
		if r < 'a' || r > 'z' {
			return true
		}
	}
	return false
}

// hasDigitOrSymbol reports whether the text after "the password of … is" has a
// digit or a symbol, as passwords have and words do not.
func hasDigitOrSymbol(text string) bool {
	if notPasswords.MatchString(text) {
		return false
	}
	return strings.ContainsAny(text, "0123456789") || strings.ContainsAny(strings.TrimRight(text, ".,;:!?)\"'`"), "#!$%&@*^~+=_?")
}

// isMixed reports whether a word after "password" looks like one: letters and
// digits, or digits alone. "password SHA-256" names a method.
func isMixed(text string) bool {
	if notPasswords.MatchString(text) {
		return false
	}
	text = strings.TrimRight(text, ".,;:!?)\"'`")
	digits := strings.ContainsAny(text, "0123456789")
	if strings.Trim(text, "0123456789") == "" {
		return len(text) >= 4
	}
	return digits && len(text) >= 6 && !strings.ContainsAny(text, "/-")
}

// isKey reports whether a text beside the word for a key has letters and digits.
func isKey(text string) bool {
	return len(text) >= 8 && isMixed(text) && hasLetter(text) && !strings.ContainsAny(text, "[]()")
}

// isCode reports whether a text beside the word for a code looks like one: digits,
// letters and digits, or groups of capitals.
func isCode(text string) bool {
	text = strings.TrimRight(text, ".,;:!?)\"'`#*”»")
	digits := strings.ContainsAny(text, "0123456789")
	switch {
	case text == "" || notPasswords.MatchString(text) || strings.ContainsAny(text, "/[]()"):
		return false
	case strings.Trim(text, "0123456789- ") == "":
		return len(strings.NewReplacer("-", "", " ", "").Replace(text)) >= 4
	case strings.ContainsRune(text, ' '):
		return digits
	case strings.ContainsRune(text, '-'):
		return strings.ToUpper(text) == text || digits && len(text) >= 9
	}
	return digits && len(text) >= 5
}

func hasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// notPasswords matches addresses, names of ways to hash and encode, of programs, versions,
// amounts and mail addresses.
var notPasswords = lazyregexp.New(`(?i)^//|^v?\d+\.\d|^(?:sha|md|base|argon|pbkdf|pkcs|b?crypt|scrypt|utf|aes|rsa|oauth|totp|fido|keepass|ed|curve|x)[-_#]?\w*\d|^1password|` +
	`^\d+-?(?:bits?|bytes?|chars?|characters?|digits?|days?|weeks?|months?|years?|hours?|min|[km]i?b|zeichen|stellig|tage|st|nd|rd|th)$|^[\w.+-]+@[\w-]+\.\w`)

// passesLuhn reports whether the last digit of a number is the check digit of the
// others by Luhn's formula, as in a card number. Spaces and hyphens do not count.
func passesLuhn(text string) bool {
	sum, n := 0, 0
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] < '0' || text[i] > '9' {
			continue
		}
		d := int(text[i] - '0')
		if n++; n%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0 && sum > 0
}
