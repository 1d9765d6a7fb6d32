package capture

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/lang"
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

// askOf returns the words of a request at the beginning of a clause. These are openers, frames, a
// phrase of keeping, words that add nothing such as "please", and a link.
func askOf(f lang.Folded) (a ask, ok bool) {
	f = bare(f)
	framed := behindAll(f, "request frame")
	a.framed = len(framed.Text) < len(f.Text)
	rest, ok := behind(framed, "request")
	needsLink := !ok
	if needsLink {
		rest, ok = behind(framed, "request linked")
	}
	if !ok {
		if rest, ok = behind(f, "hesitation"); ok {
			return askOf(rest)
		}
		return a, false
	}
	rest = behindAll(rest, "request filler")
	rest, a.linked = behind(rest, "request link")
	a.end, a.alone = rest.Original(0), !strings.ContainsFunc(rest.Text, isContent)
	ok = a.linked || a.alone || !needsLink && !in("request not", rest)
	return a, ok
}

func isContent(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == lang.Hidden }

// clauses yields the clauses of a folded sentence: all that follows its beginning, or a mark.
func clauses(f lang.Folded) func(yield func(lang.Folded) bool) {
	return func(yield func(lang.Folded) bool) {
		for range maxClauses {
			if !yield(f) {
				return
			}
			at := strings.IndexAny(f.Text, ",、:;–—")
			if at < 0 {
				return
			}
			_, size := utf8.DecodeRuneInString(f.Text[at:])
			f = f.From(at + size)
		}
	}
}

// bare returns a folded sentence without what opens it, such as "oh, and".
func bare(f lang.Folded) lang.Folded { return behindAll(f, "opener") }

// behindAll returns the folded text behind all phrases of some sections.
func behindAll(f lang.Folded, sections ...string) lang.Folded {
	for range maxPhrases {
		if !slices.ContainsFunc(sections, func(section string) (ok bool) {
			f, ok = behind(f, section)
			return ok
		}) {
			break
		}
	}
	return f
}

// behind returns the folded text behind a phrase of a section.
func behind(f lang.Folded, section string) (rest lang.Folded, ok bool) {
	_, end, ok := phrases(section).FindFolded(f)
	if !ok {
		return f, false
	}
	if !f.CJK && end > 0 && f.Text[end-1] == ' ' {
		end-- // a folded sentence begins with a space
	}
	return f.From(end), true
}
