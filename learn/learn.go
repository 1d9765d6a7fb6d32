// Package learn alone decides what kind of text a short text is, by a linear classifier that was
// trained with examples in six languages. A wrong answer becomes an example in the folder
// examples; no Go changes. Other packages decide what follows from a kind.
package learn

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/memory-tiered/memory"
)

//go:embed gate.model
var gate []byte

//go:embed capture.model
var capture []byte

// Gate returns the model that tells prompts that no memory can help with, which are trivial,
// from others. It is read at the first call.
var Gate = sync.OnceValue(func() *Model { return mustParse(gate) })

// Capture returns the model that tells what a sentence of a conversation is. Its labels
// are the categories of what is worth keeping, and kinds of what is not. It is read at the first call.
var Capture = sync.OnceValue(func() *Model { return mustParse(capture) })

// minKept is the probability of all categories together from which a sentence counts as worth
// keeping.
const minKept = 0.45

// Category returns the category of what a sentence says that is worth keeping, or "".
func Category(sentence string) (category memory.Category) {
	m, sum, best := Capture(), float32(0), float32(0)
	for i, p := range m.Probabilities(sentence) {
		if c := memory.Category(m.Labels[i]); slices.Contains(memory.Categories, c) {
			if sum += p; p > best {
				best, category = p, c
			}
		}
	}
	if sum < minKept {
		return ""
	}
	return category
}

// Labels of [Gate].
const (
	Trivial = "trivial" // no memory can help
	Needs   = "needs"
)

// MinTrivial is the probability from which a prompt counts as trivial. At 0.5 two of 30 unseen
// trivial prompts more are missed; at 0.3 one of 30 others is skipped.
const MinTrivial = 0.4

// IsTrivial reports whether no memory can help with a prompt in one of the languages of the
// examples.
func IsTrivial(prompt string) bool { return Gate().Probability(prompt, Trivial) >= MinTrivial }

func mustParse(file []byte) *Model {
	m, err := parse(file)
	if err != nil {
		panic(err)
	}
	return m
}
