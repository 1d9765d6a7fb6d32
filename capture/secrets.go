// Package capture is for what conversations leave behind. It alone knows what a
// secret looks like: what is never kept by itself, and never sent to another
// machine.
package capture

import "regexp"

// secret is one thing that gives access to something. Where the pattern has a
// group, only that is the secret; what stands round it may stay.
type secret struct {
	name    string
	pattern *regexp.Regexp
	real    func(text string) bool // nil: whatever the pattern finds
}

// word begins a name that is followed by a secret, as in "db_password = …".
const word = `(?i:[\w.-]*(?:password|passwd|passphrase|pwd|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|credentials?))`

var secrets = []secret{
	{"private key", regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----.*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\z)`), nil},
	{"token", regexp.MustCompile(`\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{16,}`), nil},
	{"token", regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{30,}|dop_v1_[0-9a-f]{40,})`), nil},
	{"cloud key", regexp.MustCompile(`\b(?:(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{35}|ya29\.[\w-]{20,})`), nil},
	{"signed token", regexp.MustCompile(`\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`), nil},
	{"bearer token", regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{16,})`), nil},
	{"credentials in an address", regexp.MustCompile(`\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/@:]*:([^\s/@]+)@`), nil},
	{"password", regexp.MustCompile(`\b` + word + `["']?\s*(?::=|[:=]|=>)\s*["'` + "`" + `]?([^\s"'` + "`" + `,;]{4,})`), nil},
	{"password", regexp.MustCompile(`\b` + word + `\s+(?i:is|ist|lautet)\s*:?\s*["'` + "`" + `]?([^\s"'` + "`" + `,;]{4,})`), telling},
	{"card number", regexp.MustCompile(`\b(?:\d[ -]?){12,18}\d\b`), luhn},
	{"one-time code", regexp.MustCompile(`(?i)\b(?:one-time|verification|security|2fa|otp|login)[ -]?(?:code|pin)?\s*(?:is|:|=)\s*(\d{4,8})\b`), nil},
}

// hidden stands where a secret was: the text still says that there is one.
const hidden = "[secret]"

// Mask takes the secrets out of a text. It errs to the side of taking too much:
// what is masked is compared by its other words.
func Mask(text string) string {
	for _, s := range secrets {
		found := s.pattern.FindAllStringSubmatchIndex(text, -1)
		for i := len(found) - 1; i >= 0; i-- {
			from, to := found[i][0], found[i][1]
			if n := len(found[i]); n >= 4 && found[i][n-2] >= 0 && s.name != "private key" {
				from, to = found[i][n-2], found[i][n-1]
			}
			if s.real == nil || s.real(text[from:to]) {
				text = text[:from] + hidden + text[to:]
			}
		}
	}
	return text
}

// telling says that what follows "the password is" is one, not a word of prose
// ("the token is valid for an hour").
func telling(text string) bool {
	for _, r := range text {
		if r < 'a' || r > 'z' {
			return true
		}
	}
	return false
}

// luhn tells a card number from any other by its last digit.
func luhn(text string) bool {
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
