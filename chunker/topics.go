package chunker

import (
	"strings"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// Topics returns the headings that name a topic. It leaves out those that only give a
// time ("Monday, 8 May 2023", "13:56") or a kind of file ("Notes", "Log").
func Topics(headings []string) []string {
	var topics []string
	for _, h := range headings {
		if IsTopic(h) {
			topics = append(topics, strings.TrimSpace(strings.TrimRight(strings.TrimSpace(h), ":：")))
		}
	}
	return topics
}

// SetTopic notes what the headings above a text say of its subject, so that the chunk's
// embedding can contain it.
func SetTopic(c *memory.Chunk, headings []string) {
	if c.Topic = strings.Join(Topics(headings), ": "); c.Topic != "" {
		c.Fingerprint = Fingerprint(c.Topic + "\n" + c.Fingerprint.String())
	}
}

// IsTopic reports whether a heading has a word besides those of dates and those that name
// journals and notes.
func IsTopic(heading string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(heading), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		w = strings.TrimLeft(w, "0123456789")
		if w != "" && !isInDate(w) && !isFileName(w) {
			return true
		}
	}
	return false
}

var (
	isInDate   = lang.Words("dates", "month", "month short", "month beside", "weekday", "weekday short")
	isFileName = lang.Words("notes", "file name")
)
