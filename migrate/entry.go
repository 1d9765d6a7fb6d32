package migrate

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// Entry is one memory of another system.
type Entry struct {
	Ref      string // its id there, or the line or row that it was read from
	Owner    string // the agent to which it belongs; empty: unknown
	Text     string
	Declared memory.Declared // what the other system knew about it
}

// Document is a whole Markdown file of another system.
type Document struct {
	Path string // relative to the system's folder, with slashes
	Text []byte
	Time time.Time // when it was written; zero: unknown

	Untrusted bool // its memories are marked as untrusted
}

// Content is what another system has.
type Content struct {
	Entries   []Entry
	Documents []Document
	Notes     []string // what a person should know about it
}

// Owners lists the agents that own entries, sorted.
func (c *Content) Owners() (owners []string) {
	for _, e := range c.Entries {
		if e.Owner != "" && !slices.Contains(owners, e.Owner) {
			owners = append(owners, e.Owner)
		}
	}
	slices.Sort(owners)
	return owners
}

// KeepOwner leaves out the entries of all agents but one. It returns how many.
func (c *Content) KeepOwner(owner string) (leftOut int) {
	before := len(c.Entries)
	c.Entries = slices.DeleteFunc(c.Entries, func(e Entry) bool { return e.Owner != "" && e.Owner != owner })
	return before - len(c.Entries)
}

// Distrust marks every entry and every document as untrusted that is not quarantined.
func (c *Content) Distrust() {
	for i := range c.Documents {
		c.Documents[i].Untrusted = true
	}
	for i := range c.Entries {
		if d := &c.Entries[i].Declared; d.Trust != memory.TrustQuarantined {
			d.Trust = memory.TrustUntrusted
		}
	}
}

// categories maps words of other systems to categories of ours.
var categories = map[string]memory.Category{
	"reflection": memory.CategoryLesson, "bugfix": memory.CategoryLesson, "discovery": memory.CategoryFact,
	"observation": memory.CategoryFact, "todo": memory.CategoryTask, "goal": memory.CategoryPlan, "profile": memory.CategoryEntity,
}

// categoryOf returns the category that a word names. A word that names none becomes a
// tag, if it can be one.
func categoryOf(word string) (category memory.Category, tag string) {
	word = strings.ToLower(strings.TrimSpace(word))
	if known, err := memory.ParseCategory(word); err == nil {
		return known, ""
	}
	if known, ok := categories[word]; ok {
		return known, ""
	}
	return "", tagOf(word)
}

// maxTag is the length of a tag, in characters. A longer word is no tag.
const maxTag = 40

// tagOf returns a word as a tag, or nothing if it cannot be one.
func tagOf(word string) string {
	word = strings.Map(func(c rune) rune {
		switch {
		case c == '_' || c == '/' || unicode.In(c, unicode.L, unicode.M, unicode.N):
			return c
		case c == ' ' || c == '-' || c == '.' || c == ':':
			return '-'
		}
		return -1
	}, word)
	word = strings.Trim(word, "-/")
	if utf8.RuneCountInString(word) > maxTag || strings.Trim(word, "0123456789-_/") == "" {
		return ""
	}
	return word
}

// The first digit of each unit of a time in numbers. Milliseconds since 1970 have 12
// digits from 1973 on.
const (
	minSeconds = 1e8
	minMillis  = 1e11
	minMicros  = 1e14
	minNanos   = 1e17
)

// timeOfNumber reads a time in seconds, milliseconds, microseconds or nanoseconds.
func timeOfNumber(n float64) time.Time {
	switch {
	case n >= minNanos:
		return time.Unix(0, int64(n)).UTC()
	case n >= minMicros:
		return time.UnixMicro(int64(n)).UTC()
	case n >= minMillis:
		return time.UnixMilli(int64(n)).UTC()
	case n >= minSeconds:
		return time.Unix(int64(n), 0).UTC()
	}
	return time.Time{}
}

// timeLayouts are forms of a time without a zone. Programs write them in UTC.
var timeLayouts = []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly}

// timeOfText reads a time in words. One without a zone is in UTC.
func timeOfText(text string) time.Time {
	text = strings.TrimSpace(text)
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.UTC()
	}
	for _, layout := range timeLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at
		}
	}
	return time.Time{}
}

// Dates of memories that are not believed: programs for agents are younger, and clocks
// differ by less than a day.
var oldest = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)

const maxAhead = 24 * time.Hour

// isPlausible reports whether a memory can be from that time.
func isPlausible(at, now time.Time) bool {
	return at.After(oldest) && at.Before(now.Add(maxAhead))
}
