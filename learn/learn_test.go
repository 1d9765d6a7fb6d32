package learn_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/learn"
)

func TestModelsWereTrainedWithTheExamples(t *testing.T) {
	for _, of := range []struct {
		name  string
		read  func(string) ([]learn.Example, error)
		model *learn.Model
	}{{"gate", learn.ReadGate, learn.Gate()}, {"capture", learn.ReadCapture, learn.Capture()}} {
		examples, err := of.read("examples")
		if err != nil {
			t.Fatal(err)
		}
		if learn.Hash(examples) != of.model.Examples {
			t.Errorf("%s: the examples have changed: run go -C tools run ./learn", of.name)
			continue
		}
		if testing.Short() {
			continue
		}
		want, err := os.ReadFile(of.name + ".model")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := learn.Train(examples).Encode(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: training gives another model: run go -C tools run ./learn (%v)", of.name, err)
		}
	}
}

// The figures are of prompts that the model has not seen. A gate that misses small talk costs a
// search; one that skips a question loses an answer.
func TestHeldBackPrompts(t *testing.T) {
	for _, half := range []struct {
		name           string
		found, skipped int // at least, and at most
	}{{"tune", 98, 1}, {"test", 25, 1}} {
		found, skipped, trivial := 0, 0, 0
		held := read(t, "examples/gate/"+half.name)
		for _, e := range held {
			is := learn.IsTrivial(e.Text)
			switch {
			case e.Label == learn.Trivial && is:
				found++
			case is:
				skipped++
			}
			if e.Label == learn.Trivial {
				trivial++
			}
		}
		t.Logf("%s: found %d of %d trivial prompts, skipped %d of %d others", half.name, found, trivial, skipped, len(held)-trivial)
		if found < half.found || skipped > half.skipped {
			t.Errorf("%s: found %d of %d trivial prompts, skipped %d of %d others", half.name, found, trivial, skipped, len(held)-trivial)
		}
	}
}

func TestNoExampleIsHeldBackToo(t *testing.T) {
	trained := map[string]bool{}
	for _, e := range read(t, "examples/gate/train") {
		if trained[learn.Fold(e.Text)] = true; e.Label != learn.Trivial && e.Label != learn.Needs {
			t.Errorf("%q has an unknown label: %s", e.Text, e.Label)
		}
	}
	for _, e := range slices.Concat(read(t, "examples/gate/tune"), read(t, "examples/gate/test")) {
		if trained[learn.Fold(e.Text)] {
			t.Errorf("%q is learned and held back", e.Text)
		}
	}
}

func TestReadNeedsExamples(t *testing.T) {
	if _, err := learn.Read(filepath.Join("examples", "nothing")); err == nil {
		t.Error("a folder without examples gives no error")
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"Ｔｈａｎｋｓ！":   "thanks!",
		"ﾊｲ ガ":      "はい が",
		"Çà, c’est": "ca, c'est",
		"heyyyy!!!": "heyy!!",
		"good 1000": "good 1000",
		"哈哈哈":       "哈哈哈",
	} {
		if got := learn.Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

func read(t *testing.T, folder string) []learn.Example {
	t.Helper()
	examples, err := learn.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	return examples
}

func BenchmarkIsTrivial(b *testing.B) {
	for name, prompt := range map[string]string{
		"short": "thanks, that did it",
		"long":  strings.Repeat("which of the two ports does the collector use? ", 5),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				learn.IsTrivial(prompt)
			}
		})
	}
}
