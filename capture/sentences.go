package capture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
)

// paragraph is the sentences of one paragraph, in order.
type paragraph []sentence

// sentence is one sentence, as written and with its quotations hidden.
type sentence struct {
	text string
	seen lang.Folded // without the words of quotations
	list bool        // it is an item of a list
	long bool        // it is too long for a candidate, and only its beginning is seen
	more bool        // it goes on in the line of the sentence before it

	asks bool   // it asks to remember something
	rest string // the text without that request
}

// endsInColon reports whether a sentence announces what follows it.
func (s sentence) endsInColon() bool {
	text := strings.TrimRight(s.text, " *_")
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}

// bullet matches the marker of a list item.
var bullet = lazyregexp.New(`^(?:[-*+•・]|\d{1,3}[.)])\s+`)

// paragraphs cuts lines into paragraphs and sentences. A line break ends a
// sentence, unless the line is wrapped.
func paragraphs(lines []string) (all []paragraph) {
	var p paragraph
	flush := func() {
		if len(p) > 0 {
			all = append(all, p)
		}
		p = nil
	}
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if line == "" {
			flush()
			continue
		}
		marker := bullet().FindString(line)
		for i+1 < len(lines) && wraps(line, lines[i+1]) && len(line) < 4*MaxChars {
			i++
			line += " " + lines[i]
		}
		line = line[len(marker):]
		masked := hideQuotations(line)
		for start, end := range lang.Sentences(masked) {
			seen, long := foldBeginning(masked[start:end])
			s := sentence{text: line[start:end], seen: seen, list: marker != "", long: long, more: start > 0}
			s.rest, s.asks = stripRequest(s)
			p = append(p, s)
		}
	}
	flush()
	return all
}

// foldBeginning folds a sentence. Of one that is too long for a candidate only the beginning
// is examined, which may be a request.
func foldBeginning(s string) (f lang.Folded, long bool) {
	const examined = MaxChars + 100
	runes := 0
	for at := range s {
		if runes++; runes > examined {
			f, long = lang.Fold(s[:at]), true
			f.End = len(s)
			return f, long
		}
	}
	return lang.Fold(s), false
}

// wraps reports whether a long line continues on the next one.
func wraps(line, next string) bool {
	const wrapped = 60 // editors wrap later than that
	first, _ := utf8.DecodeRuneInString(next)
	return len(line) >= wrapped && unicode.IsLower(first) && !strings.ContainsRune(".!?:;", rune(line[len(line)-1]))
}

// shortQuote is the length up to which a quotation is a name or a term and not
// somebody's words. It is three words, or eight characters of Chinese or
// Japanese.
const (
	shortQuote    = 3
	shortCJKQuote = 8
)

var quotations = lazyregexp.New(`"[^"]*"|“[^”“]*”|„[^“”„]*[“”]|«[^»«]*»|「[^」「]*」|『[^』『]*』|(?:^|[\s(])'[^']{12,}'`)

// hideQuotations replaces the words of quotations, so that no pattern matches them
// and no sentence ends in them. The length stays.
func hideQuotations(line string) string {
	return quotations().ReplaceAllStringFunc(line, func(q string) string {
		if words := len(strings.Fields(q)); words <= shortQuote && (!lang.HasCJK(q) || utf8.RuneCountInString(q) <= shortCJKQuote+2) {
			return q
		}
		return strings.Repeat(string(lang.Hidden), len(q))
	})
}
