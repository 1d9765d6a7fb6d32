package notation

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
)

// Mark is what the author of a memory marked about it. Later values weigh more.
type Mark uint8

const (
	Holds    Mark = iota
	finished      // a checked task, or under a heading such as "Done"
	Outdated      // struck out, a cancelled task ([-]), or under a heading such as "Outdated"
)

// The tables of lang/notes.md: words of a heading that mark what is under it, and the words
// before the name of what replaced something.
var (
	isOutdated = lang.Words("notes", "outdated")
	isFinished = lang.Words("notes", "finished")
	phrases    = lang.PhrasesOf("notes")
)

// Marks remembers the marks of headings: the candidates of a question share
// most of them, and so do questions.
type Marks map[string]Mark

// maxMarks bounds the headings that are remembered.
const maxMarks = 4096

// Of reads the author's marks of a memory.
func (marks Marks) Of(m *memory.Memory) Mark {
	text := strings.TrimSpace(m.Text)
	mark := Holds
	if strings.HasPrefix(text, "[x] ") || strings.HasPrefix(text, "[X] ") {
		mark, text = finished, strings.TrimSpace(text[len("[x] "):])
	}
	if isStruckOut(text) || strings.HasPrefix(text, "[-] ") {
		return Outdated
	}
	for _, h := range m.Heading {
		v, known := marks[h]
		if !known {
			if len(marks) >= maxMarks {
				clear(marks)
			}
			v = headingValidity(h)
			marks[strings.Clone(h)] = v // it may share memory with a text
		}
		mark = max(mark, v)
	}
	return mark
}

// String returns the mark that a line of the block has, or nothing.
func (v Mark) String() string { return [...]string{"", "done", "outdated"}[v] }

// strikes are the marks before and after a text that is struck out.
var strikes = [...][2]string{{"~~", "~~"}, {"<del>", "</del>"}, {"<s>", "</s>"}, {"<strike>", "</strike>"}}

// isStruckOut reports whether a text is struck out as a whole.
func isStruckOut(text string) bool {
	for _, mark := range strikes {
		rest, opened := strings.CutPrefix(text, mark[0])
		if !opened {
			continue
		}
		if struck, closed := strings.CutSuffix(rest, mark[1]); closed && struck != "" {
			return !strings.Contains(struck, mark[1])
		}
	}
	return false
}

// struckPart matches a part of a text that is struck out.
var struckPart = lazyregexp.New(`~~[^\s~](?:[^~]*[^\s~])?~~|<(del|s|strike)>[^<]+</(?:del|s|strike)>`)

// WithoutStruck returns a text without its parts that are struck out, if there are any
// and something else is left: "~~Port 8080.~~ Now 8081." becomes "Now 8081."
func WithoutStruck(text string) (rest string, partly bool) {
	if !strings.Contains(text, "~~") && !strings.Contains(text, "</") || strings.Contains(text, "`") {
		return text, false
	}
	rest = strings.TrimSpace(struckPart().ReplaceAllString(text, ""))
	if rest == strings.TrimSpace(text) || !strings.ContainsFunc(rest, lang.IsAlnum) {
		return text, false
	}
	return rest, true
}

// bracketed matches a remark at the end of a heading: "Rollout plan (archived)".
var bracketed = lazyregexp.New(`[(\[（]([^()\[\]（）]+)[)\]）]\s*$`)

// headingValidity reads a heading that is a mark ("Done"). It may also begin with
// one before a punctuation mark ("Outdated, kept for the record"), or end with one
// in brackets. "Archive server" is a topic and no mark.
func headingValidity(heading string) Mark {
	lower := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(heading)), "’", "'")
	if isStruckOut(lower) {
		return Outdated
	}
	first := strings.TrimSpace(lower)
	if i := strings.IndexFunc(lower, func(r rune) bool { return !lang.IsAlnum(r) && r != ' ' && r != '\'' }); i > 0 {
		first = strings.TrimSpace(lower[:i])
	} else if i == 0 {
		first = strings.TrimSpace(strings.TrimFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) }))
	}
	mark := markOf(first)
	if !endsWithBracket(lower) {
		return mark
	}
	if remark := bracketed().FindStringSubmatch(lower); remark != nil {
		mark = max(mark, markOf(strings.TrimSpace(remark[1])))
	}
	return mark
}

// endsWithBracket is a quick test that most headings do not pass.
func endsWithBracket(heading string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(heading))
	return last == ')' || last == ']' || last == '）'
}

func markOf(phrase string) Mark {
	switch {
	case isOutdated(phrase):
		return Outdated
	case isFinished(phrase):
		return finished
	}
	return Holds
}

// Succeeds reports whether a memory that holds took the place of an outdated one.
// They share a name in their labels, or it mentions a name of the outdated one. Or
// the outdated one tells that it was replaced by it.
func Succeeds(current, old *memory.Memory) bool {
	currentText, oldText := joinFolded(current.Text), ""
	if _, end, found := phrases("replaced").Find(lang.Fold(old.Text)); found {
		oldText = joinFolded(old.Text[end:])
	}
	for _, name := range Names(old.Text) {
		if strings.Contains(currentText, " "+strings.Join(name, " ")+" ") {
			return true
		}
	}
	for _, name := range Names(current.Text) {
		if strings.Contains(oldText, " "+strings.Join(name, " ")+" ") {
			return true
		}
	}
	return false
}

func joinFolded(text string) string { return " " + strings.Join(lang.FoldedWords(text), " ") + " " }
