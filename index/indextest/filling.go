package indextest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
)

func (s *suite) everything() []memory.Memory {
	s.Helper()
	known, err := s.Known(s.Context(), memory.KnownQuery{Paths: s.paths()})
	if err != nil {
		s.Fatal(err)
	}
	var ids []memory.ID
	for _, k := range known {
		ids = append(ids, k.ID)
	}
	slices.Sort(ids)
	memories, err := s.Visible(s.Context(), ids, memory.Predicate{Archive: true, Forgotten: memory.Include})
	if err != nil {
		s.Fatal(err)
	}
	return memories
}

func (s *suite) paths() (paths []string) {
	s.Helper()
	files, err := s.Files(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return paths
}

func (s *suite) twice() {
	first := File("a.md", "one", "two", "three")
	second := Join(File("a.md", "one", "changed"), File("b.md", "three"))
	second.Placements[1].ID = ID("two")
	third := memory.Batch{Removed: []string{"b.md"}, Missing: []memory.ID{ID("three")}}
	for i, b := range []memory.Batch{first, second, third} {
		at := Noon.Add(time.Duration(i) * time.Hour)
		s.apply(at, b)
		before := s.everything()
		s.apply(at.Add(time.Minute), b)
		if after := s.everything(); !reflect.DeepEqual(before, after) {
			s.Errorf("batch %d again:\n got %+v\nwant %+v", i, after, before)
		}
	}
}

func (s *suite) files() {
	b, a := File("b.md", "text"), File("a.md")
	pinned := true
	b.Files[0].Declared = memory.Declared{Tier: memory.TierCold, Since: Noon, SinceDay: true}
	b.Files[0].Defaults = memory.Declared{Scope: "work"}
	b.Files[0].Faults = []memory.Fault{{Path: "b.md", Line: 3, Message: "odd"}}
	b.Files[0].Entries = []memory.Entry{{IDPrefix: "3f8a91c2b7d0", Quote: "text", Line: 4, MatchedID: ID("text"),
		Declared: memory.Declared{Pinned: &pinned}}, {Quote: "of nothing", Line: 5, Path: "c.md"}}
	s.apply(Noon, b)
	s.apply(Noon, a)
	got, err := s.Files(s.Context())
	if want := append(a.Files, b.Files...); err != nil || !reflect.DeepEqual(got, want) {
		s.Errorf("\n got %+v\nwant %+v\n%v", got, want, err)
	}
	s.apply(Noon, memory.Batch{Removed: []string{"b.md"}, Missing: []memory.ID{ID("text")}})
	if got := s.paths(); !slices.Equal(got, []string{"a.md"}) {
		s.Errorf("after removing b.md: %q", got)
	}
}

func (s *suite) known() {
	s.apply(Noon, Join(File("a.md", "stays", "goes"), File("b.md", "elsewhere"), File("c.md", "unasked")))
	s.apply(Noon.Add(time.Hour), Join(File("a.md", "stays"), memory.Batch{Missing: []memory.ID{ID("goes")}}))
	edited := File("b.md", "elsewhere, edited")
	edited.Placements[0].ID = ID("elsewhere")
	s.apply(Noon.Add(time.Hour), edited)

	for _, c := range []struct {
		name string
		q    memory.KnownQuery
		want []string
	}{
		{"nothing", memory.KnownQuery{}, nil},
		{"placed, and last placed", memory.KnownQuery{Paths: []string{"a.md"}}, []string{"stays", "goes"}},
		{"a text it had", memory.KnownQuery{Fingerprints: []memory.Fingerprint{Fingerprint("elsewhere")}}, []string{"elsewhere"}},
		{"missing since then", memory.KnownQuery{MissingSince: Noon.Add(time.Hour)}, []string{"goes"}},
		{"missing before then", memory.KnownQuery{MissingSince: Noon.Add(2 * time.Hour)}, nil},
		{"all of it", memory.KnownQuery{Paths: []string{"a.md"}, Fingerprints: []memory.Fingerprint{Fingerprint("elsewhere")},
			MissingSince: Noon}, []string{"stays", "goes", "elsewhere"}},
	} {
		known, err := s.Known(s.Context(), c.q)
		if err != nil || len(known) != len(c.want) {
			s.Errorf("%s: %d memories, %v", c.name, len(known), err)
		}
		for _, k := range known {
			elsewhere := !k.Missing && !slices.Contains(c.q.Paths, k.Path)
			if !slices.ContainsFunc(c.want, func(text string) bool { return ID(text) == k.ID }) ||
				k.OutsideBatch != elsewhere || k.Missing != (k.ID == ID("goes")) || !slices.Contains(k.PastFingerprints, k.Fingerprint) {
				s.Errorf("%s: %+v", c.name, k)
			}
		}
	}
}

func (s *suite) missing() {
	s.embed("Zebras graze at dawn")
	b := File("a.md", "Zebras graze at dawn")
	s.apply(Noon, b)
	for range 2 {
		s.apply(Noon.Add(time.Hour), memory.Batch{Removed: []string{"a.md"}, Missing: []memory.ID{ID("Zebras graze at dawn")}})
		if a, b := s.byWords(Words("zebras"), memory.Predicate{}, 5), s.byVector("zebras graze", memory.Predicate{}, 5); len(a)+len(b) > 0 {
			s.Errorf("missing, and found by words %q, by vector %q", a, b)
		}
		s.apply(Noon.Add(2*time.Hour), b)
		if a, b := s.byWords(Words("zebras"), memory.Predicate{}, 5), s.byVector("zebras graze", memory.Predicate{}, 5); len(a) != 1 || len(b) != 1 {
			s.Errorf("back, and found by words %q, by vector %q", a, b)
		}
	}
}

// histories edits a handful of files at random, batch by batch, and compares
// with a store that saw only how they ended.
func (s *suite) histories() {
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
		s.step(Noon.Add(time.Duration(step)*time.Second), path, files)
	}
	s.sameAsFresh(files)
}

// sameAsFresh compares with a store that is filled with the files as they are.
func (s *suite) sameAsFresh(files map[string][]string) {
	fresh := &suite{s.T, s.make(s.T), s.make}
	var texts []string
	for _, path := range slices.Sorted(maps.Keys(files)) {
		fresh.step(Noon, path, files)
		texts = append(texts, files[path]...)
	}
	s.embed(texts...)
	fresh.embed(texts...)
	want, got := shown(fresh.everything()), shown(s.everything())
	if !slices.Equal(got, want) || len(want) == 0 {
		s.Errorf("\n got %q\nwant %q", got, want)
	}
	for _, animal := range animals {
		for lane, ask := range map[string]func(*suite) []string{
			"words":  func(s *suite) []string { return s.byWords(Words("fact", animal), memory.Predicate{}, 50) },
			"vector": func(s *suite) []string { return s.byVector("fact about "+animal, memory.Predicate{}, 50) },
		} {
			if want, got := ask(fresh), ask(s); !slices.Equal(got, want) {
				s.Errorf("%s of %s:\n got %q\nwant %q", lane, animal, got, want)
			}
		}
	}
}

// shown is what does not depend on when it was seen.
func shown(memories []memory.Memory) (out []string) {
	for _, m := range memories {
		out = append(out, fmt.Sprintf("%s %s:%d %s %s %v", m.ID, m.Path, m.LineStart, m.Text, m.Tier, m.Forgotten))
	}
	return out
}

var animals = []string{"zebras", "otters", "larks", "newts", "moths", "geese", "voles"}

// step applies one file as it is now. Equal texts in one file are one memory
// with a number, as identity tells them apart.
func (s *suite) step(at time.Time, path string, files map[string][]string) {
	s.Helper()
	lines, there := files[path]
	b := numbered(path, lines)
	if !there {
		b = memory.Batch{Removed: []string{path}}
	}
	s.apply(at, b)
}

func numbered(path string, lines []string) memory.Batch {
	b := File(path, lines...)
	seen := map[string]int{}
	for i, text := range lines {
		b.Placements[i].ID = memory.NewID(Fingerprint(text), seen[text])
		seen[text]++
	}
	return b
}
