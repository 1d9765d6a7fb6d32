// Package entity finds the people and things of a workspace by a gazetteer: the names that its
// notes state themselves. It has no pattern for names of its own. A name is the target of a
// [[link]], a #tag, an alias, an email address or a repository. It may also be a title or a
// heading that the texts use as a name, or words that recur with a capital. Each is found in
// all texts.
//
// It is pure, and derives all from the memories that it gets. So whoever asks learns nothing
// from a memory that is hidden from him, and nothing has to be stored or rebuilt.
package entity

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
)

// Notes is what names are found in.
type Notes struct {
	Memories []memory.Memory
	Aliases  map[string][]string // other names of files, by path
	Decided  [][]string          // names of one thing each, the one to show first

	// IsOver reports whether what a memory states holds no longer. nil: all holds.
	IsOver func(*memory.Memory) bool

	OnlyFound bool // leave out names that no memory has
}

// Gazetteer has the names of some notes, and where each is.
type Gazetteer struct {
	things []*thing            // those of most memories first
	named  map[string][]*thing // what a name may mean, by its key
	edges  []knowledge.Edge    // that notes state, and links
	states map[int]bool        // by the memories that state a relation: one of theirs holds
	notes  Notes
}

// Found is a person or thing, and where it is.
type Found struct {
	knowledge.Entity
	At []int // the indexes of the memories about it
}

// New finds the names of some notes.
func New(n Notes) *Gazetteer {
	b := &builder{notes: n, byKey: map[string]*thing{}, titles: map[string]*thing{}, counts: map[string]*count{}}
	b.read()
	b.state()
	b.decide()
	b.recur()
	b.relate()
	b.match()
	g := b.gazetteer()
	b.join(g)
	return g
}

// Entities returns all people and things, those of most memories first.
func (g *Gazetteer) Entities() []Found { return foundOf(g.things) }

// States reports whether a memory states relations between names, and whether one of them holds.
func (g *Gazetteer) States(i int) (states, holds bool) {
	holds, states = g.states[i]
	return states, holds
}

// Find returns what a name means. It is more than one thing if several notes have the name as
// an alias.
func (g *Gazetteer) Find(name string) []Found { return foundOf(g.named[KeyOf(name)]) }

// Like returns the names of other things that have the words of a name, or the beginning of a
// word.
func (g *Gazetteer) Like(name string) (like []string) {
	key := KeyOf(name)
	isLike := func(n string) bool { return key != "" && strings.Contains(" "+KeyOf(n), " "+key) }
	for _, t := range g.things {
		if slices.ContainsFunc(append(t.Aliases, t.Name), isLike) && !slices.Contains(g.named[key], t) {
			like = append(like, t.Name)
		}
	}
	return like
}

func foundOf(things []*thing) (found []Found) {
	for _, t := range things {
		found = append(found, t.Found)
	}
	return found
}

// longestName is the number of words of the longest name.
const longestName = 8

// KeyOf returns the words of a name in the form in which names are compared. It is empty for
// what cannot be a name.
func KeyOf(name string) string {
	words := split(name)
	if len(words) > longestName || !slices.ContainsFunc(words, isEnough) {
		return ""
	}
	return keyOf(words)
}
