package scene_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/scene"
)

var day = time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC)

func note(path string, days int, text string, heading ...string) memory.Memory {
	return memory.Memory{Text: text, Path: path, Heading: heading, CreatedAt: day.AddDate(0, 0, days), Trust: memory.TrustTrusted}
}

func captured(ref, text string, days int) memory.Memory {
	m := note("memory/captured/2026-03-12.md", days, text)
	m.SourceRef, m.Source = &ref, memory.SourceAutoCapture
	return m
}

// shown returns the listed scenes, one a line.
func shown(s *scene.Scenes) (all []string) {
	for _, each := range s.Listed() {
		d := s.Describe(each)
		all = append(all, fmt.Sprintf("%s %s: %d", d.Kind, d.Title, d.Memories))
	}
	slices.Sort(all)
	return all
}

func TestScenesOfNotes(t *testing.T) {
	memories := []memory.Memory{
		note("memory/topics/house.md", 0, "The roof is slate", "House"),
		note("memory/topics/house.md", 0, "The heat pump is loud", "House", "Heating"),
		note("memory/topics/house.md", 0, "The boiler is gone", "House", "Heating"),
		note("memory/topics/house.md", 0, "The cellar is damp", "House", "Heating"),
		note("memory/2026-03-12.md", 0, "Ada came for tea"),
		note("memory/2026-03-20.md", 8, "Ada sold her boat"),
		note("memory/2026-04-01.md", 20, "Ada moves to Kiel"),
		note("memory/2026-09-01.md", 173, "Ada called"),
		captured("talk-1 m1", "We fly to Porto in May", 0),
		captured("talk-1 m2", "The hotel is paid", 0),
		captured("talk-1 m3", "Seats are by the window", 0),
		captured("talk-2 m1", "The cat needs a new vet", 0),
	}
	s := scene.New(memories, map[string][]int{"Ada": {4, 5, 6, 7}})
	want := []string{"conversation We fly to Porto in May: 3", "name Ada: 3", "section 2026-03-12: 4", "section House / Heating: 3", "section House: 4"}
	if got := shown(s); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, each := range s.Listed() {
		d := s.Describe(each)
		for line := range strings.SplitSeq(d.Extract, "\n") {
			if !slices.ContainsFunc(each.At, func(i int) bool { return memories[i].Text == line }) {
				t.Errorf("%s: %q is no sentence of its memories", d.Title, line)
			}
		}
		if found := s.Find(each.ID[:6]); len(found) != 1 || found[0] != each {
			t.Errorf("%s is not found by its id", d.Title)
		}
	}
}

// The extract is what stands for the others, not what stands alone, and says nothing twice.
func TestExtractStandsForTheGroup(t *testing.T) {
	var memories []memory.Memory
	for _, text := range []string{
		"Buy milk",
		"The renovation of the roof begins in May",
		"The roof renovation begins in May",
		"The carpenter repairs the roof before the renovation of the kitchen",
		"The kitchen renovation costs 9,000 euros",
		"A heron was at the pond",
	} {
		memories = append(memories, note("a.md", 0, text))
	}
	if got := scene.Extract(memories, 2); len(got) != 2 || slices.Contains(got, 0) || slices.Contains(got, 5) || slices.Equal(got, []int{1, 2}) {
		t.Errorf("chosen are %v", got)
	}
	long := "It rained. " + strings.Repeat("The roof of the house leaks where the slate of the roof is broken. ", 3) + strings.Repeat("We ate soup! ", 3)
	if got := scene.Sentence(long); got != "The roof of the house leaks where the slate of the roof is broken." {
		t.Errorf("%q", got)
	}
}

func FuzzSentence(f *testing.F) {
	f.Add("It rained. ", "屋根が壊れた。\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		text := strings.Repeat(a+b, 300/(len(a+b)+1)+1)
		got := strings.TrimSuffix(scene.Sentence(text), "…")
		if !strings.Contains(text, got) || len(got) > max(len(a+b), 240) {
			t.Errorf("%q is no sentence of %q", got, text)
		}
	})
}

func TestTrustIsTheLeastOfTheMemories(t *testing.T) {
	memories := []memory.Memory{note("a.md", 0, "One"), note("a.md", 0, "Two"), note("a.md", 0, "Three")}
	memories[1].Trust = memory.TrustUntrusted
	s := scene.New(memories, nil)
	if d := s.Describe(s.Listed()[0]); d.Trust != memory.TrustUntrusted {
		t.Errorf("%+v", d)
	}
}

// Whatever is appended later, every scene keeps its id, its title and its memories.
func TestIdentityIsStableUnderGrowth(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		var memories []memory.Memory
		names := map[string][]int{}
		grow := func() {
			at := rapid.IntRange(0, 200).Draw(t, "days after the last") / 100 * 40
			if n := len(memories); n > 0 {
				at += int(memories[n-1].CreatedAt.Sub(day).Hours()) / 24
			}
			m := note("memory/"+day.AddDate(0, 0, at).Format(time.DateOnly)+".md", at, rapid.StringMatching(`[a-e]{1,3} [f-k]{1,3}`).Draw(t, "text"))
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				m.Path = rapid.SampledFrom([]string{"a.md", "b.md"}).Draw(t, "path")
				m.Heading = rapid.SliceOfN(rapid.SampledFrom([]string{"X", "Y"}), 0, 3).Draw(t, "heading")
			case 1:
				ref := rapid.SampledFrom([]string{"s1 1", "s2 1"}).Draw(t, "session")
				m.SourceRef, m.Source = &ref, memory.SourceAutoCapture
			}
			name := rapid.SampledFrom([]string{"Ada", "Ben"}).Draw(t, "name")
			names[name] = append(names[name], len(memories))
			memories = append(memories, m)
		}
		for range rapid.IntRange(3, 20).Draw(t, "before") {
			grow()
		}
		before := scene.New(memories, names)
		for range rapid.IntRange(1, 20).Draw(t, "after") {
			grow()
		}
		after := scene.New(memories, names)
		for _, was := range before.Listed() {
			is := after.Find(was.ID)
			if len(is) != 1 {
				t.Fatalf("%s became %d scenes", was.ID, len(is))
			}
			if before.Describe(was).Title != after.Describe(is[0]).Title {
				t.Errorf("%q became %q", before.Describe(was).Title, after.Describe(is[0]).Title)
			}
			for _, i := range was.At {
				if !slices.Contains(is[0].At, i) {
					t.Errorf("%s lost memory %d", was.ID, i)
				}
			}
		}
	})
}
