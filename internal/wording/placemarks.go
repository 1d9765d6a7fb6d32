package wording

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// withoutPlaceMarks removes from a line what marks a place in a list or a page. That is the marker
// of a list item, also a letter or a number, the type of a callout, and an anchor.
func withoutPlaceMarks(line string) string {
	for {
		line = withoutMarkers(line)
		n := placeMark(line)
		if n == 0 {
			break
		}
		line = line[n:]
	}
	trimmed := strings.TrimRight(line, " \t\r\n")
	if at := strings.LastIndexByte(trimmed, '{'); at > 0 && anchorLen(trimmed[at:]) == len(trimmed)-at {
		return trimmed[:at] + line[len(trimmed):]
	}
	return line
}

// placeMark returns the length of the mark that a line begins with, or 0.
func placeMark(line string) int {
	switch {
	case strings.HasPrefix(line, "[!"):
		return calloutLen(line)
	case strings.HasPrefix(line, "{"):
		return anchorLen(line)
	}
	n := strings.IndexAny(line, " \t")
	if n <= 0 || !isItemMark(line[:n], strings.TrimLeft(line[n:], " \t")) {
		return 0
	}
	return n
}

// calloutLen returns the length of the type of a callout: [!note], [!tip]- or [!tip]+.
func calloutLen(line string) int {
	n := strings.IndexByte(line, ']')
	if n < 3 || strings.ContainsAny(line[2:n], " [\n") {
		return 0
	}
	if n++; n < len(line) && (line[n] == '+' || line[n] == '-') {
		n++
	}
	if n < len(line) && strings.IndexByte(" \t\r\n", line[n]) < 0 {
		return 0
	}
	return n
}

// anchorLen returns the length of an anchor: {#id}, {.class} or {: #id}.
func anchorLen(line string) int {
	n := strings.IndexAny(line[1:], "{}\n") + 1
	if n == 0 || line[n] != '}' {
		return 0
	}
	name := strings.TrimLeft(strings.TrimPrefix(line[1:n], ":"), " ")
	if len(name) < 2 || name[0] != '#' && name[0] != '.' {
		return 0
	}
	return n + 1
}

// isItemMark reports whether the first word of a line marks an item: a), (b), iv., 3.2.1.
// A capital letter with a full stop is more likely an initial. Two numbers with a point,
// or four, are more likely a date, an amount or an address.
func isItemMark(word, rest string) bool {
	body, closed := strings.CutSuffix(word, ")")
	dotted := false
	if closed {
		body = strings.TrimPrefix(body, "(")
	} else {
		body, dotted = strings.CutSuffix(word, ".")
	}
	first, size := utf8.DecodeRuneInString(body)
	isLetter := size > 0 && size == len(body) && unicode.IsLetter(first)
	switch parts := numberParts(body); {
	case rest == "":
		return false
	case parts == 3:
		next, _ := utf8.DecodeRuneInString(rest)
		return closed || dotted || unicode.IsUpper(next) || unicode.Is(unicode.Lo, next)
	case closed:
		return isLetter || isRoman(body) || parts == 1 && word[0] == '('
	case dotted:
		return isLetter && unicode.IsLower(first) || isRoman(body) && len(body) > 1
	}
	return false
}

// isRoman reports whether a word is a Roman number, of up to seven letters.
func isRoman(s string) bool {
	return s != "" && len(s) <= 7 && (strings.Trim(s, "ivxlc") == "" || strings.Trim(s, "IVXLC") == "")
}

// numberParts returns how many numbers of up to three digits a word has, between full
// stops. It is 0 for another word.
func numberParts(s string) (n int) {
	for part := range strings.SplitSeq(s, ".") {
		if part == "" || len(part) > maxOrdinalDigits || strings.Trim(part, "0123456789") != "" {
			return 0
		}
		n++
	}
	return n
}
