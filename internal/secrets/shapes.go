package secrets

import (
	_ "embed"
	"regexp"
	"sync"

	"github.com/memory-tiered/memory/lang"
)

//go:embed shapes.txt
var shapesFile string

// pattern recognises a secret that needs no word beside it.
type pattern struct {
	kind string
	expr *regexp.Regexp
}

var patterns = sync.OnceValue(func() (all []pattern) {
	for line := range lang.Read(shapesFile) {
		all = append(all, pattern{line.Section, regexp.MustCompile(line.Text)})
	}
	return all
})

// findShapes returns the secrets of a text that show by themselves.
func findShapes(text string) (all []finding) {
	for _, p := range patterns() {
		for _, at := range p.expr.FindAllStringSubmatchIndex(text, -1) {
			found := span{at[len(at)-2], at[len(at)-1]}
			if p.kind != "card number" || passesLuhn(text[found.from:found.to]) {
				all = append(all, finding{found, p.kind})
			}
		}
	}
	return all
}

// passesLuhn reports whether the last digit of a number is the check digit of the
// others by Luhn's formula, as in a card number. Spaces and hyphens do not count.
func passesLuhn(text string) bool {
	sum, n := 0, 0
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] < '0' || text[i] > '9' {
			continue
		}
		d := int(text[i] - '0')
		if n++; n%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0 && sum > 0
}
