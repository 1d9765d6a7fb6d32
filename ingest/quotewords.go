package ingest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/identity"
)

// The shares of a quote's words that a text must contain so that it may be the one
// that an entry is about. Elsewhere than in the entry's file nearly all are needed, and
// a quote of one or two words is not searched for.
const (
	doubtShareInFile    = 0.5
	doubtShareOfTable   = 0.25 // in the file: people change the cells of a table, and add and remove rows
	doubtShareElsewhere = 0.8
)

// maxComparedTables is how many tables of a file are compared with a quote.
const maxComparedTables = 256

// wordIndex finds the memories that contain words of a quote.
type wordIndex struct {
	all    []candidate
	words  []map[string]bool
	byWord map[string][]int
	byText map[memory.Fingerprint][]int
	tables map[string][]int // by path

	doubters map[memory.ID]int // entries that may be about a memory
}

// maxDoubters is how many entries name one doubtful memory. It is withheld as long as
// one of them stands. With thousands of outdated lines of one pattern, each line fits
// each text, so that all pairs would be their square.
const maxDoubters = 8

// newWordIndex indexes the present ones of some memories.
func newWordIndex(all []candidate, doubters map[memory.ID]int) *wordIndex {
	x := &wordIndex{all: all, words: make([]map[string]bool, len(all)), byWord: map[string][]int{}, byText: map[memory.Fingerprint][]int{},
		tables: map[string][]int{}, doubters: doubters}
	for i, one := range all {
		if !one.present {
			continue
		}
		x.words[i] = map[string]bool{}
		x.byText[one.text] = append(x.byText[one.text], i)
		if chunker.WithoutColumnNames(one.content) != one.content {
			x.tables[one.path] = append(x.tables[one.path], i)
		}
		for _, w := range identity.SplitWords(one.content) {
			x.words[i][w] = true
			x.byWord[w] = append(x.byWord[w], i)
		}
	}
	return x
}

// countDoubters counts the entries that may be about each memory.
func countDoubters(states []*memory.FileState) map[memory.ID]int {
	doubters := map[memory.ID]int{}
	for _, f := range states {
		for _, e := range f.Entries {
			for _, id := range e.Doubtful {
				doubters[id]++
			}
		}
	}
	return doubters
}

// doubtful returns the memories that may be the one that a quote was made from, and
// all copies of their texts. The likely paths are those of the entry and of its memory.
// If the memory was a user's, a text of another user is another one.
// doubtful leaves out those that enough entries name already,
// except one, so that an entry with doubts has at least one.
func (x *wordIndex) doubtful(quote, user string, likelyPaths []string) (ids []memory.ID) {
	q := newQuoteWords(quote)
	slices.SortStableFunc(q.words, func(a, b string) int { return cmp.Compare(len(x.byWord[a]), len(x.byWord[b])) })
	few := int(doubtShareInFile*float64(min(len(q.words), len(q.units)))+0.5) - 1 // so many words are too few
	seen := map[int]bool{}
	named := none
	for _, w := range q.words[:len(q.words)-max(0, few)] {
		x.dropNamed(w)
		for _, i := range x.byWord[w] {
			if seen[i] || user != "" && x.all[i].user != user {
				continue
			}
			seen[i] = true
			share := q.shareIn(x.words[i])
			if !(slices.Contains(likelyPaths, x.all[i].path) && share >= doubtShareInFile || len(q.units) >= minQuoteWords && share >= doubtShareElsewhere) {
				continue
			}
			if x.isNamed(i) {
				named = i
				continue
			}
			ids = x.addCopies(ids, user, i)
		}
	}
	if len(ids) == 0 && named != none {
		ids = x.addCopies(ids, user, named)
	}
	return x.addTables(ids, user, q, likelyPaths)
}

// addTables adds the tables of the likely files that have enough words of a quote. It leaves
// out those that enough entries name already.
func (x *wordIndex) addTables(ids []memory.ID, user string, q quoteWords, likelyPaths []string) []memory.ID {
	for _, path := range likelyPaths {
		tables := x.tables[path]
		for _, i := range tables[:min(len(tables), maxComparedTables)] {
			isOther := user != "" && x.all[i].user != user
			if !isOther && !x.isNamed(i) && !slices.Contains(ids, x.all[i].id) && q.shareIn(x.words[i]) >= doubtShareOfTable {
				ids = x.addCopies(ids, user, i)
			}
		}
	}
	return ids
}

// none is no index of a candidate.
const none = -1

func (x *wordIndex) isNamed(i int) bool { return x.doubters[x.all[i].id] >= maxDoubters }

// dropNamed removes the memories of a word that enough entries name, except the first.
func (x *wordIndex) dropNamed(word string) {
	list := x.byWord[word]
	if len(list) > 1 {
		x.byWord[word] = append(list[:1], slices.DeleteFunc(list[1:], x.isNamed)...)
	}
}

// addCopies adds a memory and the copies of its text, if there is a user only this user's.
func (x *wordIndex) addCopies(ids []memory.ID, user string, i int) []memory.ID {
	for _, same := range x.byText[x.all[i].text] {
		if user != "" && x.all[same].user != user {
			continue
		}
		id := x.all[same].id
		ids = append(ids, id)
		x.doubters[id]++
	}
	return ids
}

// quoteWords are the words of a quote: as texts are compared, and as they stand
// between spaces. A number such as 47-11-08 is one of the latter.
type quoteWords struct {
	words []string
	units [][]string
}

func newQuoteWords(quote string) quoteWords {
	q := quoteWords{words: identity.SplitWords(quote)}
	for _, unit := range distinctWords(strings.ToLower(quote)) {
		if words := identity.SplitWords(unit); len(words) > 0 {
			q.units = append(q.units, words)
		}
	}
	return q
}

// shareIn returns the share of the words that a text contains, 0 to 1: the larger one
// of both ways to count.
func (q quoteWords) shareIn(text map[string]bool) float64 {
	missing := func(w string) bool { return !text[w] }
	words, units := 0, 0
	for _, w := range q.words {
		if text[w] {
			words++
		}
	}
	for _, unit := range q.units {
		if !slices.ContainsFunc(unit, missing) {
			units++
		}
	}
	return max(float64(words)/float64(len(q.words)), float64(units)/float64(len(q.units)))
}
