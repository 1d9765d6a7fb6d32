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
		for start, end := range sentenceSpans(masked) {
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

// sentenceSpans yields the byte spans of the sentences of a line.
func sentenceSpans(line string) func(yield func(start, end int) bool) {
	return func(yield func(int, int) bool) {
		start := 0
		emit := func(end int) bool {
			s := strings.TrimSpace(line[start:end])
			at := start + strings.Index(line[start:end], s)
			start = end
			return s == "" || yield(at, at+len(s))
		}
		for i, r := range line {
			if i < start {
				continue // it closes the sentence before
			}
			end := i + utf8.RuneLen(r)
			if strings.ContainsRune("。！？", r) && !isInQuotation(line[end:]) || strings.ContainsRune(".!?…", r) && endsSentence(line[start:i], r, line[end:]) {
				if end += len(line[end:]) - len(strings.TrimLeft(line[end:], `"”»)」』！？!?`)); !emit(end) {
					return
				}
			}
		}
		if start < len(line) {
			emit(len(line))
		}
	}
}

// endsSentence reports whether a full stop, question mark or exclamation mark ends
// a sentence. A space and no small letter or digit follows, and no abbreviation
// precedes.
func endsSentence(before string, mark rune, after string) bool {
	unquoted := strings.TrimLeft(after, `"”»)!?`)
	isQuoted := strings.ContainsAny(after[:len(after)-len(unquoted)], `"”»`)
	if after = unquoted; after == "" {
		return true
	}
	next := strings.TrimLeft(after, " ")
	if len(next) == len(after) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(next)
	if mark != '.' {
		return !isQuoted || !unicode.IsLower(first)
	}
	if unicode.IsLower(first) || unicode.IsDigit(first) {
		return false
	}
	at := strings.LastIndexAny(before, " (")
	word := before[at+1:]
	if number := strings.Trim(word, "0123456789") == "" && len(word) <= 2; number && at > 0 {
		return !isOrdinal(strings.ToLower(before[strings.LastIndexAny(before[:at], " (")+1 : at]))
	}
	return !isAbbreviation(strings.ToLower(word)+".") && utf8.RuneCountInString(word) != 1
}

// isInQuotation reports whether a full stop or a question mark belongs to a quotation that the
// sentence goes on behind: 「行こう！」と言った.
func isInQuotation(after string) bool {
	unquoted := strings.TrimLeft(after, "」』”")
	return len(unquoted) < len(after) && strings.TrimLeft(unquoted, " 　。！？") == unquoted && unquoted != ""
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
