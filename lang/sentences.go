package lang

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	isEnd          = Words("sentences", "end")
	isFullEnd      = Words("sentences", "full end")
	isAbbreviation = Words("sentences", "abbreviation")
	leadsToOrdinal = Words("sentences", "before ordinal")
)

// SentenceEnds returns the marks that end a sentence, with the blank that some need.
func SentenceEnds() (ends []string) {
	for _, mark := range List("sentences", "end") {
		ends = append(ends, mark+" ")
	}
	return append(ends, List("sentences", "full end")...)
}

// closing marks belong to the sentence before them.
const closing = `"'”’»)」』！？!?`

// Sentences yields where the sentences of a text begin and end, without the blanks around them.
// A sentence ends at an end mark and at a blank line. It also ends before a line that begins with
// the mark of a list, a table or a heading.
func Sentences(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		start, next := 0, 0
		emit := func(end int) bool {
			from := end - len(strings.TrimLeftFunc(text[start:end], unicode.IsSpace))
			to := start + len(strings.TrimRightFunc(text[start:end], unicode.IsSpace))
			start = end
			return from >= to || yield(from, to)
		}
		for i, r := range text {
			if i < next || IsAlnum(r) || r != '\n' && !isEnd(string(r)) && !isFullEnd(string(r)) {
				continue
			}
			after := text[i+utf8.RuneLen(r):]
			next = len(text) - len(strings.TrimLeft(after, closing)) // so that the time is linear
			if endsSentence(text[start:i], r, after) && !emit(next) {
				return
			}
		}
		emit(len(text))
	}
}

// endsSentence reports whether a character ends a sentence.
func endsSentence(before string, r rune, after string) bool {
	switch mark := string(r); {
	case r == '\n':
		return isMarkedLine(after)
	case isFullEnd(mark):
		return !isInQuotation(after)
	case isEnd(mark):
		return endsBeforeBlank(before, r, after)
	}
	return false
}

// isMarkedLine reports whether a line is blank or begins with a mark, so that the one before it
// does not go on there.
func isMarkedLine(line string) bool {
	line = strings.TrimLeft(line, " \t")
	bare := strings.TrimLeft(line, "0123456789-*+.)")
	return line == "" || strings.ContainsAny(line[:1], "\n>|#") || bare != line && strings.HasPrefix(bare, " ")
}

// endsBeforeBlank reports whether a mark ends a sentence that needs a blank behind it. Behind a
// full stop, no small letter or digit follows, and no abbreviation precedes.
func endsBeforeBlank(before string, mark rune, after string) bool {
	unquoted := strings.TrimLeft(after, `"'”’»)!?`)
	isQuoted := strings.ContainsAny(after[:len(after)-len(unquoted)], `"'”’»`)
	next := strings.TrimLeftFunc(unquoted, unicode.IsSpace)
	if next == "" {
		return true
	}
	if len(next) == len(unquoted) {
		return false
	}
	first := FirstRune(next)
	if mark != '.' {
		return !isQuoted || !unicode.IsLower(first)
	}
	if unicode.IsLower(first) || unicode.IsDigit(first) {
		return false
	}
	const blanks = " (\n\t"
	at := strings.LastIndexAny(before, blanks)
	word := before[at+1:]
	if AllDigits(word) && len(word) <= 2 && at > 0 {
		return !leadsToOrdinal(strings.ToLower(before[strings.LastIndexAny(before[:at], blanks)+1 : at]))
	}
	return !isAbbreviation(strings.ToLower(word)+".") && utf8.RuneCountInString(word) != 1
}

// isInQuotation reports whether an end mark belongs to a quotation that the sentence goes on
// behind: 「行こう！」と言った.
func isInQuotation(after string) bool {
	unquoted := strings.TrimLeft(after, "」』”")
	return len(unquoted) < len(after) && strings.TrimLeft(unquoted, " 　。！？") == unquoted && unquoted != ""
}
