// Package learn alone decides what kind of text a short text is, by a linear classifier that was
// trained with examples in six languages. A wrong answer becomes an example in the folder
// examples; no Go changes. Other packages decide what follows from a kind.
package learn

import (
	_ "embed"
	"sync"
)

//go:embed gate.model
var gate []byte

// Gate returns the model that tells prompts that no memory can help with, which are trivial,
// from others. It is read at the first call.
var Gate = sync.OnceValue(func() *Model { return mustParse(gate) })

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
