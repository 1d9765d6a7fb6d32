package identity_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/internal/property"
)

// TestMain raises the number of generated inputs; -rapid.checks still overrides
// it.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "400"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(m.Run())
}

// TestMatchKeepsInvariantsForAnyInput checks random inputs. Each memory has at
// most one block, no present memory gets lost, and the order of the known
// memories changes nothing.
func TestMatchKeepsInvariantsForAnyInput(t *testing.T) {
	word := rapid.SampledFrom([]string{"", "a", "a b", "a b c d e", "a b c d f", "a b c x y z", "日本語の文", "🎉", "b b b"})
	path := rapid.SampledFrom([]string{"a.md", "b.md", "c.md"})
	label := rapid.SampledFrom([]string{"", "", "x", "y"})
	property.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
		var known []identity.KnownMemory
		for i := range rapid.IntRange(0, 12).Draw(t, "known") {
			text := word.Draw(t, "text")
			k := identity.KnownMemory{ID: memory.NewID(fingerprint(fmt.Sprint(i)), 0), Text: text, Fingerprint: fingerprint(text), Path: path.Draw(t, "path"),
				Ordinal: i, BlockID: label.Draw(t, "label"), FirstSeen: now.Add(-time.Duration(rapid.IntRange(0, 20).Draw(t, "age")) * time.Minute),
				PastFingerprints: []memory.Fingerprint{fingerprint(text)}}
			switch rapid.IntRange(0, 3).Draw(t, "state") {
			case 0:
				k.Missing = true
			case 1:
				k.OutsideBatch, k.Path = true, "other.md"
			case 2:
				k.PastFingerprints = append(k.PastFingerprints, fingerprint(word.Draw(t, "past")))
			}
			known = append(known, k)
		}
		var fresh []identity.NewBlock
		for i := range rapid.IntRange(0, 12).Draw(t, "fresh") {
			text := word.Draw(t, "text")
			fresh = append(fresh, identity.NewBlock{Path: path.Draw(t, "path"), Ordinal: i,
				Block: memory.Block{Text: text, Fingerprint: fingerprint(text), BlockID: label.Draw(t, "label")}})
		}
		r := identity.Match(now, known, fresh)
		checkResult(t, known, fresh, r)
		checkSurvivors(t, known, fresh, r)
		slices.Reverse(known)
		if again := identity.Match(now, known, fresh); !reflect.DeepEqual(r, again) {
			t.Fatalf("with known reversed: %+v, before: %+v", again, r)
		}
	})
}

func checkResult(t *rapid.T, known []identity.KnownMemory, fresh []identity.NewBlock, r identity.Result) {
	if len(r.IDs) != len(fresh) || len(r.Changes) != len(fresh) {
		t.Fatalf("%d ids and %d changes for %d blocks", len(r.IDs), len(r.Changes), len(fresh))
	}
	outcome := map[memory.ID]string{}
	record := func(id memory.ID, what string) {
		if outcome[id] != "" {
			t.Fatalf("%s is %s and %s", id, outcome[id], what)
		}
		outcome[id] = what
	}
	took := map[memory.ID]bool{}
	for _, x := range r.TakeOvers {
		took[x.Elder] = true
		record(x.Younger, "taken over")
	}
	for i, id := range r.IDs {
		record(id, fmt.Sprintf("block %d", i))
	}
	for _, id := range r.Missing {
		record(id, "missing")
	}
	for _, k := range known {
		switch what := outcome[k.ID]; {
		case k.OutsideBatch && what != "" && what != "taken over":
			t.Fatalf("%s is in another file and is %s", k.ID, what)
		case !k.OutsideBatch && !k.Missing && what == "" && !took[k.ID]:
			t.Fatalf("%s (%q) was in the batch and has no outcome", k.ID, k.Text)
		}
	}
}

// checkSurvivors checks that as many copies of a text keep their memories as
// exist before and after.
func checkSurvivors(t *rapid.T, known []identity.KnownMemory, fresh []identity.NewBlock, r identity.Result) {
	before, kept, now := map[string]int{}, map[string]int{}, map[string]int{}
	textOf := map[memory.ID]string{}
	for _, k := range known {
		if len(k.PastFingerprints) > 1 {
			return // it may return to a past text and leave its current text to a copy
		}
		if !k.Missing && !k.OutsideBatch {
			textOf[k.ID] = k.Text
			before[k.Text]++
		}
	}
	for i, f := range fresh {
		now[f.Block.Text]++
		if text, present := textOf[r.IDs[i]]; present && text == f.Block.Text {
			kept[text]++
		}
	}
	for text, n := range before {
		if kept[text] < min(n, now[text]) && len(r.TakeOvers) == 0 {
			t.Fatalf("of %d memories with text %q, which %d blocks have now, %d stayed", n, text, now[text], kept[text])
		}
	}
}

// BenchmarkMatch matches ten thousand changed blocks with ten thousand
// memories. The inputs are the ones that could take quadratic time.
func BenchmarkMatch(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := func(n, vocabulary int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf("w%d", rnd.IntN(vocabulary))
		}
		return out
	}
	edit := func(ws []string) string {
		ws = slices.Clone(ws)
		ws[rnd.IntN(len(ws))] = "changed"
		return strings.Join(ws, " ")
	}
	for name, text := range map[string]func(i int) (string, string){
		"edited": func(int) (string, string) { ws := words(12, 20000); return strings.Join(ws, " "), edit(ws) },
		"common": func(int) (string, string) { ws := words(12, 30); return strings.Join(ws, " "), edit(ws) },
		"one-pattern": func(i int) (string, string) {
			return fmt.Sprintf("service number %d listens here", i), fmt.Sprintf("service number %d listens there", i)
		},
		"same-before": func(i int) (string, string) { return "the same text again", fmt.Sprintf("the same text %d", i) },
		"same":        func(int) (string, string) { return "the same text again", "the same text again" },
		"long":        func(int) (string, string) { ws := words(400, 20000); return strings.Join(ws, " "), edit(ws) },
	} {
		var known []identity.KnownMemory
		var fresh []identity.NewBlock
		for i := range 10_000 {
			was, is := text(i)
			known = append(known, identity.KnownMemory{ID: memory.NewID(fingerprint(was), i), Text: was, Fingerprint: fingerprint(was), Path: "a.md", Ordinal: i})
			fresh = append(fresh, identity.NewBlock{Path: "a.md", Ordinal: i, Block: memory.Block{Text: is, Fingerprint: fingerprint(is)}})
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				identity.Match(time.Time{}, known, fresh[1:])
			}
		})
	}
}
