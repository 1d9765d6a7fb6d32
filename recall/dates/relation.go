package dates

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory/recall/language"
)

// Relation is a temporal relation between what a question asks for and a date or
// an event.
type Relation uint8

const (
	relBefore Relation = iota + 1
	relAfter
	relSince
	relUntil
	relDuring
	relAround
)

// String returns the name that an explanation shows.
func (r Relation) String() string {
	return [...]string{"", "before", "after", "since", "until", "during", "around"}[r]
}

// isBackward reports whether the time is before the anchor.
func (r Relation) isBackward() bool { return r == relBefore || r == relUntil }

// Reference is a time given by its relation to a date or an event, the anchor.
type Reference struct {
	Relation Relation
	distance int    // in days from the anchor, as in "two weeks before"; 0: none is given
	Phrase   string // names the event, as written in the question; empty for a date
}

// spanFrom returns the referenced time for an anchor that covers the span a.
func (r Reference) spanFrom(a Span) Span {
	switch {
	case r.distance > 0 && r.Relation.isBackward():
		return Span{From: a.From.AddDate(0, 0, -r.distance), To: a.To}
	case r.distance > 0:
		return Span{From: a.From, To: a.To.AddDate(0, 0, r.distance)}
	}
	switch r.Relation {
	case relBefore:
		return Span{To: a.From}
	case relUntil:
		return Span{To: a.To}
	case relAfter:
		return Span{From: a.To}
	case relSince:
		return Span{From: a.From}
	}
	return a
}

// maxEventDays is the longest time over which an event may be mentioned if the
// question asks for "during" or "around". "During her studies" is no week. Measured
// with the thresholds of recall.
const maxEventDays = 14

// Resolve returns the referenced time for an event dated within some days. Other
// memories of these days are as often after the event as before it. So "before"
// ends with the start of the last day, and "after" begins with the first one.
func (r Reference) Resolve(dated Span) Span {
	if !dated.IsSet() {
		return Span{}
	}
	switch r.Relation {
	case relBefore:
		dated.From = dated.To.AddDate(0, 0, -1)
	case relAfter:
		r.Relation = relSince
	case relDuring, relAround:
		if dated.To.After(dated.From.AddDate(0, 0, maxEventDays)) {
			return Span{}
		}
		margin := daysInWeek / 2
		if r.Relation == relAround {
			margin = daysInWeek
		}
		dated = dated.Extended(margin)
	}
	return r.spanFrom(dated)
}

// relation is the words of a relation in a text.
type relation struct {
	Relation
	entry
	to int // the token after the words
}

// relationsAt returns the relations whose words begin at a token, the longest first. Something
// follows them in the clause.
func (r *reader) relationsAt(at int) (all []relation) {
	for _, e := range r.grammar.words[r.tokens[at].lower] {
		to := at + 1 + len(e.rest)
		if e.class == "relation" && r.hasWords(e.rest, at+1) && r.goesOn(at+1) && r.goesOn(to) {
			all = append(all, relation{Relation(e.value), e, to})
		}
	}
	slices.SortStableFunc(all, func(a, b relation) int { return b.to - a.to })
	return all
}

// readRelation reads a relation to a date that begins at a token. The mention has no words if the
// rest of the question needs the date too, as in "in the week before 3 August".
func (r *reader) readRelation(at int) (m mention, ok bool) {
	for _, rel := range r.relationsAt(at) {
		ref := Reference{Relation: rel.Relation, distance: r.distanceBefore(at)}
		anchor, to := r.anchorAt(rel.to, rel.Relation)
		switch {
		case to == 0:
			continue
		case rel.Relation == relDuring || rel.Relation == relAround:
			return mention{}, true
		case ref.distance > 0:
			return newMention(ref.spanFrom(anchor)), true
		}
		m = newMention(r.upToNow(ref.spanFrom(anchor), rel.Relation, at))
		m.from, m.to = at, to
		return m, true
	}
	return mention{}, false
}

// anchorAt reads the date to which a relation refers. Of a time that recurs, it is the
// latest, or the coming one after "before" and "until" if the question is not about the
// past. A month or year with a noun after it is none: "after the May meeting".
func (r *reader) anchorAt(at int, rel Relation) (anchor Span, to int) {
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
		case len(m.date) == 0 || f.meaning == "list":
			continue
		}
		d := m.date[0]
		isVague := d.day == 0 && (d.month == 0 || d.year == 0)
		if isVague && r.goesOn(f.to) && !language.IsStopWord(r.tokens[f.to].lower) {
			continue
		}
		if rel.isBackward() {
			return d.near(r.now).span(r.now.Location()), f.to
		}
		return d.latestUntil(r.now).span(r.now.Location()), f.to
	}
	return Span{}, 0
}

// distanceBefore reads a distance in time before a token and returns it in
// days: "two weeks" before, "the day" after. A unit without a number counts once.
func (r *reader) distanceBefore(at int) int {
	if !r.goesOn(at) {
		return 0
	}
	for _, e := range r.grammar.words[r.tokens[at-1].lower] {
		if !e.isOf("units", e.language) || len(e.rest) > 0 {
			continue
		}
		days := e.value
		if days == weekend {
			days = daysInWeek // people tell of it until the next one
		}
		return days * max(1, min(r.numberAt(at-2), maxUnits/days))
	}
	return 0
}

// numberAt returns the number in digits or words at a token, or 0.
func (r *reader) numberAt(at int) int {
	if at < 0 {
		return 0
	}
	for _, e := range r.grammar.words[r.tokens[at].lower] {
		if e.class == "number" {
			return e.value
		}
	}
	return parseNumber(r.tokens[at].lower)
}

// upToNow ends a time that began with "since". So does one after a date, in a question
// about what happened. A time before a date begins now, in a question about a plan.
func (r *reader) upToNow(s Span, rel Relation, at int) Span {
	switch when := r.tenseAt(at); {
	case s.From.After(r.today) || !s.To.IsZero() && !s.To.After(r.today):
	case rel == relSince, rel == relAfter && when() == pastTense:
		s.To = daysFrom(r.today, 0, 1).To
	case rel.isBackward() && when() == futureTense:
		s.From = r.today
	}
	return s
}

// maxEventWords is the most words that name an event. A longer clause does more
// than give a time.
const maxEventWords = 9

// maxQuestionWords is the length up to which a text is searched for events. A longer
// one is pasted, and its relations are not about the answer.
const maxQuestionWords = 60

// readEvent reads a relation to an event that begins at a token. It
// returns nil if there is none.
func (r *reader) readEvent(at int) *Reference {
	if len(r.tokens) > maxQuestionWords || r.goesOn(at) && r.is(at-1, "verb with after") {
		return nil
	}
	for _, rel := range r.relationsAt(at) {
		if from, to := rel.to, r.eventEnd(rel); to > from {
			phrase := strings.Join(strings.Fields(r.text[r.tokens[from].from:r.tokens[to-1].to]), " ")
			return &Reference{rel.Relation, r.distanceBefore(at), phrase}
		}
	}
	return nil
}

// eventEnd returns the end of the name of an event behind a relation. It goes up
// to the end of the clause or to the next part of the question. It is 0 if the
// words name no event. After a relation that may be a place the name must begin with a
// determiner. In a language with capital nouns it ends with its noun.
func (r *reader) eventEnd(rel relation) (to int) {
	from := rel.to
	isNounPhrase := r.grammar.capitalNouns&(1<<rel.language) > 0 && r.is(from-1, "before noun")
	if r.is(from, "idiom") || r.is(from-1, "place or time") && !r.startsWithDeterminer(from) {
		return 0
	}
	hasContent, hasNoun := false, false
	for to = from; to < len(r.tokens) && (to == from || !r.tokens[to-1].endsClause); to++ {
		word := r.tokens[to].lower
		isAfterNoun := isNounPhrase && hasNoun && !r.isUpper(to) && !language.IsStopWord(word)
		if to > from && (isAfterNoun || r.is(to, "question word", "next relation") || r.startsPurpose(to)) {
			break
		}
		hasNoun = hasNoun || r.isUpper(to)
		isDuration := language.AllDigits(word) || r.is(to, "unit", "plural unit", "number", "ordinal", "moment")
		hasContent = hasContent || !language.IsStopWord(word) && !isDuration
	}
	if !hasContent || to-from > maxEventWords {
		return 0
	}
	return to
}

// startsPurpose reports whether an infinitive of purpose begins at a token: "after
// the journey to relax", but not "before we moved to Berlin".
func (r *reader) startsPurpose(at int) bool {
	return r.is(at, "purpose") && at+1 < len(r.tokens) && !r.isUpper(at+1) && !r.is(at+1, "determiner")
}

// startsWithDeterminer reports whether an article, a possessive or a name in the genitive is at a
// token.
func (r *reader) startsWithDeterminer(at int) bool {
	isGenitive := r.isUpper(at) && strings.HasSuffix(strings.TrimSuffix(r.tokens[at].text, "'"), "s")
	return r.is(at, "determiner") || isGenitive && r.goesOn(at+1)
}
