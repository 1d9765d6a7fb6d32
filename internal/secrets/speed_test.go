package secrets_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/secrets"
)

// BenchmarkFind searches 10,000 characters of prose, with words for secrets among them and without.
func BenchmarkFind(b *testing.B) {
	plain := "We moved the weekly meeting to Tuesday at 10, because Anna teaches on Mondays. "
	for _, bb := range []struct{ name, text string }{
		{"plain", strings.Repeat(plain, 10_000/len(plain))},
		{"named", strings.Repeat(plain+"The password is kept in the vault. ", 10_000/(len(plain)+35))},
	} {
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				secrets.Find(bb.text)
			}
		})
	}
}
