package capture

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a request to remember.
const (
	maxPhrases = 8  // of one kind, such as openers: "oh, and by the way, could you please also"
	maxClauses = 12 // of a sentence that may begin with a request
)

// ask is the words with which a clause asks to remember something.
type ask struct {
	end    int  // behind them in the original
	framed bool // they speak to the assistant: "could you", "I want you to"
	linked bool // a word or mark leads to what is asked for: "that", ":"
	alone  bool // nothing follows them
}

// ask returns the words of a request at the beginning of a clause. These are openers, frames, a
// phrase of keeping, words that add nothing such as "please", and a link.
func (f folded) ask() (a ask, ok bool) {
	f = f.bare()
	framed := f.behindAll(sectionRequestFrame)
	a.framed = len(framed.text) < len(f.text)
	rest, ok := framed.behind(sectionRequest)
	needsLink := !ok
	if needsLink {
		rest, ok = framed.behind(sectionRequestLinked)
	}
	if !ok {
		if rest, ok = f.behind(sectionHesitation); ok {
			return rest.ask()
		}
		return a, false
	}
	rest = rest.behindAll(sectionRequestFiller)
	rest, a.linked = rest.behind(sectionRequestLink)
	a.end, a.alone = rest.original(0), !strings.ContainsFunc(rest.text, isContent)
	ok = a.linked || a.alone || !needsLink && !in(sectionRequestNot, rest)
	return a, ok
}

func isContent(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == hidden }

// clauses yields the clauses of a folded sentence: all that follows its beginning, or a mark.
func (f folded) clauses() func(yield func(folded) bool) {
	return func(yield func(folded) bool) {
		for range maxClauses {
			if !yield(f) {
				return
			}
			at := strings.IndexAny(f.text, ",、:;–—")
			if at < 0 {
				return
			}
			_, size := utf8.DecodeRuneInString(f.text[at:])
			f = f.from(at + size)
		}
	}
}

// bare returns a folded sentence without what opens it, such as "oh, and".
func (f folded) bare() folded { return f.behindAll(sectionOpener) }

// behindAll returns the folded text behind all phrases of some sections.
func (f folded) behindAll(sections ...string) folded {
	for range maxPhrases {
		if !slices.ContainsFunc(sections, func(section string) (ok bool) {
			f, ok = f.behind(section)
			return ok
		}) {
			break
		}
	}
	return f
}

// behind returns the folded text behind a phrase of a section.
func (f folded) behind(section string) (rest folded, ok bool) {
	_, end, ok := patternsOf(section).findFolded(f)
	if !ok {
		return f, false
	}
	if !f.cjk && end > 0 && f.text[end-1] == ' ' {
		end-- // a folded sentence begins with a space
	}
	return f.from(end), true
}

// from returns the folded text from an offset in it.
func (f folded) from(at int) folded {
	return folded{text: f.text[at:], cjk: f.cjk, at: f.at[min(at, len(f.at)):], end: f.end}
}
