package similar_test

import (
	"testing"

	"github.com/memory-tiered/memory/internal/similar"
)

func TestOtherWordsAreAnotherFact(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"an opposite", "The soup is too salty", "The soup is too bland", true},
		{"a comparative", "The shorter path to the mill is closed", "The longer path to the mill is closed", true},
		{"German", "Der Tee ist zu heiß", "Der Tee ist zu kalt", true},
		{"French", "La soupe est trop chaude", "La soupe est trop froide", true},
		{"equal", "The soup is too salty", "The soup is too salty.", false},
		{"a stop word", "The soup is salty", "The soup was salty", false},
		{"a form", "Lena prefers rye bread", "Lena prefer rye bread", false},
		{"a longer form", "Die Suppe ist salzig", "Die Suppe ist salziger", false},
		{"a mistyped word", "The garden shed leaks", "The gerden shed leaks", false},
		{"swapped letters", "The garden shed leaks", "The gadren shed leaks", false},
		{"two other words", "The soup is too salty", "The broth is too briny", true},
		{"a word more", "The soup is too salty", "The onion soup is too salty", true},
		{"another order", "The soup beats the stew", "The stew beats the soup", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := similar.New(tt.a), similar.New(tt.b)
			if got := a.SaysTheSame(&b); got == tt.want {
				t.Errorf("SaysTheSame(%q, %q) = %t", tt.a, tt.b, got)
			}
			if got := b.SaysTheSame(&a); got == tt.want {
				t.Errorf("SaysTheSame(%q, %q) = %t: the order matters", tt.b, tt.a, got)
			}
		})
	}
}
