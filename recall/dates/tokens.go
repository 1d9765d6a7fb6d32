package dates

import (
	"strings"
	"time"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/language"
)

// token is a word of a text, without the punctuation around it.
type token struct {
	text, lower string        // as written, and in lower case
	field       string        // with the punctuation around it
	previous    string        // the word before it in the same clause, in lower case
	endsClause  bool          // a comma or a stronger mark follows
	weekday     *time.Weekday // that stood before it; nil: none
	at          int           // the offset of text in the whole text; dates in CJK have none
}

// dayRange matches two days of a month in one word: 3-5, 3.–5.
var dayRange = lazyregexp.New(`^(\d{1,2})\.?[-–](\d{1,2})\.?[,;]?$`)

// dayRangeOf returns what dayRange matches, or nil. Most words begin with no digit, and
// the pattern takes longer.
func dayRangeOf(field string) []string {
	if !isDigit(field[0]) {
		return nil
	}
	return dayRange.FindStringSubmatch(field)
}

// tokenise splits a text into words, without possessives in the lower-case form. A
// range of two days becomes three words. A date in Chinese, Japanese or Korean becomes
// its month, its day and its year.
func tokenise(text string) []token {
	if hasCJKDate(text) {
		return splitCJKDates(text)
	}
	return appendWords(nil, text, 0)
}

// appendWords appends the words of a part of a text without such dates. at is the offset of
// the part.
func appendWords(tokens []token, text string, at int) []token {
	end := 0
	for field := range strings.FieldsSeq(text) {
		start := end + strings.Index(text[end:], field)
		end = start + len(field)
		if m := dayRangeOf(field); m != nil {
			tokens = append(appendToken(tokens, field, m[1]), token{text: "-", lower: "-", previous: m[1]}, token{text: m[2], lower: m[2], previous: "-"})
			continue
		}
		word := strings.Trim(field, `.,;:!?…()[]"“”„«»¿¡–—*_`)
		if word == "" && len(tokens) > 0 {
			last := &tokens[len(tokens)-1]
			if field == "–" && parseDay(last.lower) > 0 { // November 3 – 5
				tokens = append(tokens, token{text: "-", lower: "-", field: field, previous: last.lower})
			} else { // French puts a space before its question mark
				last.endsClause = true
				last.field += " " + field
			}
		}
		if word == "" {
			continue
		}
		tokens = appendToken(tokens, field, word)
		tokens[len(tokens)-1].at = at + start + strings.Index(field, word)
	}
	return tokens
}

func appendToken(tokens []token, field, word string) []token {
	lower := strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(word), "’", "'"), "'s")
	previous := ""
	if len(tokens) > 0 && !tokens[len(tokens)-1].endsClause {
		previous = tokens[len(tokens)-1].lower
	}
	return append(tokens, token{text: word, lower: lower, field: field, previous: previous, endsClause: endsClause(field, lower)})
}

// endsClause reports whether the punctuation of a field ends its clause. The dot of
// "am 3. Juni", of "am 3.6." and of "Oct. 19" does not.
func endsClause(field, lower string) bool {
	last := field[len(field)-1]
	if last == '.' {
		return !language.AllDigits(lower) && !shortMonths[lower] && !figures.MatchString(lower)
	}
	return strings.IndexByte(",;:!?)", last) >= 0
}

// endsSentence reports whether a sentence ends with the token.
func (t token) endsSentence() bool {
	return t.endsClause && t.field != "" && strings.IndexByte(".?!", t.field[len(t.field)-1]) >= 0
}

// lowerWords returns the tokens in lower case.
func lowerWords(tokens []token) []string {
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.lower
	}
	return words
}
