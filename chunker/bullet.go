package chunker

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	// sign is what would be read as an annotation, with the backslashes before it.
	sign = regexp.MustCompile(`(\\*)(<!--|(?:#[\p{L}\p{N}_/-]|\^[A-Za-z0-9-]))`)
	// bare is a line of nothing but the marks of lists and quotes: it would make
	// the bullet a thematic break, or end it where a blank line follows.
	bare = regexp.MustCompile(`^([ \t]*)(\\*)((?:[-+*>]|\d{1,9}[.)])(?:[-+*>]|\d{1,9}[.)]|[ \t])*)$`)
)

// Bullet writes a text as one bullet, ending in a line break. Whatever the text
// holds, the file around it means what it meant, and Blocks reads the text back
// as [Clean] gives it.
func Bullet(text string) []byte {
	lines := strings.Split(escape(Clean(text)), "\n")
	var out bytes.Buffer
	for i, l := range lines {
		switch {
		case i == 0:
			out.WriteString("- ")
		case l != "":
			out.WriteString("  ")
		}
		out.WriteString(l)
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// Clean is a text as a block holds it: valid UTF-8 without NUL, line feeds, no
// blanks at the ends of lines, none around the whole.
func Clean(text string) string {
	return strings.TrimSpace(clean([]byte(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"))))
}

func clean(src []byte) string {
	s := string(src)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	s = strings.NewReplacer("\r\n", "\n", "\r", " ", "\x00", "").Replace(s)
	return eachLine(s, func(l string) string { return strings.TrimRight(l, " \t") })
}

// escape puts one backslash before each sign, and before the first mark of a
// bare line, outside of code.
func escape(s string) string {
	s = eachSign(s, func(slashes, mark string) string { return `\` + slashes + mark })
	return eachBare(s, func(slashes, marks string) string { return `\` + slashes + marks })
}

// unescape takes one backslash away where escape puts one.
func unescape(s string) string {
	off := func(slashes, marks string) string { return strings.TrimPrefix(slashes, `\`) + marks }
	return eachSign(eachBare(s, off), off)
}

func eachBare(s string, write func(slashes, marks string) string) string {
	mask, at := codeMask(s), 0
	return eachLine(s, func(l string) string {
		start := at
		at += len(l) + 1
		m := bare.FindStringSubmatch(l)
		if m == nil || mask[start] {
			return l
		}
		return m[1] + write(m[2], m[3])
	})
}

func eachSign(s string, write func(slashes, mark string) string) string {
	mask := codeMask(s)
	var out strings.Builder
	at := 0
	for _, m := range sign.FindAllStringSubmatchIndex(s, -1) {
		word := m[0] == 0 || strings.IndexByte(" \t\n(", s[m[0]-1]) >= 0
		if mask[m[4]] || !word && !strings.HasPrefix(s[m[4]:], "<!--") {
			continue
		}
		out.WriteString(s[at:m[0]])
		out.WriteString(write(s[m[2]:m[3]], s[m[4]:m[5]]))
		at = m[1]
	}
	out.WriteString(s[at:])
	return out.String()
}
