// Package scene groups memories into scenes: those of one conversation, and those of one file or
// section. Those of daily notes about one person or thing at one time are a scene too. A memory
// may be in several.
//
// It is pure, and derives all from the memories that it gets, as package entity does. So a scene
// has no word of a memory that is hidden from whoever asks, and nothing has to be stored or
// rebuilt. The id of a scene is that of its conversation, its section or its name and month: new
// memories do not change it.
package scene

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/knowledge"
)

// leastMemories is how many memories make a group a scene that is listed.
const leastMemories = 3

// longestGap separates two scenes about one name. It is as long as the longest month, so that no
// two of them begin in the same month.
const longestGap = 31 * 24 * time.Hour

// Scene is a group of memories.
type Scene struct {
	ID    string
	Kind  string // conversation, section or name
	At    []int  // the indexes of its memories, oldest first
	title string // empty: that of the oldest memory
	depth int    // of its heading
	key   string
}

// Scenes are the groups of some memories.
type Scenes struct {
	memories []memory.Memory
	all      []*Scene
}

// New groups memories. names has the indexes of the memories of daily notes that have a name.
func New(memories []memory.Memory, names map[string][]int) *Scenes {
	s := &Scenes{memories: memories}
	byKey := map[string]*Scene{}
	add := func(i int, of Scene) {
		if byKey[of.key] == nil {
			byKey[of.key] = &of
			s.all = append(s.all, &of)
		}
		byKey[of.key].At = append(byKey[of.key].At, i)
	}
	for i := range memories {
		m := &memories[i]
		if session := sessionOf(m); session != "" {
			add(i, Scene{Kind: "conversation", key: "conversation\x00" + session})
		}
		for depth := range len(m.Heading) + 1 {
			title := cmp.Or(strings.Join(m.Heading[:depth], " / "), nameOf(m))
			add(i, Scene{Kind: "section", title: title, depth: depth, key: strings.Join(append([]string{"section", m.Path}, m.Heading[:depth]...), "\x00")})
		}
	}
	for name, at := range names {
		s.addTimes(name, slices.Clone(at))
	}
	for _, each := range s.all {
		slices.SortFunc(each.At, s.compareAge)
		sum := sha256.Sum256([]byte(each.key))
		each.ID = hex.EncodeToString(sum[:6])
	}
	slices.SortFunc(s.all, func(a, b *Scene) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), b.depth-a.depth, cmp.Compare(a.key, b.key))
	})
	return s
}

// addTimes adds a scene for each time in which notes about a name follow each other.
func (s *Scenes) addTimes(name string, at []int) {
	slices.SortFunc(at, s.compareAge)
	var last *Scene
	for n, i := range at {
		created := s.memories[i].CreatedAt
		if n == 0 || created.Sub(s.memories[at[n-1]].CreatedAt) >= longestGap {
			last = &Scene{Kind: "name", title: name, key: "name\x00" + strings.ToLower(name) + "\x00" + created.UTC().Format("2006-01")}
			s.all = append(s.all, last)
		}
		last.At = append(last.At, i)
	}
}

// compareAge orders the indexes of two memories by their age, and then by their place.
func (s *Scenes) compareAge(i, j int) int {
	a, b := &s.memories[i], &s.memories[j]
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Path, b.Path), a.LineStart-b.LineStart, i-j)
}

// sessionOf returns the conversation of a captured memory, as its mark names it.
func sessionOf(m *memory.Memory) string {
	if m.SourceRef == nil || m.Source != memory.SourceAutoCapture {
		return ""
	}
	session, _, named := strings.Cut(*m.SourceRef, " ")
	if !named {
		return ""
	}
	return session
}

// nameOf returns the name of a memory's file.
func nameOf(m *memory.Memory) string { return strings.TrimSuffix(path.Base(m.Path), path.Ext(m.Path)) }

// Listed returns the groups that are large enough. Of those with the same memories, it returns
// the narrowest.
func (s *Scenes) Listed() (listed []*Scene) {
	seen := map[string]bool{}
	for _, each := range s.all {
		members := fmt.Sprint(each.At)
		if len(each.At) >= leastMemories && !seen[members] {
			seen[members] = true
			listed = append(listed, each)
		}
	}
	return listed
}

// shortestPrefix is how much of an id names a scene.
const shortestPrefix = 4

// Find returns the scenes with an id or a prefix of it, also small ones.
func (s *Scenes) Find(id string) (found []*Scene) {
	for _, each := range s.all {
		if len(id) >= shortestPrefix && strings.HasPrefix(each.ID, strings.ToLower(id)) {
			found = append(found, each)
		}
	}
	return found
}

// longestTitle is the length of a title that is the text of a memory, in characters.
const longestTitle = 60

// Describe returns what a scene shows: its title, its days and its extract, all in the words of
// its memories.
func (s *Scenes) Describe(each *Scene) knowledge.Scene {
	var members []memory.Memory
	var extract []string
	least := memory.TrustTrusted
	for _, i := range each.At {
		m := s.memories[i]
		members = append(members, m)
		least = memory.LowerTrust(least, m.Trust)
	}
	d := knowledge.Scene{ID: each.ID, Kind: each.Kind, Title: each.title, Memories: len(members), Trust: least,
		From: members[0].CreatedAt, To: members[len(members)-1].CreatedAt}
	if d.Title == "" {
		d.Title = cut(members[0].Text, longestTitle)
	}
	for _, i := range Extract(members, ExtractSize) {
		extract = append(extract, Sentence(members[i].Text))
	}
	d.Extract = strings.Join(extract, "\n")
	return d
}

// cut returns the first line of a text, in at most some characters.
func cut(text string, most int) string {
	line, _, _ := strings.Cut(text, "\n")
	if runes := []rune(line); len(runes) > most {
		return strings.TrimSpace(string(runes[:most-1])) + "…"
	}
	return line
}
