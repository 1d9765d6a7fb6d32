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
	e, err := static.New()
	if err != nil {
		t.Fatal(err)
	}
	thesaurus := e.Thesaurus()
	if *update {
		src, err := thesaurus.EncodeSimilarWords()
		if err == nil {
			err = os.WriteFile(kinFile, src, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Skip("written; run again to compare")
	}
	words, err := thesaurus.Words()
	if err != nil {
		t.Fatal(err)
	}
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

func TestInvalidSimilarWordsFileIsRefused(t *testing.T) {
	src, err := os.ReadFile(kinFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := static.CheckSimilarWords(src); err != nil {
		t.Fatal(err)
	}
	other := append([]byte(nil), src...)
	other[10]++ // in the digest
	for name, src := range map[string][]byte{
		"empty": nil, "cut short": src[:len(src)-3], "without pairs": src[:100], "longer": append(src, 0), "another model's": other,
	} {
		if err := static.CheckSimilarWords(src); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
