package index_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// all returns all present memories, sorted by id.
func (s *suite) all() []memory.Memory {
	s.Helper()
	known := must.Get(s.Known(s.Context(), identity.KnownQuery{Paths: s.paths()}))(s)
	var ids []memory.ID
	for _, k := range known {
		ids = append(ids, k.ID)
	}
	slices.Sort(ids)
	memories := must.Get(s.Visible(s.Context(), ids, memory.Predicate{Archive: true, Forgotten: memory.Include}))(s)
	return memories
}

func (s *suite) paths() (paths []string) {
	s.Helper()
	files := must.Get(s.Files(s.Context()))(s)
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return paths
}

func (s *suite) testApplyTwice() {
	first := indextest.File("a.md", "one", "two", "three")
	second := indextest.Join(indextest.File("a.md", "one", "changed"), indextest.File("b.md", "three"))
	second.Placements[1].ID = indextest.ID("two")
	third := memory.Batch{Removed: []string{"b.md"}, Missing: []memory.ID{indextest.ID("three")}}
	for i, b := range []memory.Batch{first, second, third} {
		at := indextest.Noon.Add(time.Duration(i) * time.Hour)
		s.apply(at, b)
		before := s.all()
		s.apply(at.Add(time.Minute), b)
		if after := s.all(); !reflect.DeepEqual(before, after) {
			s.Errorf("batch %d applied again:\n got %+v\nwant %+v", i, after, before)
		}
	}
}

func (s *suite) testFiles() {
	b, a := indextest.File("b.md", "text"), indextest.File("a.md")
	pinned := true
	b.Files[0].Declared = memory.Declared{Tier: memory.TierCold, Since: indextest.Noon, SinceDay: true}
	b.Files[0].Defaults = memory.Declared{Scope: "work"}
	b.Files[0].Faults = []memory.Fault{{Path: "b.md", Line: 3, Message: "odd"}}
	b.Files[0].Entries = []memory.Entry{{IDPrefix: "3f8a91c2b7d0", Quote: "text", Line: 4, MatchedID: indextest.ID("text"),
		Declared: memory.Declared{Pinned: &pinned}}, {Quote: "matches none", Line: 5, Path: "c.md"}}
	s.apply(indextest.Noon, b)
	s.apply(indextest.Noon, a)
	got, err := s.Files(s.Context())
	if want := append(a.Files, b.Files...); err != nil || !reflect.DeepEqual(got, want) {
		s.Errorf("\n got %+v\nwant %+v\n%v", got, want, err)
	}
	s.apply(indextest.Noon, memory.Batch{Removed: []string{"b.md"}, Missing: []memory.ID{indextest.ID("text")}})
	if got := s.paths(); !slices.Equal(got, []string{"a.md"}) {
		s.Errorf("after removing b.md: %q", got)
	}
}

func (s *suite) testKnown() {
	s.apply(indextest.Noon, indextest.Join(indextest.File("a.md", "stays", "removed"), indextest.File("b.md", "other file"), indextest.File("c.md", "not queried")))
	s.apply(indextest.Noon.Add(time.Hour), indextest.Join(indextest.File("a.md", "stays"), memory.Batch{Missing: []memory.ID{indextest.ID("removed")}}))
	edited := indextest.File("b.md", "other file, edited")
	edited.Placements[0].ID = indextest.ID("other file")
	s.apply(indextest.Noon.Add(time.Hour), edited)

	for _, c := range []struct {
		name string
		q    identity.KnownQuery
		want []string
	}{
		{"no condition", identity.KnownQuery{}, nil},
		{"current and last place", identity.KnownQuery{Paths: []string{"a.md"}}, []string{"stays", "removed"}},
		{"former text", identity.KnownQuery{Fingerprints: []memory.Fingerprint{indextest.Fingerprint("other file")}}, []string{"other file"}},
		{"missing since the removal", identity.KnownQuery{MissingSince: indextest.Noon.Add(time.Hour)}, []string{"removed"}},
		{"missing since later", identity.KnownQuery{MissingSince: indextest.Noon.Add(2 * time.Hour)}, nil},
		{"all conditions", identity.KnownQuery{Paths: []string{"a.md"}, Fingerprints: []memory.Fingerprint{indextest.Fingerprint("other file")},
			MissingSince: indextest.Noon}, []string{"stays", "removed", "other file"}},
	} {
		known, err := s.Known(s.Context(), c.q)
		if err != nil || len(known) != len(c.want) {
			s.Errorf("%s: %d memories, %v", c.name, len(known), err)
		}
		for _, k := range known {
			outside := !k.Missing && !slices.Contains(c.q.Paths, k.Path)
			if !slices.ContainsFunc(c.want, func(text string) bool { return indextest.ID(text) == k.ID }) ||
				k.OutsideBatch != outside || k.Missing != (k.ID == indextest.ID("removed")) || !slices.Contains(k.PastFingerprints, k.Fingerprint) {
				s.Errorf("%s: %+v", c.name, k)
			}
		}
	}
}

func (s *suite) testMissing() {
	s.embed("Zebras graze at dawn")
	b := indextest.File("a.md", "Zebras graze at dawn")
	s.apply(indextest.Noon, b)
	for range 2 {
		s.apply(indextest.Noon.Add(time.Hour), memory.Batch{Removed: []string{"a.md"}, Missing: []memory.ID{indextest.ID("Zebras graze at dawn")}})
		if a, b := s.byWords(indextest.Words("zebras"), memory.Predicate{}, 5), s.byVector("zebras graze", memory.Predicate{}, 5); len(a)+len(b) > 0 {
			s.Errorf("missing, but found by words %q, by vector %q", a, b)
		}
		s.apply(indextest.Noon.Add(2*time.Hour), b)
		if a, b := s.byWords(indextest.Words("zebras"), memory.Predicate{}, 5), s.byVector("zebras graze", memory.Predicate{}, 5); len(a) != 1 || len(b) != 1 {
			s.Errorf("returned, and found by words %q, by vector %q", a, b)
		}
	}
}

// testHistories edits a few files at random, one batch per edit. It compares the store
// with one that received only the final files.
func (s *suite) testHistories() {
	r := rand.New(rand.NewPCG(7, 11))
	files := map[string][]string{}
	for step := range 150 {
		path := fmt.Sprintf("f%d.md", r.IntN(6))
		switch lines := files[path]; {
		case r.IntN(6) == 0:
			delete(files, path)
		case len(lines) > 0 && r.IntN(2) == 0:
			files[path] = slices.Delete(slices.Clone(lines), 0, 1)
		default:
			files[path] = append(slices.Clone(lines), fmt.Sprintf("%s fact number %d about %s", path, r.IntN(12), animals[r.IntN(len(animals))]))
		}
		s.applyFile(indextest.Noon.Add(time.Duration(step)*time.Second), path, files)
	}
	s.compareWithNew(files)
}

// compareWithNew compares the store with a new one that has the same files.
func (s *suite) compareWithNew(files map[string][]string) {
	fresh := &suite{s.T, s.newStore(s.T), s.newStore}
	var texts []string
	for _, path := range slices.Sorted(maps.Keys(files)) {
		fresh.applyFile(indextest.Noon, path, files)
		texts = append(texts, files[path]...)
	}
	s.embed(texts...)
	fresh.embed(texts...)
	want, got := describe(fresh.all()), describe(s.all())
	if !slices.Equal(got, want) || len(want) == 0 {
		s.Errorf("\n got %q\nwant %q", got, want)
	}
	for _, animal := range animals {
		for lane, find := range map[string]func(*suite) []string{
			"words":  func(s *suite) []string { return s.byWords(indextest.Words("fact", animal), memory.Predicate{}, 50) },
			"vector": func(s *suite) []string { return s.byVector("fact about "+animal, memory.Predicate{}, 50) },
		} {
			if want, got := find(fresh), find(s); !slices.Equal(got, want) {
				s.Errorf("%s of %s:\n got %q\nwant %q", lane, animal, got, want)
			}
		}
	}
}

// describe returns the fields of memories that do not depend on the time.
func describe(memories []memory.Memory) (out []string) {
	for _, m := range memories {
		out = append(out, fmt.Sprintf("%s %s:%d %s %s %v", m.ID, m.Path, m.LineStart, m.Text, m.Tier, m.Forgotten))
	}
	return out
}

var animals = []string{"zebras", "otters", "larks", "newts", "moths", "geese", "voles"}

// applyFile applies the current content of one file, or its removal.
func (s *suite) applyFile(at time.Time, path string, files map[string][]string) {
	s.Helper()
	lines, exists := files[path]
	b := numbered(path, lines)
	if !exists {
		b = memory.Batch{Removed: []string{path}}
	}
	s.apply(at, b)
}

// numbered is [indextest.File] with different ids for equal lines, as package identity makes them.
func numbered(path string, lines []string) memory.Batch {
	b := indextest.File(path, lines...)
	seen := map[string]int{}
	for i, text := range lines {
		b.Placements[i].ID = memory.NewID(indextest.Fingerprint(text), seen[text])
		seen[text]++
	}
	return b
}
