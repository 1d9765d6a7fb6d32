// Package display is what a person sees and types. It tells how texts, file names, times and
// sizes look, shows the progress of long work, and reads single keys. Texts of others cannot
// control or deceive the terminal.
package display

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Writer is the only way to the terminal. It escapes what could control or deceive it:
// control characters, and characters that are invisible or change the direction of text.
// A character becomes \u001b, which means the same in JSON. Line feeds, tabs and the
// colours that this program marks with a [Colours] stay.
type Writer struct {
	Used bool // something was written

	to     io.Writer
	key    Colours
	rest   []byte // the beginning of a character that the last Write cut
	before rune   // the last character
}

// Colours marks the colours of this program. Texts of others cannot contain it, because it is
// random.
type Colours string

// NewKey returns a new key.
func NewColours() Colours { return Colours("<" + rand.Text() + ">") }

// Mark marks the escape sequences of a text, so that a Writer with the same key keeps
// them. The zero key marks nothing.
func (k Colours) Mark(text string) string {
	if k == "" {
		return text
	}
	return strings.ReplaceAll(text, escape, string(k))
}

const escape = "\x1b"

// NewWriter returns a Writer that writes to another one.
func NewWriter(to io.Writer, key Colours) *Writer { return &Writer{to: to, key: key} }

// Write writes b with its escapes. It returns len(b) unless writing fails.
func (w *Writer) Write(b []byte) (int, error) {
	w.Used = w.Used || len(b) > 0
	src := append(w.rest, b...)
	w.rest = nil
	if n := cutCharacter(src); n > 0 {
		w.rest = bytes.Clone(src[len(src)-n:])
		src = src[:len(src)-n]
	}
	text := w.visible(string(src))
	if w.key != "" {
		text = strings.ReplaceAll(text, string(w.key), escape)
	}
	if _, err := io.WriteString(w.to, text); err != nil {
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

// visible escapes a text.
func (w *Writer) visible(text string) string {
	if text != "" && isPlain(text) {
		w.before = 0
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case isVisible(r, w.before):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		w.before = r
	}
	return b.String()
}

// Visible returns a text as a Writer shows it.
func Visible(text string) string { return (&Writer{}).visible(text) }

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

func isVisible(r, before rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r == joiner || r == nonJoiner:
		return before >= utf8.RuneSelf
	}
	return !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) && r != '\u2028' && r != '\u2029'
}

// Emoji and some scripts need these two invisible characters after one of their own.
const (
	joiner    = '\u200d'
	nonJoiner = '\u200c'
)
