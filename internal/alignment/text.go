package alignment

import (
	"slices"
	"strings"
)

// Relation is what a newer text does to an older one, the stronger ones last.
type Relation uint8

const (
	Unknown     Relation = iota // they are about different things, as far as their words tell
	Related                     // they are about the same thing
	Contradicts                 // they differ in what they say of it; both may hold
	Replaces                    // the newer one gives it a new value, or ends it
	Same                        // they say the same
)

// Text is a text, ready to be compared with others.
type Text struct {
	line      string
	tokens    []token
	counted   []token    // see words
	set       []uint64   // see stems
	names     uint64     // a hash of the salient ones in their order
	statement *statement // filled by read
}

// Read reads a text, which must be in NFC without invisible characters. Put the heading in
// front of a text that [IsShort] reports.
func Read(text string) *Text {
	t := &Text{line: text, tokens: split(text, loadedLists()), names: hashSeed}
	for i := range t.tokens {
		if w := &t.tokens[i]; w.counts && w.salient {
			t.names = t.names*hashPrime ^ w.stem
		}
	}
	return t
}

// stems returns the stems of the words, sorted and each once.
func (t *Text) stems() []uint64 {
	if t.set == nil {
		t.set = make([]uint64, 0, len(t.tokens))
		for i := range t.tokens {
			if w := &t.tokens[i]; w.counts {
				t.set = append(t.set, w.stem)
			}
		}
		slices.Sort(t.set)
		t.set = slices.Compact(t.set)
	}
	return t.set
}

// words returns the tokens that count: no articles, for example.
func (t *Text) words() []token {
	if t.counted == nil {
		t.counted = slices.DeleteFunc(slices.Clone(t.tokens), func(w token) bool { return !w.counts })
	}
	return t.counted
}

// Compare returns what a newer text does to an older one.
func Compare(newer, older *Text) Relation {
	switch {
	case newer.saysTheSame(older):
		return Same
	case newer.countShared(older) == 0:
		return Unknown
	}
	found := relate(newer.read(), older.read())
	if found == Unknown && newer.sharesSubject(older) {
		return Related
	}
	return found
}

// has reports whether a text has a word with a stem.
func (t *Text) has(stem uint64) bool {
	_, found := slices.BinarySearch(t.stems(), stem)
	return found
}

func (t *Text) read() *statement {
	if t.statement == nil {
		line := strings.TrimSpace(t.line)
		isQuestion := strings.HasSuffix(line, "?") || strings.HasSuffix(line, "？")
		t.statement = readStatement(t.tokens, isQuestion || strings.Contains(line, "\n"))
	}
	return t.statement
}
