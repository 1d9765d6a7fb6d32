package recall

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// relation is how a question places what it asks for in time: before, after,
// since … a date, or something that happened.
type relation uint8

const (
	relBefore relation = iota + 1
	relAfter
	relSince
	relUntil
	relDuring
	relAround
	relBetween // and from … to
)

// String is how an explanation calls it.
func (r relation) String() string {
	return [...]string{"", "before", "after", "since", "until", "during", "around", "between"}[r]
}

// timeReference is a time that a question gives by its relation to something else.
type timeReference struct {
	relation relation
	distance int    // days between the two, where the question says: "two weeks before"
	phrase   string // what happened, as the question calls it; empty where it is a date
}

// spanFrom is the time that is meant, where the other thing took up the time a.
func (r timeReference) spanFrom(a span) span {
	switch {
	case r.distance > 0 && (r.relation == relBefore || r.relation == relUntil):
		return span{a.from.AddDate(0, 0, -r.distance), a.to}
	case r.distance > 0:
		return span{a.from, a.to.AddDate(0, 0, r.distance)}
	}
	switch r.relation {
	case relBefore:
		return span{to: a.from}
	case relUntil:
		return span{to: a.to}
	case relAfter:
		return span{from: a.to}
	case relSince:
		return span{from: a.from}
	}
	return a
}

// timeReferences are what a question says of time in relation to something.
type timeReferences struct {
	spans []span         // of what is a date
	event *timeReference // the first that is none
	rest  string         // the question without the dates of spans, in lower case
}

func parseTimeReferences(text string, now time.Time) timeReferences {
	all := tokenise(text)
	var found timeReferences
	taken := make([]bool, len(all))
	for i := range all {
		if taken[i] {
			continue
		}
		s, from, to := parseDateReference(all, i, now)
		switch {
		case to > 0:
			if s.isSet() {
				found.spans = append(found.spans, s)
			}
			for k := from; k < to; k++ {
				taken[k] = true
			}
		case found.event == nil && to == 0:
			found.event = parseEventReference(all, i)
		}
	}
	var rest []string
	for i, t := range all {
		if !taken[i] {
			rest = append(rest, t.lower)
		}
	}
	found.rest = strings.Join(rest, " ")
	return found
}

// parseDateReference reads a relation to a date that begins at token i: the span that it
// makes, and the tokens of the date. Where the date itself is wanted as well, as
// by "in the week before 3 August", there are none of them; to is 0 where there
// is no date.
func parseDateReference(all []token, i int, now time.Time) (s span, from, to int) {
	for _, w := range matchRelations(all[i:]) {
		r := timeReference{relation: w.relation, distance: parseDistance(all[:i])}
		from = i + 1 + len(w.rest)
		var anchor span
		var n int
		if w.relation == relBetween {
			anchor, n = parseDateRange(all[from:], now)
		} else {
			anchor, n = parseAnchorDate(all[from:], now, w.relation == relBefore || w.relation == relUntil)
		}
		switch {
		case n == 0:
		case w.relation == relDuring || w.relation == relAround:
			return span{}, from, from
		case r.distance > 0:
			return r.spanFrom(anchor), from, from
		default:
			return r.spanFrom(anchor), from, from + n
		}
	}
	return s, 0, 0
}

// parseEventReference reads a relation to something that happened; nil: there is none.
func parseEventReference(all []token, i int) *timeReference {
	if i > 0 && !all[i-1].endsClause && phrasalVerbs[all[i-1].lower] {
		return nil
	}
	for _, w := range matchRelations(all[i:]) {
		if w.relation == relBetween || len(all) > maxQuestionWords {
			continue
		}
		if phrase := eventPhrase(all[i+1+len(w.rest):], spatialWords[all[i].lower], germanPrepositions[all[i].lower]); phrase != "" {
			return &timeReference{relation: w.relation, distance: parseDistance(all[:i]), phrase: phrase}
		}
	}
	return nil
}

// matchRelations are the relations that the words at the beginning of tokens may
// be, the longest first.
func matchRelations(all []token) (found []relationWord) {
	for _, w := range relationWords[all[0].lower] {
		if w.matches(all) {
			found = append(found, w)
		}
	}
	return found
}

func (w relationWord) matches(all []token) bool {
	if len(all) < 2+len(w.rest) || all[len(w.rest)].endsClause {
		return false
	}
	for i, word := range w.rest {
		if all[i].endsClause || all[i+1].lower != word {
			return false
		}
	}
	return true
}

// eventPhrase is what a question calls something that happened: up to the end of
// the clause, or to what is asked of it. Empty where it can be nothing that
// happened. A word that may say where as well (place) needs an article behind it;
// a German noun ends the phrase.
func eventPhrase(all []token, place, noun bool) string {
	if place && !startsWithDeterminer(all) {
		return ""
	}
	var words []string
	says, named := false, false
	for i, t := range all {
		first, _ := utf8.DecodeRuneInString(t.text)
		upper := unicode.IsUpper(first)
		if i > 0 && (questionWords[t.lower] || relationStarts[t.lower] || startsPurpose(all[i:]) || noun && named && !upper && !stopWords[t.lower]) {
			break
		}
		words, named = append(words, t.text), named || upper
		says = says || !stopWords[t.lower] && !durationWords[t.lower] && !allDigits(t.lower)
		if t.endsClause {
			break
		}
	}
	if !says || len(words) > maxEventWords || nonEventStarts[strings.ToLower(words[0])] {
		return ""
	}
	return strings.Join(words, " ")
}

// startsPurpose says whether what follows says what for: "after the journey to
// relax", but not "before we moved to Berlin".
func startsPurpose(all []token) bool {
	if all[0].lower != "to" || len(all) < 2 {
		return false
	}
	next, _ := utf8.DecodeRuneInString(all[1].text)
	return unicode.IsLower(next) && !determiners[all[1].lower]
}

// startsWithDeterminer says whether tokens begin with an article, a possessive, or a name
// in the genitive.
func startsWithDeterminer(all []token) bool {
	low := all[0].lower
	first, _ := utf8.DecodeRuneInString(all[0].text)
	return determiners[low] || strings.HasPrefix(low, "l'") || strings.HasPrefix(low, "qu'") ||
		unicode.IsUpper(first) && strings.HasSuffix(strings.TrimSuffix(low, "'"), "s") && len(all) > 1 && !all[0].endsClause
}
