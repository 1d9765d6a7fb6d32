package similar_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory/internal/similar"
)

func TestOneWordApart(t *testing.T) {
	list := []string{
		"Anna's car needs a new battery", "Anna's auto needs a new battery", "Ben's auto needs a new battery",
		"The garden shed leaks after rain", "The gerden shed leaks after rain", "The shed leaks",
		"The bins leave on Monday morning", "The bins leave on Tuesday morning", "The big tent stands near the mill", "The large tent stands near the mill",
		"Tea comes with milk and honey", "Tea comes with milk and sugar", "Tea comes with milk and lemon", "Tea comes with milk and mint",
	}
	if got, want := similar.OneWordApart(list), []similar.Pair{{First: 0, Second: 1}, {First: 8, Second: 9}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
