// Package display tells how texts, file names, times and sizes look to a person. Texts of
// others cannot control or deceive the terminal.
package display

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Writer removes what could control or deceive the reader's terminal: control
// characters, and characters that are invisible or change the direction of text.
// Texts, file names and messages of others all go through it. It keeps the colours
// that this program writes.
type Writer struct {
	Used bool // something was written

	to   io.Writer
	rest []byte // the beginning of a character that the last Write cut
}

// NewWriter returns a Writer that writes to another one.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Write writes the visible part of b. It returns len(b) unless writing fails.
func (w *Writer) Write(b []byte) (int, error) {
	w.Used = w.Used || len(b) > 0
	src := append(w.rest, b...)
	w.rest = nil
	if n := cutCharacter(src); n > 0 {
		w.rest = bytes.Clone(src[len(src)-n:])
		src = src[:len(src)-n]
	}
	if _, err := io.WriteString(w.to, visible(string(src))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// cutCharacter returns how many bytes at the end of b begin a character that is not
// complete.
func cutCharacter(b []byte) int {
	for n := 1; n <= min(utf8.UTFMax-1, len(b)); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			return 0
		}
	}
	return 0
}

// colourSequence matches the escape sequences that set a colour or a style.
var colourSequence = regexp.MustCompile("\x1b\\[[0-9;]*m")

// visible removes control characters and invisible characters from a text, except
// line feeds, tabs and colours.
func visible(text string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	from := 0
	for _, colour := range colourSequence.FindAllStringIndex(text, -1) {
		b.WriteString(removeInvisible(text[from:colour[0]]))
		b.WriteString(text[colour[0]:colour[1]])
		from = colour[1]
	}
	b.WriteString(removeInvisible(text[from:]))
	return b.String()
}

// isPlain reports whether a text has printable ASCII characters, line feeds and tabs
// only.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

func removeInvisible(text string) string {
	before := rune(0)
	return strings.Map(func(r rune) rune {
		previous := before
		before = r
		if r == '\n' || r == '\t' || r == joiner || r == nonJoiner {
			if previous < utf8.RuneSelf && (r == joiner || r == nonJoiner) {
				return -1
			}
			return r
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, text)
}

// Emoji and some scripts need these two invisible characters after one of their own.
const (
	joiner    = '\u200d'
	nonJoiner = '\u200c'
)
