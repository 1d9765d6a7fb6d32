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
	before relation = iota + 1
	after
	since
	until
	during
	around
	between // and from … to
)

// String is how an explanation calls it.
func (r relation) String() string {
	return [...]string{"", "before", "after", "since", "until", "during", "around", "between"}[r]
}

// related is a time that a question gives by its relation to something else.
type related struct {
	relation relation
	apart    int    // days between the two, where the question says: "two weeks before"
	phrase   string // what happened, as the question calls it; empty where it is a date
}

// span is the time that is meant, where the other thing took up the time a.
func (r related) span(a span) span {
	switch {
	case r.apart > 0 && (r.relation == before || r.relation == until):
		return span{a.from.AddDate(0, 0, -r.apart), a.to}
	case r.apart > 0:
		return span{a.from, a.to.AddDate(0, 0, r.apart)}
	}
	switch r.relation {
	case before:
		return span{to: a.from}
	case until:
		return span{to: a.to}
	case after:
		return span{from: a.to}
	case since:
		return span{from: a.from}
	}
	return a
}

// relations are what a question says of time in relation to something.
type relations struct {
	spans []span   // of what is a date
	event *related // the first that is none
	rest  string   // the question without the dates of spans, in lower case
}

func relationsOf(text string, now time.Time) relations {
	all := tokensOf(text)
	var found relations
	taken := make([]bool, len(all))
	for i := range all {
		if taken[i] {
			continue
		}
		s, from, to := relatedDate(all, i, now)
		switch {
		case to > 0:
			if s.named() {
				found.spans = append(found.spans, s)
			}
			for k := from; k < to; k++ {
				taken[k] = true
			}
		case found.event == nil && to == 0:
			found.event = eventAt(all, i)
		}
	}
	var rest []string
	for i, t := range all {
		if !taken[i] {
			rest = append(rest, t.low)
		}
	}
	found.rest = strings.Join(rest, " ")
	return found
}

// relatedDate reads a relation to a date that begins at token i: the span that it
// makes, and the tokens of the date. Where the date itself is wanted as well, as
// by "in the week before 3 August", there are none of them; to is 0 where there
// is no date.
func relatedDate(all []token, i int, now time.Time) (s span, from, to int) {
	for _, w := range relationsAt(all[i:]) {
		r := related{relation: w.relation, apart: apartAt(all[:i])}
		from = i + 1 + len(w.rest)
		var anchor span
		var n int
		if w.relation == between {
			anchor, n = betweenDates(all[from:], now)
		} else {
			anchor, n = dateAt(all[from:], now, w.relation == before || w.relation == until)
		}
		switch {
		case n == 0:
		case w.relation == during || w.relation == around:
			return span{}, from, from
		case r.apart > 0:
			return r.span(anchor), from, from
		default:
			return r.span(anchor), from, from + n
		}
	}
	return s, 0, 0
}

// eventAt reads a relation to something that happened; nil: there is none.
func eventAt(all []token, i int) *related {
	if i > 0 && !all[i-1].ends && withAfter[all[i-1].low] {
		return nil
	}
	for _, w := range relationsAt(all[i:]) {
		if w.relation == between || len(all) > longestAsked {
			continue
		}
		if phrase := eventPhrase(all[i+1+len(w.rest):], saysWhere[all[i].low], germanNoun[all[i].low]); phrase != "" {
			return &related{relation: w.relation, apart: apartAt(all[:i]), phrase: phrase}
		}
	}
	return nil
}

// relationsAt are the relations that the words at the beginning of tokens may
// be, the longest first.
func relationsAt(all []token) (found []relationWord) {
	for _, w := range relationWords[all[0].low] {
		if w.begins(all) {
			found = append(found, w)
		}
	}
	return found
}

func (w relationWord) begins(all []token) bool {
	if len(all) < 2+len(w.rest) || all[len(w.rest)].ends {
		return false
	}
	for i, word := range w.rest {
		if all[i].ends || all[i+1].low != word {
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
	if place && !determined(all) {
		return ""
	}
	var words []string
	says, named := false, false
	for i, t := range all {
		first, _ := utf8.DecodeRuneInString(t.raw)
		upper := unicode.IsUpper(first)
		if i > 0 && (asks[t.low] || relates[t.low] || endsPhrase(all[i:]) || noun && named && !upper && !stopWords[t.low]) {
			break
		}
		words, named = append(words, t.raw), named || upper
		says = says || !stopWords[t.low] && !lasting[t.low] && !allDigits(t.low)
		if t.ends {
			break
		}
	}
	if !says || len(words) > longestEvent || idle[strings.ToLower(words[0])] {
		return ""
	}
	return strings.Join(words, " ")
}

// endsPhrase says whether what follows says what for: "after the journey to
// relax", but not "before we moved to Berlin".
func endsPhrase(all []token) bool {
	if all[0].low != "to" || len(all) < 2 {
		return false
	}
	next, _ := utf8.DecodeRuneInString(all[1].raw)
	return unicode.IsLower(next) && !determiners[all[1].low]
}

// determined says whether tokens begin with an article, a possessive, or a name
// in the genitive.
func determined(all []token) bool {
	low := all[0].low
	first, _ := utf8.DecodeRuneInString(all[0].raw)
	return determiners[low] || strings.HasPrefix(low, "l'") || strings.HasPrefix(low, "qu'") ||
		unicode.IsUpper(first) && strings.HasSuffix(strings.TrimSuffix(low, "'"), "s") && len(all) > 1 && !all[0].ends
}
