package static_test

import (
	"flag"
	"math"
	"os"
	"testing"

	"github.com/memory-tiered/memory/embed/static"
)

var update = flag.Bool("update", false, "write the file of similar words again")

const kinFile = "memvec-en-256.kin"

// TestSimilarWordsFileIsOfTheModel computes the similar words of every fiftieth word
// again.
func TestSimilarWordsFileIsOfTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: the race detector finds nothing")
	}
	thesaurus := static.New().Thesaurus()
	if *update {
		if err := os.WriteFile(kinFile, thesaurus.EncodeSimilarWords(), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Skip("written; run again to compare")
	}
	words := thesaurus.Words()
	for i := 7; i < len(words); i += 50 {
		got, want := thesaurus.SimilarWords(words[i]), thesaurus.Compute(words[i])
		if len(got) != len(want) {
			t.Fatalf("%s: %d similar words, want %d", words[i], len(got), len(want))
		}
		for j := range want {
			if got[j].Text != want[j].Text || math.Abs(got[j].Weight-want[j].Weight) > 1e-4 {
				t.Errorf("%s: %v, want %v", words[i], got[j], want[j])
			}
		}
	}
}
