package dates

import "github.com/memory-tiered/memory/lang"

// relation is a temporal relation between what a question asks for and a date.
type relation int

const (
	relBefore relation = iota + 1
	relAfter
	relSince
	relUntil
)

// isBackward reports whether the time is before the anchor.
func (r relation) isBackward() bool { return r == relBefore || r == relUntil }

// spanFrom returns the time that a relation gives for an anchor.
func (r relation) spanFrom(a Span) Span {
	switch r {
	case relBefore:
		return Span{To: a.From}
	case relUntil:
		return Span{To: a.To}
	case relAfter:
		return Span{From: a.To}
	}
	return Span{From: a.From}
}

// readRelation reads a relation to a date that begins at a token. Of several, the longest
// counts.
func (r *reader) readRelation(at int) (m mention, ok bool) {
	for _, e := range r.grammar.words[r.tokens[at].lower] {
		from := at + 1 + len(e.rest)
		if e.class != "relation" || from <= m.from || !r.hasWords(e.rest, at+1) || !r.goesOn(at+1) || !r.goesOn(from) {
			continue
		}
		rel := relation(e.value)
		if anchor, to := r.anchorAt(from, rel); to > m.to {
			m = newMention(r.upToNow(rel.spanFrom(anchor), rel, at))
			m.from, m.to = at, to
		}
	}
	return m, m.to > 0
}

// anchorAt reads the date to which a relation refers. Of a time that recurs, it is the
// latest, or the coming one after "before" and "until" if the question is not about the
// past. A month or year with a noun after it is none: "after the May meeting".
func (r *reader) anchorAt(at int, rel relation) (anchor Span, to int) {
	a := *r
	a.isAnchor, a.expected, a.anchorTense, a.memo = true, at, pastTense, map[nestedKey]*mention{}
	if rel.isBackward() && r.tenseAt(at)() != pastTense {
		a.anchorTense = futureTense
	}
	for _, f := range a.matches(at, nil) {
		m := meanings[f.meaning].read(&a, &f)
		switch {
		case len(m.spans) > 0:
			return m.spans[0], f.to
		case len(m.date) == 0:
			continue
		}
		d := m.date[0]
		isVague := d.day == 0 && (d.month == 0 || d.year == 0)
		if isVague && r.goesOn(f.to) && !lang.IsStopWord(r.tokens[f.to].lower) {
			continue
		}
		if rel.isBackward() {
			return d.near(r.now).span(r.now.Location()), f.to
		}
		return d.latestUntil(r.now).span(r.now.Location()), f.to
	}
	return Span{}, 0
}

// upToNow ends a time that began with "since". So does one after a date, in a question
// about what happened. A time before a date begins now, in a question about a plan.
func (r *reader) upToNow(s Span, rel relation, at int) Span {
	switch when := r.tenseAt(at); {
	case s.From.After(r.today) || !s.To.IsZero() && !s.To.After(r.today):
	case rel == relSince, rel == relAfter && when() == pastTense:
		s.To = daysFrom(r.today, 0, 1).To
	case rel.isBackward() && when() == futureTense:
		s.From = r.today
	}
	return s
}

// maxQuestionWords is the length up to which a text is a question. A longer one is pasted, and
// asks for no day.
const maxQuestionWords = 60
