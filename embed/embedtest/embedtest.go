// Package embedtest contains the conformance tests for providers ([Run]), a fake
// server for providers over HTTP ([Serve]), and an embedder for other tests
// ([Words]).
package embedtest

import (
	"context"
	"testing"

	"github.com/memory-tiered/memory/embed"
)

// Case is one requirement for every embedder. Check returns an error if an embedder
// does not meet it.
type Case struct {
	Name  string
	Check func(ctx context.Context, e embed.Embedder) error
}

// Run tests an embedder with every case of [Cases]. open returns an embedder that is
// ready to use. Run calls it for each case; open closes resources with t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) embed.Embedder) {
	t.Helper()
	for _, c := range Cases {
		t.Run(c.Name, func(t *testing.T) {
			if err := c.Check(t.Context(), open(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// Cases lists all requirements. Queries and passages may get different vectors. Only
// a few texts in plain words must get a vector that is not zero.
var Cases = []Case{
	{"model and dimension are stable", checkIdentity},
	{"one unit vector per text", checkUnitVectors},
	{"vectors are in the order of the texts", checkOrder},
	{"the same text has the same vector", checkDeterministic},
	{"a batch does not change a vector", checkSingleText},
	{"large batch", checkLargeBatch},
	{"empty batch", checkEmptyBatch},
	{"empty text", checkEmptyText},
	{"long text", checkLongText},
	{"invalid UTF-8", checkInvalidUTF8},
	{"the texts are not modified", checkInputUnchanged},
	{"vectors share no memory", checkNoSharedMemory},
	{"concurrent use", checkConcurrent},
	{"cancelled context", checkCancelled},
	{"similar texts have closer vectors", checkSimilarity},
}

// knownTexts are texts in plain words that every model knows.
var knownTexts = []string{
	"The cat sleeps on the kitchen chair.",
	"We deploy the server every Friday morning.",
	"She prefers green tea without sugar.",
	"The invoice was paid in March.",
}
