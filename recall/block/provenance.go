package block

import (
	"strings"
	"time"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/dates"
)

// maxWordsForHeading is the length, in words, up to which a text may not name its
// topic and so needs its heading.
const maxWordsForHeading = 12

// structured matches a text that begins with a step, code or a table, without a
// sentence that introduces it.
var structured = lazyregexp.New("^(?:\\d+[.)]\\s|```|~~~|\\|)")

func isStructured(text string) bool {
	return text != "" && !unicode.IsLetter(lang.FirstRune(text)) && structured().MatchString(text)
}

// headingContext returns the innermost topic headings of a text that is short or
// structured. It is empty if the text mentions the innermost one itself.
func headingContext(m *memory.Memory) string {
	if !isShort(m.Text) && !isStructured(m.Text) {
		return ""
	}
	topics := chunker.Topics(m.Heading)
	if len(topics) == 0 || mentions(m.Text, topics[len(topics)-1]) {
		return ""
	}
	const innermost = 2 // outer headings describe the file rather than the text
	topics = topics[max(0, len(topics)-innermost):]
	if mentions(m.Text, topics[0]) {
		topics = topics[1:]
	}
	return escapeInline(strings.Join(topics, " › "))
}

func isShort(text string) bool {
	words := 0
	for range strings.FieldsSeq(text) {
		if words++; words > maxWordsForHeading {
			return false
		}
	}
	return true
}

func mentions(text, heading string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(heading))
}

// provenance returns the headings and the date that a reader needs and that the text
// does not contain.
func provenance(m *memory.Memory, zone *time.Location) string {
	headings, date := headingContext(m), dates.Written(m, zone)
	switch {
	case date == "" || strings.Contains(m.Text, date):
		return headings
	case headings == "":
		return date
	}
	return headings + ", " + date
}
