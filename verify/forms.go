package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// formsOf returns how a text may be written, with joined white space.
func formsOf(text string) (forms [][]byte) {
	words := strings.Fields(text)
	ways := quotedJSON(words)
	for _, written := range append([][]string{words}, ways[:]...) {
		for _, escapes := range []bool{false, true} {
			src := []byte(strings.Join(written, " "))
			form, _ := joinSpace(nil, src, escapes, len(src))
			if trimmed := bytes.TrimSpace(form); !escapes {
				form = trimmed
			} else if len(trimmed) < len(form) {
				continue // without a \n at its end it would be another text
			}
			if len(form) > 0 && !slices.ContainsFunc(forms, func(f []byte) bool { return bytes.Equal(f, form) }) {
				forms = append(forms, form)
			}
		}
	}
	return forms
}

// joinSpace appends src to plain, with one space for each run of what may separate words. It
// stops at a length of plain, and returns how many bytes of src it read. escapes includes white
// space as JSON escapes it.
func joinSpace(plain, src []byte, escapes bool, stop int) ([]byte, int) {
	inSpace, i := false, 0
	for i < len(src) && len(plain) < stop {
		c, size, space := src[i], 1, false
		switch {
		case c == '>' || c == ' ' || c >= '\t' && c <= '\r':
			space = true
		case c == '\\':
			if n := escapedSpaceAt(src[i:]); escapes && n > 0 {
				size, space = n, true
			}
		case c >= utf8.RuneSelf:
			var r rune
			r, size = utf8.DecodeRune(src[i:])
			space = unicode.IsSpace(r)
		}
		switch {
		case space && !inSpace:
			plain = append(plain, ' ')
		case !space && size == 1:
			plain = append(plain, c)
		case !space:
			plain = append(plain, src[i:i+size]...)
		}
		i, inSpace = i+size, space
	}
	return plain, i
}

// quotedJSON returns words in the ways in which programs write them between quotes. Some also
// escape <, > and &, as encoding/json does by default. Some escape all that is not ASCII.
func quotedJSON(words []string) (ways [3][]string) {
	for _, w := range words {
		plain := quoteJSON(w, false)
		ways[0] = append(ways[0], plain)
		ways[1] = append(ways[1], quoteJSON(w, true))
		ways[2] = append(ways[2], asASCII(plain))
	}
	return ways
}

// quoteJSON returns a word as JSON writes it between quotes.
func quoteJSON(word string, html bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(html)
	if e.Encode(word) != nil {
		return word // encoding a string never fails
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return text[1 : len(text)-1]
}

// asASCII escapes what is not ASCII by its units of UTF-16.
func asASCII(text string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		if unit < utf8.RuneSelf {
			b.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&b, "\\u%04x", unit)
		}
	}
	return b.String()
}

// The lengths of an escape such as \n, and of one such as \u2028.
const shortEscape, longEscape = 2, 6

// escapedSpaceAt returns the length of a white space at the start of b that JSON or YAML
// escapes, or 0.
func escapedSpaceAt(b []byte) int {
	if len(b) < shortEscape || b[0] != '\\' {
		return 0
	}
	if strings.IndexByte("ntrfv", b[1]) >= 0 {
		return shortEscape
	}
	if len(b) >= longEscape && b[1] == 'u' {
		if n, err := strconv.ParseUint(string(b[2:longEscape]), 16, 16); err == nil && unicode.IsSpace(rune(n)) {
			return longEscape
		}
	}
	return 0
}
