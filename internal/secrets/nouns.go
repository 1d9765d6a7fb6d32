package secrets

import "slices"

// noun is what a value beside the words of a section looks like.
type noun struct {
	role   role
	kind   string
	digits int  // of numbers, together; 0: a number is none
	mixed  int  // letters and digits of one word; 0: such a word is none
	plain  bool // ordinary words are a value too, if they follow "is" or the like
}

var allNouns = []noun{
	{password, "password", 4, minMixed, true},
	{pin, "PIN", 4, minMixed, false},
	{cardCode, "card code", 3, 0, false},
	{code, "code", 3, 4, false},
	{token, "token", 0, 8, false},
	{phrases, "recovery phrase", 4, 6, true},
	{login, "credentials", 0, minMixed, false},
}

const (
	reach     = 30 // words between a noun and its value
	nearby    = 12 // words between the two that are a noun together
	minMixed  = 5  // characters of a value of letters and digits
	maxCode   = 8  // the same, of what somebody types to open a door
	minPhrase = 3  // words of a value that reaches to the end of its part of the sentence
	maxPhrase = 24 // words of a recovery phrase
)

// find returns the secrets of a sentence.
func (s sentence) find() (all []finding) {
	s.join()
	for i, w := range s {
		if !w.is(nouns) {
			continue
		}
		for _, n := range allNouns {
			if w.is(n.role) {
				for _, at := range s.beside(i, n) {
					all = append(all, finding{at, n.kind})
				}
			}
		}
	}
	return all
}

// join makes nouns of the words that are one together, such as "wifi" and "key". It takes the
// role of a noun from a word that is a part of another thing: "password manager".
func (s sentence) join() {
	for i := range s {
		if s[i].is(nouns|key) && s.isOther(i) {
			s[i].role &^= nouns | key
		}
	}
	for i := range s {
		switch near := s[max(0, i-nearby):min(len(s), i+nearby)]; {
		case s[i].text == "/" && near.has(account):
			s[i].role |= login
		case s[i].is(key) && near.has(account):
			s[i].role |= password
		case s[i].is(key|opens) && near.has(place):
			s[i].role |= code
		}
	}
}

// isOther reports whether a noun is a part of another thing: "password manager", "hash of the
// password". A database password is a password.
func (s sentence) isOther(i int) bool {
	if s[i].is(other) || i+1 < len(s) && s[i+1].is(other) && !s[i].ends {
		return true
	}
	at := i - 1
	for at >= 0 && s[at].is(small|preposition) && !s[at].is(other|links) {
		at--
	}
	return at >= 0 && at < i-1 && s[at].is(other) && !s[at].ends
}

// beside returns the values of a noun.
func (s sentence) beside(i int, n noun) (spans []span) {
	from, to := s.clause(i)
	if n.digits > 0 {
		spans = s.numbers(from, to, n.digits)
	}
	for j := from; j < to && n.mixed > 0; j++ {
		if s.isMixed(j, n) && (j > i || n.role == code || s.leadsTo(j, i)) {
			spans = append(spans, s[j].span)
		}
	}
	if n.plain && len(spans) == 0 {
		spans = s.plain(i, from, to)
	}
	if len(spans) == 0 && s.isAssigned(i) {
		spans = append(spans, s[i+2].span)
	}
	return spans
}

// isAssigned reports whether a noun is the name of a variable that gets a value: "TOKEN=abcd".
func (s sentence) isAssigned(i int) bool {
	const least = 4 // characters of a value
	if i+2 >= len(s) || s[i+1].text != "=" || s[i+1].from != s[i].to {
		return false
	}
	value := s[i+2]
	return value.from <= s[i].to+2 && len(value.text) >= least && !otherThing().MatchString(value.text)
}

// clause returns the part of the sentence around a word: "…, and the port is 8081" is another one.
func (s sentence) clause(i int) (from, to int) {
	for from = i; from > max(0, i-reach) && !(s[from].is(but) && s[from-1].ends); from-- {
	}
	for to = i + 1; to < min(len(s), i+reach) && !(s[to].is(but) && s[to-1].ends); to++ {
	}
	return from, to
}

// numbers returns the numbers of a part, if they have enough digits together.
func (s sentence) numbers(from, to, least int) (spans []span) {
	digits := 0
	for i := from; i < to; i++ {
		if words, n := s.spelled(i); n >= 3 {
			digits += n
			spans = append(spans, span{s[i].from, s[i+words-1].to})
			i += words - 1
		} else if s[i].digits > 0 && !s.isCounted(i) {
			digits += s[i].digits
			spans = append(spans, s[i].span)
		}
	}
	if digits < least {
		return nil
	}
	return spans
}

// spelled returns how many words at a place are digits or single letters, and how many digits.
func (s sentence) spelled(i int) (words, digits int) {
	for ; i < len(s) && (s[i].is(digit|tens) || len(s[i].text) == 1 && s[i].digits == 0 && !s[i].is(links)); i++ {
		words++
		digits++
		if s[i].is(tens) {
			digits++
		}
	}
	return words, digits
}

// isCounted reports whether a word is a number that counts or orders something, or a part
// of a date: "in 2027", "90 days".
func (s sentence) isCounted(i int) bool {
	return i > 0 && s[i-1].is(counts) && !s[i-1].ends || i+1 < len(s) && s[i+1].is(unit) && !s[i].ends
}

// isMixed reports whether a word of letters and digits may be the value of a noun.
func (s sentence) isMixed(i int, n noun) bool {
	if s[i].mixed < n.mixed || s[i].is(nouns|unit) || s.isCounted(i) {
		return false
	}
	return n.role != code || s[i].mixed <= maxCode && countDigits(s[i].text) >= n.digits
}

// leadsTo reports whether a value leads to its noun: "kumquat7 is the wifi password",
// "kumquat7 as password".
func (s sentence) leadsTo(value, noun int) bool {
	return !s[value].ends && !slices.ContainsFunc(s[value+1:noun], func(w word) bool {
		return w.ends || w.is(function|describes) && !w.is(links|as)
	})
}

// plain returns the ordinary words that are a value: behind a noun and a verb, or before both.
func (s sentence) plain(i, from, to int) []span {
	changed := s[from:to].has(changes)
	for j := i + 1; j < to && !s[j].is(other); j++ {
		if s[j].is(links) || changed && s[j].is(toward) {
			return append(s.ordinary(j+1), s.wordBefore(i, from, to)...)
		}
	}
	if i+1 < to && (s[i+1].quoted || (i+2 == to || s[i+1].ends) && s[from:i].has(account|login|preposition)) {
		return s.ordinary(i + 1)
	}
	return s.wordBefore(i, from, to)
}

// ordinary returns the ordinary words at a place, if they are a value and do not describe one.
func (s sentence) ordinary(from int) []span {
	for from < len(s) && s[from].is(adverb|links) {
		from++
	}
	rest := s[from:min(len(s), from+maxPhrase)]
	n := 0
	for n < len(rest) && rest[n].isPlain() {
		if n++; rest[n-1].ends {
			break
		}
	}
	switch {
	case n == 0:
		return nil
	case rest[0].quoted:
	case rest[0].is(describes) && (n == 1 || rest[1].is(describes)), len(rest[0].text) == 1,
		rest[0].isCJK() && rest.has(describes|function):
		return nil
	}
	for isPhrase := n >= minPhrase || rest[0].quoted; isPhrase && n < len(rest) && !rest[n-1].ends; n++ {
	}
	return []span{{rest[0].from, rest[n-1].to}}
}

// wordBefore returns the ordinary words before their noun.
func (s sentence) wordBefore(i, from, to int) []span {
	isVerb := func(j int) bool { return s[j].is(links) && s[j].text != ":" }
	for v := from; v+1 < to; v++ {
		if !s[v].isPlain() || s[v].is(describes) {
			continue
		}
		start := v
		for start > from && s[start-1].isPlain() && !s[start-1].ends && !s[start-1].is(describes) {
			start--
		}
		isFirst := v < i && (start == from || s[start-1].is(function|links))
		switch {
		case v < i && s[v+1].is(as) && s.leadsTo(v, i), // "sunflower as the password"
			// "sunflower is our password"
			isFirst && isVerb(v+1) && s.leadsTo(v, i) && (i+1 == to || s[i].ends || s[i+1].is(preposition|links)),
			// "dass Sonnenblume das Passwort ist"
			isFirst && s[v+1].is(small) && v+2 == i && i+2 == to && s[i+1].is(links),
			// "dass das Passwort vom WLAN Sonnenblume ist"
			v > i && !s[v-1].is(small|function|preposition|describes) && v+2 == to && isVerb(v+1):
			return []span{{s[start].from, s[v].to}}
		}
	}
	return nil
}

// isPlain reports whether a word may be one of a value.
func (w word) isPlain() bool {
	return !w.is(small|function|preposition|links|as|but|points|nouns|other) && w.digits == 0 && w.text != "/" && !otherThing().MatchString(w.text)
}
