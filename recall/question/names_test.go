package question_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/recall/question"
)

func TestSubjectsAreNames(t *testing.T) {
	for _, tt := range []struct{ ask, want string }{
		{"What can Lena not eat?", "lena"},
		{"Lena's shoes?", "lena"},
		{"Which car does Oma Käthe drive?", "oma käthe"},
		{"What does the user prefer?", "user"},
		{"What happened in November?", ""},
		{"When does Lena swim on Tuesday?", "lena"},
		{"Tell me where it is.", ""},
		{"Where is the key?", ""},
	} {
		t.Run(tt.ask, func(t *testing.T) {
			in := question.ParseIntent(question.Parse(tt.ask), nil, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
			if got := in.Subjects(tt.ask); !slices.Equal(got, strings.Fields(tt.want)) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAsksForAll(t *testing.T) {
	for _, tt := range []struct {
		ask  string
		want bool
	}{
		{"What do you know about Lena?", true},
		{"Tell me about Lena", true},
		{"Was weißt du über Lena?", true},
		{"Lena", true},
		{"Do you remember Lena?", true},
		{"Anything new about Lena?", true},
		{"What do you know about Lena and hazelnuts?", false},
		{"What did Lena write?", false},
	} {
		t.Run(tt.ask, func(t *testing.T) {
			in := question.ParseIntent(question.Parse(tt.ask), nil, time.Time{})
			in.DropNames([]string{"lena"})
			if got := in.AsksForAll(); got != tt.want {
				t.Errorf("got %v, want %v for the terms %v", got, tt.want, in.Terms)
			}
		})
	}
}

func TestProperNames(t *testing.T) {
	for _, tt := range []struct{ ask, want string }{
		{"Which car does Tomasz drive?", "tomasz"},
		{"Where are Ann's skis, and who has PostgreSQL?", "ann postgresql"},
		{"What does GDPR force us to delete?", ""},
		{"Is it open on Tuesday or in November?", ""},
		{"Which paint was it? Basically any will do.", ""},
		{"Wann haben wir mit Lena im Garten gearbeitet?", ""},
		{"Please remind me " + strings.Repeat("of this and that ", 6) + "for Tomasz", ""},
	} {
		t.Run(tt.ask, func(t *testing.T) {
			in := question.ParseIntent(question.Parse(tt.ask), nil, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
			if got := in.ProperNames(); !slices.Equal(got, strings.Fields(tt.want)) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
