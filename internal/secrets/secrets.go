// Package secrets knows what a secret looks like: a text that gives access to
// something, which must not be kept unasked or sent to another machine.
package secrets

import "regexp"

// rule recognises one kind of secret. If the pattern has a group, the group is
// the secret, and the text around it may stay.
type rule struct {
	kind    string // for the reader of this table
	pattern *regexp.Regexp
	confirm func(text string) bool // nil: every match is a secret
}

// key matches a name that a secret follows, as in "db_password = …".
const key = `(?i:[\w.-]*(?:password|passwd|passphrase|pwd|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|credentials?))`

var rules = []rule{
	{"private key", regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\z)`), nil},
	{"token", regexp.MustCompile(`\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{16,}`), nil},
	{"token", regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{30,}|dop_v1_[0-9a-f]{40,})`), nil},
	{"cloud key", regexp.MustCompile(`\b(?:(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{35}|ya29\.[\w-]{20,})`), nil},
	{"signed token", regexp.MustCompile(`\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`), nil},
	{"bearer token", regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{16,})`), nil},
	{"credentials in an address", regexp.MustCompile(`\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/@:]*:([^\s/@]+)@`), nil},
	{"password", regexp.MustCompile(`\b` + key + `["']?\s*(?::=|[:=]|=>)\s*["'` + "`" + `]?([^\s"'` + "`" + `,;]{4,})`), nil},
	{"password", regexp.MustCompile(`\b` + key + `\s+(?i:is|ist|lautet)\s*:?\s*["'` + "`" + `]?([^\s"'` + "`" + `,;]{4,})`), isNotProse},
	{"card number", regexp.MustCompile(`\b(?:\d[ -]?){12,18}\d\b`), passesLuhn},
	{"one-time code", regexp.MustCompile(`(?i)\b(?:one-time|verification|security|2fa|otp|login)[ -]?(?:code|pin)?\s*(?:is|:|=)\s*(\d{4,8})\b`), nil},
}

// mask replaces a secret, so that the text still shows that there was one.
const mask = "[secret]"

// Mask replaces the secrets of a text with "[secret]". It rather masks too much
// than too little: the other words still serve to compare and to find the text.
func Mask(text string) string {
	for _, r := range rules {
		found := r.pattern.FindAllStringSubmatchIndex(text, -1)
		for i := len(found) - 1; i >= 0; i-- {
			from, to := found[i][0], found[i][1]
			if len(found[i]) > 2 {
				from, to = found[i][2], found[i][3]
			}
			if r.confirm == nil || r.confirm(text[from:to]) {
				text = text[:from] + mask + text[to:]
			}
		}
	}
	return text
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
