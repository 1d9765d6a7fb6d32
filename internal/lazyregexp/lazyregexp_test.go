package lazyregexp_test

import (
	"testing"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// TestInvalidPatternPanicsAtItsFirstUse proves that New compiles nothing.
func TestInvalidPatternPanicsAtItsFirstUse(t *testing.T) {
	broken := lazyregexp.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("an invalid pattern matched")
		}
	}()
	if lazyregexp.Check() == nil {
		t.Error("Check accepts it")
	}
	broken().MatchString("")
}
