package static_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/internal/property"
)

// TestDotProductIsThatOfScalars compares both implementations: an alignment must not
// depend on the processor.
func TestDotProductIsThatOfScalars(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(rt, "numbers")
		numbers := rapid.SliceOfN(rapid.Float32Range(-10, 10), n, n)
		v, w := numbers.Draw(rt, "v"), numbers.Draw(rt, "w")
		if scalar, built := static.DotProductScalar(v, w), static.DotProduct(v, w); scalar != built {
			rt.Fatalf("%v by scalars, %v as built", scalar, built)
		}
	})
}

// TestManyWordsAlignAsBefore asks for more words than are kept.
func TestManyWordsAlignAsBefore(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: the race detector finds nothing")
	}
	e := static.New()
	thesaurus, question := e.Thesaurus(), strings.Fields("girl music lessons")
	align := func() float64 { return alignOnce(thesaurus, question, strings.Fields("daughter violin classes")) }
	before := align()
	many := make([]string, static.MaxWordPieces+100)
	for i := range many {
		many[i] = fmt.Sprintf("x%d", i)
	}
	alignOnce(thesaurus, question, many)
	if kept := thesaurus.WordPieces(); kept > static.MaxWordPieces {
		t.Errorf("%d words are kept", kept)
	}
	if after := align(); after != before {
		t.Errorf("%v, before other words %v", after, before)
	}
}

// TestAlignmentIsThatOfDotProducts compares texts and questions of any length.
func TestAlignmentIsThatOfDotProducts(t *testing.T) {
	e := static.New()
	thesaurus := e.Thesaurus()
	words := thesaurus.Words()
	words = append(words, "", "zzqx", "kubernetesque", "部署", "naïve", "x-ray", "don't", "[UNK]", "##ing", strings.Repeat("x", 200))
	property.Check(t, func(rt *rapid.T) {
		question, text := rapid.SliceOfN(rapid.SampledFrom(words), 0, 20).Draw(rt, "question"), rapid.SliceOfN(rapid.SampledFrom(words), 0, 40).Draw(rt, "text")
		for _, q := range question { // words that are near to the question's
			for i, w := range thesaurus.SimilarWords(q) {
				if i < 3 {
					text = append(text, w.Text)
				}
			}
		}
		plain := thesaurus.AlignByDotProducts(question)
		for range 2 { // the second time the words of the text are kept
			if got, want := alignOnce(thesaurus, question, text), plain(text); got != want {
				rt.Fatalf("%v, by dot products %v", got, want)
			}
		}
	})
}
