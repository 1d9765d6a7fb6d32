package recall

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// sameWords is how many of the words that either of two texts has both must
// have (their Jaccard index) to say the same: one word in five added, taken
// away or exchanged.
const sameWords = 0.8

// shortText is below how many words a text says nothing without its heading:
// "port 5432" under Staging is not "port 5432" under Production.
const shortText = 6

// wording is what a text says, as far as its words tell. Words stand in it by
// their hashes: many texts are compared for one answer, and most of them are far
// apart.
type wording struct {
	order []uint64 // the words that carry meaning, stemmed lightly; the lowest bit says whether one decides by itself
	each  []uint64 // each of them once, sorted; made when it is first asked for
	bits  uint64   // of them, to tell quickly that two texts are far apart
	cjk   bool
	whole uint64 // where it is CJK: all of it, without the punctuation
}

// decides is that bit.
const decides = 1

func wordingOf(m *memory.Memory) wording {
	text := clean(m.Text)
	n := strings.Count(text, " ") + 1
	if n < shortText {
		text = strings.Join(subject(m.Heading), " ") + " " + text
	}
	w := wording{order: make([]uint64, 0, n)}
	for field := range strings.FieldsSeq(text) {
		if isPlain(field) {
			w.add(field, field, false)
			continue
		}
		w.cjk = w.cjk || hasCJK(field)
		if field = unmarked(field); field != "" {
			lower := strings.ToLower(field)
			w.add(field, lower, isSharp(field, lower))
		}
	}
	if w.cjk {
		w.whole = wholeOf(text)
	}
	return w
}

// words are those of a text, each once: one that decides anywhere does.
func (w *wording) words() []uint64 {
	if w.each == nil {
		all := slices.Sorted(slices.Values(w.order))
		w.each = all[:0]
		for i, word := range all {
			if i+1 == len(all) || all[i+1]&^decides != word&^decides {
				w.each = append(w.each, word)
			}
		}
	}
	return w.each
}

// unmarked is a word without the punctuation that it stands in. A dash, or the bar of
// a table, is none.
func unmarked(field string) string {
	field = strings.ReplaceAll(strings.TrimFunc(field, isMark), "’", "'")
	if strings.TrimLeft(field, "-–—|") == "" {
		return ""
	}
	return field
}

func wholeOf(text string) uint64 {
	whole := hashSeed
	for field := range strings.FieldsSeq(text) {
		if field = unmarked(field); field != "" {
			whole = hashOn(hashOn(whole, strings.ToLower(field)), " ")
		}
	}
	return whole
}

// isMark knows the punctuation that a word may stand in.
func isMark(r rune) bool {
	switch r {
	case '.', ',', ';', ':', '!', '?', '…', '。', '，', '！', '？', '、', '"', '\'', '(', ')', '[', ']', '*', '_', '“', '”', '‘', '’':
		return true
	}
	return false
}

func hasCJK(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return scriptOf(r) != noCJK })
}

// isPlain knows what most words are: small letters of ASCII alone.
func isPlain(field string) bool {
	for i := range len(field) {
		if field[i] < 'a' || field[i] > 'z' {
			return false
		}
	}
	return true
}

func (w *wording) add(field, lower string, sharp bool) {
	kind := kindOf(lower)
	acronym := field != lower && len(field) > 1 && field == strings.ToUpper(field)
	if kind == isGlue && !acronym {
		return
	}
	stem := hashOn(hashSeed, lightStem(lower)) &^ decides
	w.bits |= 1 << (stem >> 58)
	if sharp || kind == isDecisive || opposes(lower) {
		stem |= decides
	}
	w.order = append(w.order, stem)
}

// says tells whether two texts are near-duplicates. They never are where they
// differ in a sharp word, or have those in another order.
func (w *wording) says(other *wording) bool {
	if w.cjk || other.cjk { // one character more may be a negation
		return w.cjk && other.cjk && w.whole == other.whole
	}
	// Of sets that have four fifths in common only one of them has at most a ninth
	// of what both count together.
	if far := bits.OnesCount64(w.bits ^ other.bits); 9*far > len(w.order)+len(other.order) {
		return false
	}
	sharp := func(stem uint64) bool { return w.sharp(stem) || other.sharp(stem) }
	return w.common(other) && slices.Equal(only(w.order, sharp), only(other.order, sharp))
}

// find looks for a word, whether or not it decides.
func (w *wording) find(word uint64) (found uint64, known bool) {
	stem := word &^ decides
	at, _ := slices.BinarySearch(w.words(), stem)
	if at < len(w.each) && w.each[at]&^decides == stem {
		return w.each[at], true
	}
	return 0, false
}

func (w *wording) sharp(word uint64) bool {
	found, _ := w.find(word)
	return found&decides != 0
}

func (w *wording) common(other *wording) bool {
	both := 0
	for _, word := range w.words() {
		if _, known := other.find(word); known {
			both++
		}
	}
	either := len(w.words()) + len(other.words()) - both
	return float64(both) >= sameWords*float64(either)
}

// only gives those of some words that are to be kept, as they stand.
func only(list []uint64, keep func(uint64) bool) (kept []uint64) {
	for _, word := range list {
		if keep(word) {
			kept = append(kept, word&^decides)
		}
	}
	return kept
}

// isSharp says whether a word decides by itself what a text is about by the look
// of it: a name, number, date, identifier, operator, contracted negation. A capital letter makes a name
// of a word even where a sentence begins: better two memories that say the same
// than one lost.
func isSharp(field, lower string) bool {
	first, _ := utf8.DecodeRuneInString(field)
	return unicode.IsUpper(first) || !unicode.IsLetter(first) || isIdentifier(field) ||
		strings.ContainsFunc(field, unicode.IsDigit) || strings.HasSuffix(lower, "n't")
}

// opposes finds words that may be the opposite of a shorter one, or of one that
// begins otherwise: unsafe, inactive, disable, enable, decrypt, encrypt.
func opposes(lower string) bool {
	switch lower[0] {
	case 'u', 'i', 'n', 'd', 'e':
	default: // most words
		return false
	}
	for _, prefix := range []string{"un", "in", "im", "dis", "non", "de", "en", "up", "down"} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	return false
}

// lightStem takes off the endings by which the same word differs most.
func lightStem(w string) string {
	const shortest = 4 // what must be left to be still that word
	switch w[len(w)-1] {
	case 's', 'g', 'd', 'e':
	default:
		return w
	}
	for _, ending := range []string{"'s", "ing", "ed", "es", "s"} {
		if stem, ok := strings.CutSuffix(w, ending); ok && utf8.RuneCountInString(stem) >= shortest {
			return strings.TrimSuffix(stem, "e")
		}
	}
	return strings.TrimSuffix(w, "e")
}

// hashSeed and hashOn are FNV-1a, by hand because it runs for every word of every
// candidate.
const hashSeed uint64 = 14695981039346656037

func hashOn(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// kindOfWord is what a word does to what a text says.
type kindOfWord uint8

const (
	isGlue     kindOfWord = iota + 1 // may come and go without a text saying anything else
	isDecisive                       // turns it into something else
)

var kinds = func() map[string]kindOfWord {
	kinds := map[string]kindOfWord{}
	for word := range wordSet(decisive) {
		kinds[word] = isDecisive
	}
	for word := range wordSet(glue) {
		kinds[word] = isGlue
	}
	return kinds
}()

// kindOf looks a word up that looks like one of them: nearly all do not.
func kindOf(word string) kindOfWord {
	if !looks[lookOf(word)] {
		return 0
	}
	return kinds[word]
}

// lookOf is a word's length, and how it begins and ends.
func lookOf(word string) int {
	n := len(word)
	return min(n, 15)<<10 | int(word[0]&31)<<5 | int(word[n-1]&31)
}

var looks = func() (looks [16 << 10]bool) {
	for word := range kinds {
		looks[lookOf(word)] = true
	}
	return looks
}()

const glue = `a an the this that these those is are was were be been am has have had do does did of and also too very just
really so please i my me user
der die das ein eine einen ist sind war und auch el la los las un una es y le les des une est et`

const decisive = `no not never none nobody nothing neither nor without cannot cant dont doesnt didnt wont isnt arent wasnt except
unless only before after until since on off in out up down left right more less most least over under first second third last next
previous old new always sometimes often rarely yes true false allow allowed deny denied start stop begin end open close add remove
enable disable accept reject dislike dislikes hate hates from to with by if instead longer anymore must may can should could would
will he she it they we you his her him them us its their our your
zero one two three four five six seven eight nine ten eleven twelve hundred thousand million once twice half double
january february march april may june july august september october november december monday tuesday wednesday thursday friday
saturday sunday today yesterday tomorrow week weekly month monthly year yearly day daily hour hourly morning afternoon evening night
nicht kein keine keinen nie niemals ohne nur vor nach montag dienstag mittwoch donnerstag freitag samstag sonntag
eins zwei drei vier fünf nunca sin solo antes después lunes martes miércoles jueves viernes sábado domingo
dos tres cuatro cinco ne pas jamais sans avant après lundi mardi mercredi jeudi vendredi samedi dimanche deux trois quatre cinq`
