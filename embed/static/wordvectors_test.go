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
	e, err := static.New()
	if err != nil {
		t.Fatal(err)
	}
	thesaurus, question := e.Thesaurus(), strings.Fields("girl music lessons")
	align := func() float64 { return thesaurus.Align(question)(strings.Fields("daughter violin classes")) }
	before := align()
	many := make([]string, static.MaxWordVectors+100)
	for i := range many {
		many[i] = fmt.Sprintf("x%d", i)
	}
	thesaurus.Align(question)(many)
	if kept := thesaurus.WordVectors(); kept > static.MaxWordVectors {
		t.Errorf("%d words are kept", kept)
	}
	if after := align(); after != before {
		t.Errorf("%v, before other words %v", after, before)
	}
}
