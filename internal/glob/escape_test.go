package glob_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/internal/glob"
)

func TestEscapedPathMatchesItselfAlone(t *testing.T) {
	for _, name := range []string{"a*b", "a?b", "a[b]", `a\b`, "a-b"} {
		dir := t.TempDir()
		for _, other := range []string{name, "axb", "ab"} {
			if err := os.WriteFile(filepath.Join(dir, other), nil, 0o600); err != nil {
				t.Skip(err) // this system takes no such name
			}
		}
		found, err := filepath.Glob(glob.Escape(filepath.Join(dir, name)))
		if err != nil || len(found) != 1 || filepath.Base(found[0]) != name {
			t.Errorf("%s: %q, %v", name, found, err)
		}
	}
}
