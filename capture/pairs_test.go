package capture_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/capture"
	"github.com/memory-tiered/memory/internal/property"
)

// What a new text does to an older one, as testdata/pairs.tsv has it.
const (
	same     = "same"
	replaces = "replaces"
	stays    = "stays" // both stay: they are related, or a reader has to know more
)

// pair is two texts of testdata/pairs.tsv.
type pair struct{ want, older, newer string }

// readPairs returns the pairs in two halves: the rules were tuned on the first one only.
func readPairs(t *testing.T) (halves [2][]pair) {
	t.Helper()
	data, err := os.ReadFile("testdata/pairs.tsv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		if f[0] != same && f[0] != replaces {
			f[0] = stays
		}
		halves[n%2] = append(halves[n%2], pair{f[0], f[2], f[3]})
		n++
	}
	return halves
}

// relate returns what a new text does to an older one. Vectors cannot tell the order of words,
// so a cosine of 1 says nothing.
func relate(t interface{ Fatal(...any) }, newer, older string, cosine float64) string {
	known := []capture.Known{{Memory: memory.Memory{Text: older}, Cosine: cosine}}
	relations, err := capture.Similarity{}.Compare(context.Background(), newer, known)
	switch {
	case err != nil:
		t.Fatal(err)
	case relations[0].Same:
		return same
	case relations[0].Replaces:
		return replaces
	}
	return stays
}

// TestPairsOfTexts measures pairs of six languages. It names none of the test half, so that no
// rule is fitted to them. A text that is lost is worse than one that is kept beside another.
func TestPairsOfTexts(t *testing.T) {
	for i, name := range []string{"tune", "test"} {
		t.Run(name, func(t *testing.T) {
			for _, cosine := range []float64{0, 1} {
				found, all, wrong := map[string]int{}, map[string]int{}, 0
				for _, p := range readPairs(t)[i] {
					got := relate(t, p.newer, p.older, cosine)
					all[p.want]++
					switch got {
					case p.want:
						found[got]++
					case stays:
					default:
						wrong++
					}
				}
				t.Logf("cosine %v: found %v of %v, %d wrong", cosine, found, all, wrong)
				if wrong > 0 || found[same] < all[same] || 10*found[replaces] < 6*all[replaces] {
					t.Errorf("cosine %v: found %v of %v, %d wrong", cosine, found, all, wrong)
				}
			}
		})
	}
}

// subjects are words of several languages that mean something in every place.
var subjects = []string{"tea", "coffee", "Bath", "Bristol", "perro", "gato", "Katze", "Hund", "train", "voiture", "8080", "Monday", "prefers", "before", "over"}

// TestAnotherOrderIsNeverTheSame covers every text of some words, in every other order.
func TestAnotherOrderIsNeverTheSame(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.SampledFrom(subjects), 3, 8, rapid.ID).Draw(t, "words")
		order := rapid.Permutation(words).Draw(t, "order")
		older, newer := strings.Join(words, " "), strings.Join(order, " ")
		want := stays
		if slices.Equal(words, order) {
			want = same
		}
		if got := relate(t, newer, older, 1); got != want {
			t.Fatalf("%q after %q: %s", newer, older, got)
		}
	})
}

// TestOppositeIsNeverTheSame covers every place of a negation.
func TestOppositeIsNeverTheSame(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.SampledFrom(subjects), 3, 8, rapid.ID).Draw(t, "words")
		at := rapid.IntRange(0, len(words)).Draw(t, "at")
		no := rapid.SampledFrom([]string{"not", "never", "no", "nicht", "kein", "pas", "nunca", "don't", "without"}).Draw(t, "no")
		plain, negated := strings.Join(words, " "), strings.Join(slices.Insert(slices.Clone(words), at, no), " ")
		for _, p := range [][2]string{{plain, negated}, {negated, plain}} {
			if got := relate(t, p[0], p[1], 1); got != stays {
				t.Fatalf("%q after %q: %s", p[0], p[1], got)
			}
		}
	})
}
