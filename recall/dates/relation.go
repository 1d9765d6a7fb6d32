package dates

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory/recall/calendar"
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
	relBetween // also from … to
)

// String returns the name that an explanation shows.
func (r Relation) String() string {
	return [...]string{"", "before", "after", "since", "until", "during", "around", "between"}[r]
}

// Reference is a time given by its relation to a date or an event, the anchor.
type Reference struct {
	Relation Relation
	distance int    // in days from the anchor, as in "two weeks before"; 0: none is given
	Phrase   string // names the event, as written in the question; empty for a date
}

// spanFrom returns the referenced time for an anchor that covers the span a.
func (r Reference) spanFrom(a Span) Span {
	switch {
	case r.distance > 0 && (r.Relation == relBefore || r.Relation == relUntil):
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

// parseDateReference reads a relation to a date that begins at token i. It returns
// the referenced spans and the tokens of the date. The tokens are none if the rest
// of the question needs the date too, as in "in the week before 3 August". to is 0
// if there is no date.
func (r *reader) parseDateReference(i int) (spans []Span, from, to int) {
	tokens := r.tokens
	for _, p := range matchRelations(tokens[i:]) {
		ref := Reference{Relation: p.Relation, distance: parseDistance(tokens[:i])}
		from = i + 1 + len(p.rest)
		if p.Relation == relBetween {
			if between, n := parseDateRange(tokens[from:], true); n > 0 {
				return between.spans(r.now, r.tenseAt(i)), from, from + n
			}
			if spans, n := parseDayRange(tokens[from:], r.now, r.tenseAt(i)); n > 0 {
				return spans, from, from + n
			}
			if span, n := r.weekdayRange(from, true); n > 0 {
				return []Span{span}, from, from + n
			}
			continue
		}
		anchor, n := r.parseAnchor(from, p.Relation)
		switch {
		case n == 0:
		case p.Relation == relDuring || p.Relation == relAround:
			return nil, from, from
		case ref.distance > 0:
			return []Span{ref.spanFrom(anchor)}, from, from
		default:
			return []Span{r.upToNow(ref.spanFrom(anchor), p.Relation, r.tenseAt(i))}, from, from + n
		}
	}
	return nil, 0, 0
}

// parseAnchor reads the date to which a relation refers. Of a time that recurs, it is the
// latest, or the coming one after "before" and "until" if the question is not about the
// past.
func (r *reader) parseAnchor(from int, relation Relation) (Span, int) {
	tokens, when := r.tokens[from:], pastTense
	mayBeFuture := relation == relBefore || relation == relUntil
	if mayBeFuture && r.tenseAt(from)() != pastTense {
		when = futureTense
	}
	choice := func() tense { return when }
	if spans, n := parsePart(tokens, r.now, choice); n > 0 {
		return spans[0], n
	}
	if anchor, n := parseAnchorDate(tokens, r.now, mayBeFuture); n > 0 {
		return anchor, n
	}
	if day, n := parseDayOfMonth(tokens); n > 0 {
		return daysOfMonth(calendar.StartOfDay(r.now), day, choice)[0], n
	}
	return parseAnchorWeekday(tokens, r.now, when)
}

// upToNow ends a time that began with "since". So does one after a date, in a question
// about what happened. A time before a date begins now, in a question about a plan.
func (r *reader) upToNow(s Span, relation Relation, when func() tense) Span {
	today := calendar.StartOfDay(r.now)
	switch {
	case s.From.After(today) || !s.To.IsZero() && !s.To.After(today):
	case relation == relSince, relation == relAfter && when() == pastTense:
		s.To = calendar.Days(today, 0, 1).To
	case (relation == relBefore || relation == relUntil) && when() == futureTense:
		s.From = today
	}
	return s
}

// parseEventReference reads a relation to an event that begins at token i. It
// returns nil if there is none.
func parseEventReference(tokens []token, i int) *Reference {
	if i > 0 && !tokens[i-1].endsClause && phrasalVerbs[tokens[i-1].lower] {
		return nil
	}
	for _, p := range matchRelations(tokens[i:]) {
		if p.Relation == relBetween || len(tokens) > maxQuestionWords {
			continue
		}
		if phrase := eventPhrase(tokens[i+1+len(p.rest):], spatialWords[tokens[i].lower], germanPrepositions[tokens[i].lower]); phrase != "" {
			return &Reference{Relation: p.Relation, distance: parseDistance(tokens[:i]), Phrase: phrase}
		}
	}
	return nil
}

// matchRelations returns the relations that may begin at the first token, the longest
// first.
func matchRelations(tokens []token) (found []relationPhrase) {
	for _, p := range relationPhrases[tokens[0].lower] {
		if p.matches(tokens) {
			found = append(found, p)
		}
	}
	return found
}

// matches reports whether tokens begin with the phrase and go on after it in the
// same clause.
func (p relationPhrase) matches(tokens []token) bool {
	if len(tokens) < 2+len(p.rest) || tokens[len(p.rest)].endsClause {
		return false
	}
	for i, word := range p.rest {
		if tokens[i].endsClause || tokens[i+1].lower != word {
			return false
		}
	}
	return true
}

// eventPhrase returns the name of an event at the beginning of tokens. It goes up
// to the end of the clause or to the next part of the question. It is empty if the
// words name no event. After a spatial relation the phrase must begin with a
// determiner; after a German preposition it ends with its noun.
func eventPhrase(tokens []token, spatial, german bool) string {
	if spatial && !startsWithDeterminer(tokens) {
		return ""
	}
	var words []string
	hasContent, hasNoun := false, false
	for i, t := range tokens {
		first, _ := utf8.DecodeRuneInString(t.text)
		upper := unicode.IsUpper(first)
		if i > 0 && (questionWords[t.lower] || relationStarts[t.lower] || startsPurpose(tokens[i:]) || german && hasNoun && !upper && !language.IsStopWord(t.lower)) {
			break
		}
		words, hasNoun = append(words, t.text), hasNoun || upper
		hasContent = hasContent || !language.IsStopWord(t.lower) && !durationWords[t.lower] && !language.AllDigits(t.lower)
		if t.endsClause {
			break
		}
	}
	if !hasContent || len(words) > maxEventWords || nonEventStarts[strings.ToLower(words[0])] {
		return ""
	}
	return strings.Join(words, " ")
}

// startsPurpose reports whether tokens begin with an infinitive of purpose: "after
// the journey to relax", but not "before we moved to Berlin".
func startsPurpose(tokens []token) bool {
	if tokens[0].lower != "to" || len(tokens) < 2 {
		return false
	}
	next, _ := utf8.DecodeRuneInString(tokens[1].text)
	return unicode.IsLower(next) && !determiners[tokens[1].lower]
}

// startsWithDeterminer reports whether tokens begin with an article, a possessive or
// a name in the genitive.
func startsWithDeterminer(tokens []token) bool {
	lower := tokens[0].lower
	first, _ := utf8.DecodeRuneInString(tokens[0].text)
	return determiners[lower] || strings.HasPrefix(lower, "l'") || strings.HasPrefix(lower, "qu'") ||
		unicode.IsUpper(first) && strings.HasSuffix(strings.TrimSuffix(lower, "'"), "s") && len(tokens) > 1 && !tokens[0].endsClause
}
