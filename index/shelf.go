package index

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// shelf holds memories as the lanes need them, in memory: their words, their
// vectors, and who stands beside whom. It knows no SQL and no lock. A shelf of
// everything is what makes recall fast ([DB.Load]); without one, a shelf of what
// a query could be about is made for it (beside.go), and both rank alike.
type shelf struct {
	model string // whose vectors they are
	dim   int    // of the vectors; 0: there are none

	memories []shelved
	slots    map[memory.ID]int32
	files    map[string][]int32 // a file's memories, by ordinal
	free     []int32            // memory slots that nobody has
	speakers map[string]int     // how many memories each says, by the name as it is written

	leaves  []leaf
	unused  []int32   // leaf slots that nobody has
	gone    int       // leaves taken down that the lists still speak of
	vectors []float32 // dim numbers a leaf
	codes   []uint64  // their signs, a bit a number, lowest first

	ids   map[string]int32 // token → its number
	cut   map[string]int32 // word as written → the number of its token
	words []string         // by number
	lists [][]post         // by number: the leaves that hold the token
	held  []int32          // by number: how many leaves do

	rows   int     // leaves there are
	tokens float64 // in all of them
}

// shelved is one memory.
type shelved struct {
	id         memory.ID // empty: the slot is free
	path       string
	ordinal    int
	heading    string
	prev, next int32 // neighbours under the same heading, or none
	leaves     []int32
	sum        hash // of what the leaves hold
	size       int  // bytes of its text
	speaker    string
	forgotten  bool
	asks       bool // its text ends with a question mark
}

// leaf is one chunk.
type leaf struct {
	owner int32 // the memory's slot, or none
	known bool  // it has a vector that says something
	size  float32
	run   []int32 // its tokens: text, context, parts, with none between the columns
}

// post says how often a leaf's columns hold a token.
type post struct {
	leaf                int32
	text, around, parts uint8
}

const none = int32(-1)

func newShelf(m model) *shelf {
	return &shelf{model: m.name, dim: m.dim, slots: map[memory.ID]int32{}, files: map[string][]int32{}, speakers: map[string]int{},
		ids: map[string]int32{}, cut: map[string]int32{}}
}

// stored is a memory as the tables have it.
type stored struct {
	shelved
	chunks []storedChunk
}

type storedChunk struct {
	text, context, parts string
	vector               []float32
}

// put shelves a memory, in place of what was there of it. Its file has to be
// linked afterwards.
func (s *shelf) put(m stored) {
	at, known := s.slots[m.id]
	if known && m.sum != (hash{}) && s.memories[at].sum == m.sum && len(s.memories[at].leaves) == len(m.chunks) {
		s.leave(at)
		m.leaves = s.memories[at].leaves
	} else {
		if known {
			s.drop(m.id)
		}
		at = s.slot()
		for _, c := range m.chunks {
			m.leaves = append(m.leaves, s.leaf(at, c))
		}
	}
	for i, c := range m.chunks {
		s.setVector(m.leaves[i], c.vector)
	}
	m.prev, m.next = none, none
	s.memories[at] = m.shelved
	s.slots[m.id] = at
	s.files[m.path] = append(s.files[m.path], at)
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
	return int32(len(s.memories) - 1)
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
	s.memories[at] = shelved{prev: none, next: none}
	delete(s.slots, id)
	s.free = append(s.free, at)
}

// link makes neighbours of the memories of a file that stand under the same
// heading.
func (s *shelf) link(path string) {
	all := s.files[path]
	slices.SortFunc(all, func(a, b int32) int { return s.memories[a].ordinal - s.memories[b].ordinal })
	for i, at := range all {
		m := &s.memories[at]
		m.prev, m.next = none, none
		if i > 0 && s.memories[all[i-1]].heading == m.heading {
			m.prev = all[i-1]
		}
		if i+1 < len(all) && s.memories[all[i+1]].heading == m.heading {
			m.next = all[i+1]
		}
	}
}

// leaf makes one of a chunk and enters its tokens into the lists.
func (s *shelf) leaf(owner int32, c storedChunk) int32 {
	at := int32(len(s.leaves))
	if n := len(s.unused); n > 0 {
		at, s.unused = s.unused[n-1], s.unused[:n-1]
	} else {
		s.leaves = append(s.leaves, leaf{})
		s.vectors = append(s.vectors, make([]float32, s.dim)...)
		s.codes = append(s.codes, make([]uint64, s.words64())...)
	}
	l := leaf{owner: owner}
	posts := map[int32]post{}
	count := func(text string, column func(*post) *uint8) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isToken(r) }) {
			id := s.token(word)
			if id == none {
				continue
			}
			l.run = append(l.run, id)
			l.size++
			p := posts[id]
			if n := column(&p); *n < 255 {
				*n++
			}
			posts[id] = p
		}
		l.run = append(l.run, none)
	}
	count(c.text, func(p *post) *uint8 { return &p.text })
	count(c.context, func(p *post) *uint8 { return &p.around })
	count(c.parts, func(p *post) *uint8 { return &p.parts })
	for id, p := range posts {
		p.leaf = at
		s.lists[id] = append(s.lists[id], p)
		s.held[id]++
	}
	s.leaves[at] = l
	s.rows++
	s.tokens += float64(l.size)
	return at
}

// token gives the number of a word's token, a new one where it is new.
func (s *shelf) token(word string) int32 {
	if id, known := s.cut[word]; known {
		return id
	}
	id := none
	if folded := fold(word); folded != "" {
		t := stem(folded)
		var known bool
		if id, known = s.ids[t]; !known {
			t = strings.Clone(t) // not to keep the whole text it was cut from
			id = int32(len(s.words))
			s.ids[t] = id
			s.words, s.lists, s.held = append(s.words, t), append(s.lists, nil), append(s.held, 0)
		}
	}
	s.cut[strings.Clone(word)] = id
	return id
}

// takeDown leaves a chunk's entries in the lists until enough of them are dead.
func (s *shelf) takeDown(at int32) {
	l := &s.leaves[at]
	seen := map[int32]bool{none: true}
	for _, id := range l.run {
		if !seen[id] {
			seen[id] = true
			s.held[id]--
		}
	}
	s.rows--
	s.tokens -= float64(l.size)
	*l = leaf{owner: none}
	const worthIt = 1024 // sweeping looks at every list
	if s.gone++; s.gone > worthIt && s.gone > s.rows/2 {
		s.sweep()
	}
}

// sweep takes the dead out of the lists, so that their slots can be used again.
func (s *shelf) sweep() {
	for id, list := range s.lists {
		s.lists[id] = slices.DeleteFunc(list, func(p post) bool { return s.leaves[p.leaf].owner == none })
	}
	s.unused, s.gone = s.unused[:0], 0
	for at, l := range s.leaves {
		if l.owner == none {
			s.unused = append(s.unused, int32(at))
		}
	}
}
