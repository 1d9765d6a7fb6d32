package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/learn"
)

// models is the folder with the models and the examples, seen from here.
const models = "../../learn"

func TestModelsWereTrainedWithTheExamples(t *testing.T) {
	for _, of := range []struct {
		name  string
		read  func(string) ([]example, error)
		model *learn.Model
	}{{"gate", readGate, learn.Gate()}, {"capture", readCapture, learn.Capture()}} {
		examples, err := of.read(models + "/examples")
		if err != nil {
			t.Fatal(err)
		}
		if hashOf(examples) != of.model.Examples {
			t.Errorf("%s: the examples have changed: run go -C tools run ./learn", of.name)
			continue
		}
		if testing.Short() {
			continue
		}
		want, err := os.ReadFile(filepath.Join(models, of.name+".model"))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := encode(train(examples)); err != nil || !bytes.Equal(got, want) {
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
		held := readHalf(t, "gate/"+half.name)
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
	for _, e := range readHalf(t, "gate/train") {
		if trained[learn.Fold(e.Text)] = true; e.Label != learn.Trivial && e.Label != learn.Needs {
			t.Errorf("%q has an unknown label: %s", e.Text, e.Label)
		}
	}
	for _, e := range slices.Concat(readHalf(t, "gate/tune"), readHalf(t, "gate/test")) {
		if trained[learn.Fold(e.Text)] {
			t.Errorf("%q is learned and held back", e.Text)
		}
	}
}

func TestReadNeedsExamples(t *testing.T) {
	if _, err := read(filepath.Join(models, "nothing")); err == nil {
		t.Error("a folder without examples gives no error")
	}
}

func readHalf(t *testing.T, name string) []example {
	t.Helper()
	examples, err := read(filepath.Join(models, "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	return examples
}
