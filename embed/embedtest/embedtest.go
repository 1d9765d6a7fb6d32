// Package embedtest is what every provider of vectors is held to: one suite for
// all ([Run]), and an embedder for the tests of who uses one ([Words]).
package embedtest

import (
	"context"
	"testing"

	"github.com/memory-tiered/memory/embed"
)

// Case is one thing that holds for every embedder. Holds says how it does not.
type Case struct {
	Name  string
	Holds func(ctx context.Context, e embed.Embedder) error
}

// Run holds an embedder to every case of [Cases]. open makes one, ready to use;
// it is asked anew for each case, and what it opens it closes with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) embed.Embedder) {
	t.Helper()
	for _, c := range Cases {
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Holds(t.Context(), open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// Cases lists the whole suite. It never asks that two kinds of text be treated
// alike, nor for a vector of any text in particular but [known] ones.
var Cases = []Case{
	{"says what it is", describes},
	{"unit vectors, one a text", unitVectors},
	{"in order", inOrder},
	{"the same text, the same vector", deterministic},
	{"alone or in a batch", batchOfOne},
	{"a batch of many", manyTexts},
	{"an empty batch", emptyBatch},
	{"an empty text", emptyText},
	{"a long text", longText},
	{"invalid UTF-8", invalidText},
	{"leaves the texts' slice alone", leavesInputAlone},
	{"vectors share no memory", ownMemory},
	{"in concurrent use", concurrent},
	{"a cancelled context", cancelled},
	{"similar texts are closer than others", similarCloser},
}

// known are texts in plain words, of which every model knows something.
var known = []string{
	"The cat sleeps on the kitchen chair.",
	"We deploy the server every Friday morning.",
	"She prefers green tea without sugar.",
	"The invoice was paid in March.",
}
