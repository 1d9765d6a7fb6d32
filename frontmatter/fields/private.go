package fields

import (
	"bytes"
	"regexp"

	"golang.org/x/text/unicode/norm"
)

var (
	// privateWord matches the word in any spelling that the decoders accept.
	privateWord = regexp.MustCompile(`(?i)\bprivate\b`)
	// privateLine matches a line that declares private in YAML, TOML or JSON,
	// valid or not: alone, or with a value of one word.
	privateLine = regexp.MustCompile(`(?mi)^(?:[ \t?"'{\[-]*private["']?[ \t]*\r?$|` +
		`(?:[ \t?"'{\[-]*|.*[{,][ \t]*["']?)private["']?[ \t]*[:=][ \t]*["'!\[]*\w*["'\]]*[ \t]*(?:[,;}#].*)?\r?$)`)
)

// DeclaresProtection reports whether a text that cannot be decoded probably declares its
// file private or its user, also in full-width letters.
func DeclaresProtection(raw []byte) bool {
	plain := norm.NFKC.Bytes(raw)
	return privateLine.Match(raw) || privateLine.Match(plain) || userWordLine.Match(plain)
}

// FindPrivate returns the number of line breaks before the word private, or -1.
func FindPrivate(raw []byte) int {
	for _, text := range [][]byte{raw, norm.NFKC.Bytes(raw)} {
		if at := privateWord.FindIndex(text); at != nil {
			return bytes.Count(text[:at[0]], []byte("\n"))
		}
	}
	return -1
}
