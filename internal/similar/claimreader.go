package similar

import (
	"slices"
	"strings"
)

// minVerb is the length that an English verb in the past exceeds. Shorter words that end
// in "ed" are mostly something else: "red", "shed", "speed".
const minVerb = 5

// claimReader reads a claim from the first word to the last.
type claimReader struct {
	claim         *claim
	fields, lower []string // as claimFields returns them
	at            int      // the word that is read

	clause         uint8
	breaks         bool // a new part of the sentence begins here
	linked, direct bool // see claimWord
	retiresNext    bool // the next word is a former value
	label          int  // the position after an ordinary word
	clear          bool // a phrase such as "instead of" named it; "from" may tell of a place
}

func newClaimReader(text string) *claimReader {
	r := &claimReader{claim: &claim{}}
	r.fields, r.lower = claimFields(text)
	r.claim.words = make([]claimWord, 0, len(r.lower))
	if len(r.lower) > 0 {
		colon := slices.IndexFunc(r.fields, func(f string) bool { return strings.HasSuffix(f, ":") })
		r.claim.definite = (roles[r.lower[0]] == fillerWord || roles[r.lower[0]] == linkWord) && !titles[r.lower[0]]
		r.claim.labelled = colon > 0
	}
	return r
}

// startClause begins another part of the sentence after a comma, a full stop or a
// bracket. "Was" at its beginning comes before a former value: "at 03:15 (was 02:00)".
func (r *claimReader) startClause() {
	r.breaks = r.at > 0 && (r.fields[r.at][0] == '(' || endsClause(r.fields[r.at-1], r.lower[r.at-1]))
	if !r.breaks {
		return
	}
	r.clause++
	r.claim.hasParts = true
	if formerWords[r.lower[r.at]] && r.at+1 < len(r.lower) && kindOf(r.fields[r.at+1], r.lower[r.at+1], false) != 0 {
		r.claim.change |= becomes
		r.retiresNext = true
		r.at++
	}
}

func endsClause(field, lower string) bool {
	switch field[len(field)-1] {
	case ',', ';', ')', '!', '?':
		return true
	case '.': // after "Dr." and "1." the sentence goes on
		return len(lower) > 3 && roles[lower] != fillerWord && (lower[0] < '0' || lower[0] > '9')
	}
	return false
}

// readPhrase reads a phrase that reports a change.
func (r *claimReader) readPhrase() (found bool) {
	effect, n := matchPhrase(r.lower[r.at:])
	if n == 0 {
		return false
	}
	c := r.claim
	if effect == finishes {
		effect = 0
		if c.change&(declines|denies) != 0 { // "ne … plus", "keine … mehr"
			effect = ends
		}
	}
	c.change |= effect
	r.retire(effect)
	r.at += n
	last := r.at - 1
	r.direct = strings.HasSuffix(r.fields[last], ":") || targetWords[r.lower[last]] && (r.linked || effect&becomes != 0)
	r.linked = r.linked || r.direct
	return true
}

// retire marks the former values that a phrase reports. After a clear one such as "instead
// of", a mere "from" does not count: "the train from Oslo leaves from track 4 instead of 6".
func (r *claimReader) retire(effect change) {
	isClear := effect&(retires|retired) != 0 && effect&becomes != 0
	if isClear && !r.clear {
		r.clear = true
		for i := range r.claim.words {
			r.claim.words[i].retired = false
		}
	}
	if effect&retired != 0 {
		r.retireLast()
	}
	r.retiresNext = effect&retires != 0 && (isClear || !r.clear)
}

// retireLast marks the value before a phrase such as "was replaced by".
func (r *claimReader) retireLast() {
	for i := len(r.claim.words) - 1; i >= 0; i-- {
		w := &r.claim.words[i]
		if i < len(r.claim.words)-1 && w.kind&name == 0 {
			return
		}
		w.retired, r.claim.hasRetired = true, true
	}
}

// readWord reads a word that is in no phrase.
func (r *claimReader) readWord() {
	c, i := r.claim, r.at
	word, field := r.lower[i], r.fields[i]
	r.at++
	switch roleOf(word) {
	case homeWord:
		c.lives = true
	case linkWord:
		r.linked, r.direct = true, !wasWords[word]
		c.links, c.event = true, c.event || pastWords[word]
	case fillerWord:
		isTarget := targetWords[word] && c.change&becomes != 0
		r.linked = r.linked || isTarget
		r.direct = r.direct && determiners[word] || isTarget
	case arrowWord:
		r.readArrow()
	default:
		first := i == 0 || r.breaks && strings.ContainsAny(r.fields[i-1][len(r.fields[i-1])-1:], ".!?")
		if !r.readVerb(word) {
			kind := kindOf(field, word, first)
			r.addWord(claimWord{kind: kind, capital: first && kind|kindOf(field, word, false) != kind}, word)
		}
	}
}

// readVerb reads a verb in the past. It reports a change if a number or day comes after
// "to": "bumped the timeout to 60 s", "the launch drifted to May".
func (r *claimReader) readVerb(word string) (found bool) {
	if len(word) <= minVerb || !strings.HasSuffix(word, "ed") {
		return false
	}
	for k := r.at; k+1 < len(r.lower) && (k == r.at || r.at == 1); k++ {
		if r.lower[k] == "to" && kindOf(r.fields[k+1], r.lower[k+1], false)&(number|day) != 0 {
			r.claim.change |= becomes
			return true
		}
	}
	return false
}

// readArrow reads the arrow between a former number and its successor: "20:00 → 21:30".
func (r *claimReader) readArrow() {
	c := r.claim
	if r.at == len(r.lower) || kindOf(r.fields[r.at], r.lower[r.at], false)&number == 0 || c.change&becomes != 0 {
		return
	}
	for i := len(c.words) - 1; i >= max(0, len(c.words)-2); i-- { // its unit may come between
		if w := &c.words[i]; w.kind&number != 0 {
			w.retired, c.hasRetired = true, true
			c.change |= becomes
			return
		}
	}
}

// addWord adds the word that was read last to the claim.
func (r *claimReader) addWord(w claimWord, word string) {
	c, i := r.claim, r.at-1
	if thing, found := changedThing(word); found { // "Mieterhöhung"
		c.change |= becomes
		word = thing
	}
	w.stem, w.clause, w.possessor = claimWordStem(word), r.clause, strings.HasSuffix(word, "'s")
	w.afterLink, w.direct, w.retired = r.linked, r.direct, r.retiresNext
	w.listed, w.isLabelled = r.breaks, r.label == i && i > 0
	if w.kind == 0 {
		r.label = r.at
	}
	if i > 0 {
		w.before = r.lower[i-1]
		w.listed = w.listed || w.kind != 0 && listWords[w.before]
	}
	c.event = c.event || len(c.words) < 2 && pastWords[word] || i == 0 && len(word) > minVerb && strings.HasSuffix(word, "ed")
	c.transacts = c.transacts || len(c.words) == 0 && transactions[word]
	c.passes = c.passes || w.kind == 0 && passingStates[word]
	c.words = append(c.words, w)
	c.signature |= bit(w.stem)
	c.hasRetired = c.hasRetired || w.retired
	if strings.HasSuffix(r.fields[i], ":") {
		r.linked, r.direct, r.label = true, true, 0
	} else {
		r.direct = r.direct && w.kind != 0
	}
	// All words of a name and its version are former: "from Royal Canin", "from Postgres 14 to 16".
	r.retiresNext = r.retiresNext && w.kind != 0 && r.at < len(r.lower) && kindOf(r.fields[r.at], r.lower[r.at], false)&(number|name) != 0
}

// claimFields returns the words of a text as they are written, with their punctuation, and
// in small letters without it. French words are cut after their apostrophe: "l'équipe".
func claimFields(text string) (fields, lower []string) {
	n := countWords(text) + 1
	fields, lower = make([]string, 0, n), make([]string, 0, n)
	for field := range strings.FieldsSeq(text) {
		word := trimPunctuation(field)
		if first, rest, cut := strings.Cut(word, "'"); cut && rest != "" && len(first) == 1 && strings.Contains("lLdDnNcCqQ", first) {
			if first == "n" || first == "N" {
				fields, lower = append(fields, "ne"), append(lower, "ne")
			}
			word = rest
		}
		if word != "" {
			fields, lower = append(fields, field), append(lower, strings.ToLower(word))
		}
	}
	return fields, lower
}

// changedThing returns the subject of a German word for its change: "Miete" of
// "Mieterhöhung".
func changedThing(word string) (thing string, found bool) {
	if len(word) < len("erhöhung") || !strings.HasSuffix(word, "ung") && !strings.HasSuffix(word, "wechsel") {
		return word, false
	}
	for _, ending := range []string{"erhöhung", "senkung", "änderung", "verschiebung", "verlegung", "anpassung", "wechsel"} {
		if thing, found = strings.CutSuffix(word, ending); found && len(thing) >= minStem {
			return thing, true
		}
	}
	return word, false
}

// minStem is the shortest word that remains when an ending is cut.
const minStem = 4

// claimWordStem returns the hash by which words of claims are compared.
func claimWordStem(word string) uint64 { return hash(hashSeed, lightStem(claimStem(word))) }

// claimStem cuts what differs between a woman and a man in one office: "Mieter" and
// "Mieterin", "inquilino" and "inquilina".
func claimStem(word string) string {
	if thing, found := strings.CutSuffix(word, "erin"); found && len(thing) >= minStem {
		return thing + "er"
	}
	if last := word[len(word)-1]; len(word) > minStem && (last == 'a' || last == 'o') {
		return word[:len(word)-1]
	}
	return word
}
