package language_test

import (
	"testing"

	"github.com/memory-tiered/memory/recall/language"
)

func TestCapitalsShowNames(t *testing.T) {
	for _, tt := range []struct {
		name, word string
		texts      []string
		want       bool
	}{
		{"inside a sentence", "lena", []string{"The teacher of Lena is ill."}, true},
		{"with a possessive", "lena", []string{"We know Lena’s teacher."}, true},
		{"after a sentence", "lena", []string{"It is done. Lena knows."}, false},
		{"at the beginning of many sentences", "falke", []string{"Falke runs.", "**Falke** is slow.", "Falke: a meter", "It rains. Falke fails."}, true},
		{"in small letters too", "printer", []string{"Printer: jams", "Buy a Printer.", "The printer is old."}, false},
		{"a slip among many", "emil", []string{"ask Emil, Emil and Emil, Emil or Emil", "call Emil, Emil and Emil, Emil or Emil", "emil came"}, true},
		{"part of an address", "jorid", []string{"The key is with Jorid.", "Her mail is jorid.aasen@posteo.example, or info@jorid.example."}, true},
		{"an abbreviation", "pin", []string{"The PIN is 4471.", "Change the PIN."}, false},
		{"part of another word", "ann", []string{"The Annex is closed, Joann says."}, false},
		{"with an umlaut", "özlem", []string{"Frag Özlem."}, true},
		{"nowhere", "lena", []string{"Nothing."}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c language.Capitals
			for _, text := range tt.texts {
				c.Count(text, tt.word)
			}
			if got := c.ShowName(4); got != tt.want {
				t.Errorf("got %v, want %v for %+v", got, tt.want, c)
			}
		})
	}
}
