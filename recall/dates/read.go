package dates

import (
	"math/bits"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/memory-tiered/memory/lang"
)

// Named holds the times that a question names.
type Named struct {
	Spans []Span // what they may mean

	// Rest is the question without its days and short times, which describe no
	// memory. Its months and years are left.
	Rest string

	// Words lists the words, in lower case, that name no time.
	Words []string
}

// IsSet reports whether the question names any time.
func (d Named) IsSet() bool { return len(d.Spans) > 0 }

// reader reads the times of one text.
type reader struct {
	grammar    *grammar
	text       string
	tokens     []token
	now, today time.Time
	isExpected bool // the rule that it reads is within another one
	language   func() int
}

func newReader(text string, now time.Time) *reader {
	g := tables()
	tokens := g.tokenise(text)
	return &reader{grammar: g, text: text, tokens: tokens, now: now, today: startOfDay(now), language: sync.OnceValue(func() int { return g.languageOf(tokens) })}
}

// goesOn reports whether a token belongs to the clause of the one before it.
func (r *reader) goesOn(at int) bool {
	return at > 0 && at < len(r.tokens) && !r.tokens[at-1].endsClause
}

// isUpper reports whether a token begins with a capital letter.
func (r *reader) isUpper(at int) bool { return unicode.IsUpper(lang.FirstRune(r.tokens[at].text)) }

// is reports whether a token is a word of a class in any language.
func (r *reader) is(at int, class string) bool {
	return at >= 0 && at < len(r.tokens) && r.grammar.isOf(r.tokens[at].lower, class)
}

func (g *grammar) isOf(word, class string) bool {
	return slices.ContainsFunc(g.words[word], func(e entry) bool { return len(e.rest) == 0 && e.class == class })
}

// isOtherWord reports whether a match is a word that means something else in the language of the
// text. The French "hier" is yesterday, the German one is here.
func (r *reader) isOtherWord(f found) bool {
	return f.to == f.from+1 && r.is(f.from, "other word") && r.language() != f.language
}

// languageOf returns the number of the language that most words of a text belong to.
func (g *grammar) languageOf(tokens []token) int {
	counts := make([]int, len(lang.Languages()))
	for _, t := range tokens {
		for of := g.common[t.lower]; of > 0; of &= of - 1 {
			counts[bits.TrailingZeros(of)]++
		}
	}
	return slices.Index(counts, slices.Max(counts))
}

// tense tells whether a question is about what happened or about what is planned.
type tense uint8

const (
	unknownTense tense = iota // a habit, or both
	pastTense
	futureTense
)

// choose returns what is past, what is to come, or both if the tense does not tell which.
func choose[T any](when tense, past, coming T) []T {
	switch when {
	case pastTense:
		return []T{past}
	case futureTense:
		return []T{coming}
	}
	return []T{past, coming}
}

// tenseAt returns the tense of the sentence of a token.
func (r *reader) tenseAt(at int) tense {
	from, to := at, at
	for from > 0 && !r.tokens[from-1].endsSentence() {
		from--
	}
	for to < len(r.tokens) && (to == at || !r.tokens[to-1].endsSentence()) {
		to++
	}
	return r.tense(from, to)
}

// tense reads the tense from verbs and words of planning, which count more.
func (r *reader) tense(from, to int) (when tense) {
	language := r.language()
	for _, t := range r.tokens[from:to] {
		switch {
		case r.grammar.isVerb(t.lower, "future", language):
			return futureTense
		case r.grammar.isVerb(t.lower, "past", language):
			when = pastTense
		}
	}
	return when
}

// isVerb reports whether a word of a language is of a class of verbs, or has the form of one.
func (g *grammar) isVerb(word, class string, language int) bool {
	isOf := func(e entry) bool { return e.class == class && e.language == language }
	return slices.ContainsFunc(g.words[word], isOf) || slices.ContainsFunc(g.forms, func(e entry) bool {
		if !isOf(e) {
			return false
		}
		ok, _ := path.Match(e.form, word)
		return ok
	})
}

// maxQuestionWords is the length up to which a text is a question. A longer one is pasted, and
// asks for no day.
const maxQuestionWords = 60

// asks reports whether the text is a question.
func (r *reader) asks() bool { return len(r.tokens) <= maxQuestionWords }

// Read finds the times in a question. now is in the workspace's time zone.
func Read(text string, now time.Time) (d Named) {
	r := newReader(text, now)
	dated, removed := make([]bool, len(r.tokens)), make([]bool, len(r.tokens))
	for i := 0; i < len(r.tokens); i++ {
		m := r.mentionAt(i, anyLevel, false)
		if m.isSet() {
			for _, s := range m.spans {
				if !slices.Contains(d.Spans, s) {
					d.Spans = append(d.Spans, s)
				}
			}
			r.use(m, dated, removed)
		}
		i = max(i, m.to-1)
	}
	d.Rest, d.Words = r.rest(dated, removed)
	return d
}

// use marks the tokens of a time, with the prepositions before them and a weekday behind a date. A
// month or a year stays in the question, because notes have such words, too. So does a relative time
// of more than a week that has begun.
func (r *reader) use(m mention, dated, removed []bool) {
	if m.date.day > 0 && r.is(m.to, "weekday") && r.goesOn(m.to) && !r.goesOn(m.to+1) {
		m.to++ // 20 November (Friday)
	}
	for m.from > 0 && r.is(m.from-1, "filler") && !r.tokens[m.from-1].endsClause {
		m.from--
	}
	s := m.spans[0]
	stays := m.level < anyLevel && !s.IsWithin(daysInWeek) && (m.level == nestedLevels["date"] || !s.From.After(r.now))
	for i := m.from; i < m.to; i++ {
		dated[i], removed[i] = true, !stays
	}
}

// rest returns the question without its removed tokens, and its words that
// name no time. Punctuation stays. Of a long text, which is pasted, nothing is removed.
func (r *reader) rest(dated, removed []bool) (rest string, words []string) {
	without := func(omitted []bool, gap string) string {
		var kept strings.Builder
		end := 0
		for i, t := range r.tokens {
			if omitted[i] {
				kept.WriteString(r.text[end:t.from] + gap)
				end = t.to
			}
		}
		return kept.String() + r.text[end:]
	}
	words = lang.SplitWords(strings.ToLower(without(dated, " ")))
	if !slices.Contains(removed, true) || !r.asks() {
		return r.text, words
	}
	rest = strings.Join(strings.Fields(without(removed, "")), " ")
	for _, mark := range []string{"?", "!", ",", ";", ":", "."} {
		rest = strings.ReplaceAll(rest, " "+mark, mark)
	}
	return strings.TrimSpace(rest), words
}

// RelativeDay is a part of a text that names one day, such as "tomorrow" or "vor drei Tagen".
type RelativeDay struct {
	Day      time.Time // its first moment
	From, To int       // the offsets of the words
	InCJK    bool
	HasDate  bool // the text names the date too: "tomorrow, 24 November"
}

// RelativeDays finds the relative days in a text, in their order. Times with several readings
// and times of more than a day are none, and "USA Today" is none. now is the time of the text, in
// the zone of its writer.
func RelativeDays(text string, now time.Time) (days []RelativeDay) {
	r, named := newReader(text, now), map[time.Time]bool{}
	for i := 0; i < len(r.tokens); i++ {
		m := r.mentionAt(i, nestedLevels["time"], false)
		switch {
		case m.date.day > 0:
			named[m.date.near(now).span(now.Location()).From] = true
		case m.level == nestedLevels["time"] && len(m.spans) == 1 && m.spans[0].IsDay() && !(r.goesOn(i) && r.isUpper(i)):
			last := r.tokens[m.to-1]
			days = append(days, RelativeDay{Day: m.spans[0].From, From: r.tokens[i].from, To: last.to, InCJK: last.inCJK})
		}
		i = max(i, m.to-1)
	}
	for i := range days {
		days[i].HasDate = named[days[i].Day]
	}
	return days
}
