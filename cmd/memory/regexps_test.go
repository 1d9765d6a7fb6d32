package main

import (
	"testing"

	"github.com/memory-tiered/memory/internal/lazyregexp"
)

// TestAllRegularExpressionsAreValid is here because the program has all of them.
func TestAllRegularExpressionsAreValid(t *testing.T) {
	if err := lazyregexp.Check(); err != nil {
		t.Error(err)
	}
}
