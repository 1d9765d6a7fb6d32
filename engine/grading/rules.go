package grading

import (
	"math"
	"regexp"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
)

// start is the importance to which the rules add: the middle of the scale.
const start = 0.5

// rule adds points to the importance of the memories that it matches.
type rule struct {
	reason  string // for a person
	points  float64
	matches func(*memory.Memory) bool
}

// rules is applied as a whole: the points of all that match add up. docs/scoring.md lists
// them.
var rules = []rule{
	{"says that it is important", 0.2, func(m *memory.Memory) bool { return hasPhrase("important")(m) || strings.Contains(m.Text, "!!") }},
	{"states a rule", 0.15, hasPhrase("rule")},
	{"is a decision, a preference, a lesson or a risk", 0.1, category(memory.CategoryDecision, memory.CategoryPreference, memory.CategoryLesson, memory.CategoryRisk)},
	{"contains a number, an address or an identifier", 0.05, text(`\d|https?://|[\w.+-]+@[\w-]+\.\w|\b[a-z]+[A-Z]\w+|\b[A-Z]{2,}_[A-Z]`)},
	{"is pinned", 0.15, func(m *memory.Memory) bool { return m.Pinned }},
	{"is not trusted", -0.15, func(m *memory.Memory) bool { return m.Trust != memory.TrustTrusted }},
	{"is done or struck out", -0.2, text(`^\s*([-*]\s+)?\[[xX]\]|^\s*~~.*~~\s*$`)},
	{"is a task or a plan", -0.05, category(memory.CategoryTask, memory.CategoryPlan)},
	{"is a question", -0.1, func(m *memory.Memory) bool { return memory.IsQuestion(m.Text) }},
	{"tells what happened", -0.05, func(m *memory.Memory) bool { return m.Type == memory.TypeEpisodic }},
	{"has fewer than four words", -0.1, isShort},
}

// phrases returns those of a section of lang/notes.md.
var phrases = lang.PhrasesOf("notes")

// hasPhrase returns a test of a memory's text by the phrases of a section.
func hasPhrase(section string) func(*memory.Memory) bool {
	return func(m *memory.Memory) bool { return phrases(section).Match(lang.Fold(m.Text)) }
}

// text returns a test of a memory's text by a regular expression.
func text(pattern string) func(*memory.Memory) bool {
	compiled := regexp.MustCompile(pattern)
	return func(m *memory.Memory) bool { return compiled.MatchString(m.Text) }
}

// category returns a test of a memory's subject.
func category(wanted ...memory.Category) func(*memory.Memory) bool {
	return func(m *memory.Memory) bool {
		for _, c := range wanted {
			if m.Category == c {
				return true
			}
		}
		return false
	}
}

// shortCJK is about four words of Chinese or Japanese, in characters.
const shortCJK = 8

// isShort reports whether a text has fewer than four words.
func isShort(m *memory.Memory) bool {
	characters := 0
	for _, c := range m.Text {
		if lang.IsCJK(c) {
			characters++
		}
	}
	return len(strings.Fields(m.Text)) < 4 && characters < shortCJK
}

// The labels of the importance from which a memory has them. No rule labels a memory
// ignore: that would hide it.
const (
	mustRemember = 0.8
	niceToHave   = 0.65
)

// Of returns the grade of a memory, and the rules that led to it. It knows nothing of what
// a person declared.
func Of(m memory.Memory) (g memory.Grade, reasons []string) {
	importance := start
	for _, r := range rules {
		if r.matches(&m) {
			importance += r.points
			reasons = append(reasons, r.reason)
		}
	}
	importance = math.Round(100*min(max(importance, 0), 1)) / 100
	g.Importance = &importance
	switch {
	case importance >= mustRemember:
		g.Label = memory.ImportanceMustRemember
	case importance >= niceToHave:
		g.Label = memory.ImportanceNiceToHave
	default:
		g.Label = memory.ImportanceUnknown
	}
	return g, reasons
}
