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
		{"Which versions did we release before Emil turned nine?", ""},
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

func TestPossibleNames(t *testing.T) {
	for _, tt := range []struct{ ask, want string }{
		{"what can lena not eat?", "lena eat"},
		{"Merkur database", "merkur database"},
		{"what does lena's friend like", "lena friend like"},
		{"who fixes the printer in my office", "fixes"},
		{"What can Lena not eat?", "eat"},
		{"tell me about lena 7b", "lena"},
	} {
		t.Run(tt.ask, func(t *testing.T) {
			in := question.ParseIntent(question.Parse(tt.ask), nil, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
			if got := in.PossibleNames(tt.ask); !slices.Equal(got, strings.Fields(tt.want)) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPhrases(t *testing.T) {
	for _, tt := range []struct{ ask, want string }{
		{"What is the PIN of the old house alarm?", "old house"},
		{"Is our summer house's key in my desk drawer?", "summer house, desk drawer"},
		{"Where is the key?", ""},
		{"Which old house has a key?", ""},
		{"Where is the box of the boiler?", ""},
	} {
		in := question.ParseIntent(question.Parse(tt.ask), nil, time.Time{})
		var got []string
		for _, pair := range in.Phrases(tt.ask) {
			got = append(got, strings.Join(pair, " "))
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%q: got %q, want %q", tt.ask, got, tt.want)
		}
	}
}

func TestStopWordNames(t *testing.T) {
	for _, tt := range []struct{ ask, want string }{
		{"When does Will work?", "will"},
		{"Who is Kein & Kein?", "kein"},
		{"Where is An's desk?", "an"},
		{"Will it rain? Will you go?", ""},
		{"When do I go?", ""},
		{"Wo haben Sie den Schlüssel?", ""},
		{"What Is The Code Of The Door?", ""},
		{"Is it IN or OUT?", ""},
		{"Who teaches Lena?", ""},
	} {
		if got := question.StopWordNames(tt.ask); !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%q: got %q, want %q", tt.ask, got, tt.want)
		}
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
