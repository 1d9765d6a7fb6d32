package index

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// shelf holds memories as the lanes need them, in memory: their words, their
// vectors, who stands beside whom, and what is shown of them. It knows no SQL
// and no lock. A shelf of everything is what makes recall fast ([DB.Load]);
// without one, a shelf of what a query could be about is made for it
// (beside.go), and both rank alike.
type shelf struct {
	model string // whose vectors they are
	dim   int    // of the vectors; 0: there are none

	memories  []shelved
	near      []vicinity         // by slot
	within    []within           // by slot
	blocks    [][]int32          // neighbours that are looked at together
	parts     map[string][]int32 // a file's blocks
	emptied   []int32            // blocks that nobody stands in
	forgotten []bool             // by slot
	kinds     []int32            // by slot: the number of what it is like
	most      int32              // the highest of these
	several   []bool             // by slot: it has more than one leaf
	hidden    int                // how many of them are
	slots     map[memory.ID]int32
	files     map[string][]int32 // a file's memories, by ordinal
	free      []int32            // memory slots that nobody has
	speakers  map[string]int     // how many memories each says, by the name as it is written
	shared    sharing

	owners  []int32   // by leaf (a chunk): the memory's slot, or none
	sizes   []float32 // by leaf: how many tokens it has
	lengths []float32 // likewise, in context: more, where its memory has several leaves
	runs    [][]int32 // by leaf: its tokens: text, context, parts, with none between the columns
	unused  []int32   // leaves that nobody has
	gone    int       // leaves taken down that the lists still speak of
	vectors vectors

	lexicon
	lists [][]post // by token: the leaves that hold it
	held  []int32  // by token: how many leaves do

	rows   int     // leaves there are
	tokens float64 // in all of them
}

// shelved is one memory.
type shelved struct {
	shown
	id         memory.ID // empty: the slot is free
	path       string
	ordinal    int
	heading    string
	prev, next int32 // neighbours under the same heading, or none
	leaves     []int32
	sum        hash // of what the leaves hold
	size       int  // bytes of its text
	speaker    string
	asks       bool // its text ends with a question mark
}

// post says that a leaf holds a token.
type post struct {
	leaf   int32
	tf     uint16 // how often, weighed by the columns, in tenths
	answer bool   // its text or parts do, not only what stands round it
}

const none = int32(-1)

func newShelf(m model) *shelf {
	return &shelf{model: m.name, vectors: vectors{dim: m.dim}, dim: m.dim, slots: map[memory.ID]int32{}, files: map[string][]int32{}, parts: map[string][]int32{}, speakers: map[string]int{},
		shared: newSharing(), lexicon: newLexicon()}
}

// stored is a memory on its way from the tables, and made ready: putting it on
// the shelf is quick then, and nobody waits long.
type stored struct {
	shelved
	forgotten bool
	chunks    []storedChunk
}

type storedChunk struct {
	uncut
	vector []float32

	run   []int32
	quick quantised
}

// prepare does what changes nothing on the shelf that a reader sees.
func (s *shelf) prepare(m *stored) {
	for i := range m.chunks {
		c := &m.chunks[i]
		c.quick = quantise(c.vector, s.dim)
		if !s.has(m) {
			c.run = slices.Clip((&cutter{s: s}).cut(nil, &c.uncut))
		}
	}
}

// has says whether the words of a memory are on the shelf as they are now.
func (s *shelf) has(m *stored) bool {
	at, known := s.slots[m.id]
	return known && m.sum != (hash{}) && s.memories[at].sum == m.sum && len(s.memories[at].leaves) == len(m.chunks)
}

// put shelves a memory that was prepared, in place of what was there of it. Its
// file has to be linked afterwards.
func (s *shelf) put(m stored) {
	s.admit()
	at, known := s.slots[m.id]
	if s.has(&m) {
		s.leave(at)
		m.leaves = s.memories[at].leaves
	} else {
		if known {
			s.drop(m.id)
		}
		at = s.slot()
		for i := range m.chunks {
			m.leaves = append(m.leaves, s.leaf(at, &m.chunks[i]))
		}
	}
	for i := range m.chunks {
		s.vectors.set(m.leaves[i], m.chunks[i].quick)
	}
	m.prev, m.next = none, none
	s.memories[at], s.several[at] = m.shelved, len(m.leaves) > 1
	if m.alike != nil { // on a shelf made for one query it is not known
		s.kinds[at], s.most = m.alike.number, max(s.most, m.alike.number)
	}
	s.within[at] = within{none, none}
	s.slots[m.id] = at
	s.files[m.path] = append(s.files[m.path], at)
	s.hide(at, m.forgotten)
	if m.speaker != "" {
		s.speakers[m.speaker]++
	}
}

func (s *shelf) slot() int32 {
	if n := len(s.free); n > 0 {
		at := s.free[n-1]
		s.free = s.free[:n-1]
		return at
	}
	s.memories = append(s.memories, shelved{})
	s.near, s.within = append(s.near, nobody), append(s.within, within{none, none})
	s.forgotten, s.kinds = append(s.forgotten, false), append(s.kinds, 0)
	s.several = append(s.several, false)
	return int32(len(s.memories) - 1)
}

func (s *shelf) hide(at int32, forgotten bool) {
	if s.forgotten[at] {
		s.hidden--
	}
	if forgotten {
		s.hidden++
	}
	s.forgotten[at] = forgotten
}

// leave takes a memory out of its file and its speaker's count.
func (s *shelf) leave(at int32) {
	m := &s.memories[at]
	s.files[m.path] = slices.DeleteFunc(s.files[m.path], func(other int32) bool { return other == at })
	if len(s.files[m.path]) == 0 {
		delete(s.files, m.path)
	}
	if m.speaker != "" {
		if s.speakers[m.speaker]--; s.speakers[m.speaker] == 0 {
			delete(s.speakers, m.speaker)
		}
	}
}

// drop takes a memory down.
func (s *shelf) drop(id memory.ID) {
	at, known := s.slots[id]
	if !known {
		return
	}
	s.leave(at)
	for _, l := range s.memories[at].leaves {
		s.takeDown(l)
	}
	s.hide(at, false)
	s.memories[at] = shelved{prev: none, next: none}
	s.near[at] = nobody
	delete(s.slots, id)
	s.free = append(s.free, at)
}

// leaf gives a chunk a number and enters its tokens into the lists.
func (s *shelf) leaf(owner int32, c *storedChunk) int32 {
	at := int32(len(s.owners))
	if n := len(s.unused); n > 0 {
		at, s.unused = s.unused[n-1], s.unused[:n-1]
	} else {
		s.owners, s.sizes, s.runs = append(s.owners, none), append(s.sizes, 0), append(s.runs, nil)
		s.lengths = append(s.lengths, 0)
		s.vectors.grow()
	}
	s.owners[at], s.runs[at] = owner, c.run
	s.enter(at)
	return at
}

// takeDown leaves a chunk's entries in the lists until enough of them are dead.
func (s *shelf) takeDown(at int32) {
	seen := map[int32]bool{none: true}
	for _, id := range s.runs[at] {
		if !seen[id] {
			seen[id] = true
			s.held[id]--
		}
	}
	s.rows--
	s.tokens -= float64(s.sizes[at])
	s.owners[at], s.sizes[at], s.runs[at] = none, 0, nil
	s.vectors.set(at, quantised{})
	const worthIt = 1024 // sweeping looks at every list
	if s.gone++; s.gone > worthIt && s.gone > s.rows/2 {
		s.sweep()
	}
}

// sweep takes the dead out of the lists, so that their slots can be used again.
func (s *shelf) sweep() {
	for id, list := range s.lists {
		s.lists[id] = slices.DeleteFunc(list, func(p post) bool { return s.owners[p.leaf] == none })
	}
	s.unused, s.gone = s.unused[:0], 0
	for at, owner := range s.owners {
		if owner == none {
			s.unused = append(s.unused, int32(at))
		}
	}
}
