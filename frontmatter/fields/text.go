package fields

import (
	"fmt"
	"strings"
	"unicode"
)

// FoldSpaces returns a text on one line with single blanks.
func FoldSpaces(s string) string { return strings.Join(strings.Fields(s), " ") }

// Truncate shortens a value for a fault message.
func Truncate(s string) string {
	if r := []rune(FoldSpaces(s)); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return FoldSpaces(s)
}

// QuoteYAML returns a text between double quotes, escaped for YAML.
func QuoteYAML(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x80 && unicode.IsPrint(r), r >= 0xa0 && unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
