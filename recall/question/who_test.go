package question_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory/recall/question"
)

func TestAsksWho(t *testing.T) {
	for _, tt := range []struct {
		ask  string
		name []string
		want bool
	}{
		{"Who is Ann?", []string{"ann", "lee"}, true},
		{"who's ann lee", []string{"ann", "lee"}, true},
		{"Wer ist Ann?", []string{"ann"}, true},
		{"Who is Ann Lee?", []string{"ann"}, false},
		{"Who is Lee?", []string{"ann", "lee"}, false},
		{"Who is the baker?", []string{"the", "baker"}, false},
		{"Who is Ann? Where does she live?", []string{"ann"}, false},
		{"Where is Ann?", []string{"ann"}, false},
	} {
		in := question.ParseIntent(question.Parse(tt.ask), nil, time.Time{})
		if got := in.AsksWho([][]string{tt.name}); got != tt.want {
			t.Errorf("%q, %q: %v", tt.ask, tt.name, got)
		}
	}
}

func TestIsDefinition(t *testing.T) {
	for _, tt := range []struct {
		ask, text string
		want      bool
	}{
		{"Who is Ann?", "Ann is my niece.", true},
		{"who is ann", "**Ann** is Bert’s niece.", true},
		{"Who is Ann Lee?", "Ann Lee, our baker, closes at six.", true},
		{"Wer ist Ann?", "Ann ist unsere Nachbarin.", true},
		{"What is Merkur?", "Merkur is a tool for dentists.", true},
		{"Who is Ann?", "Ann is ill.", false},
		{"Who is Ann?", "Ann's teacher is the wife of Bert.", false},
		{"Who is Ann?", "Ann bakes.", false},
		{"Where is Ann?", "Ann is my niece.", false},
		{"Who is Ann Lee?", "Ann is my niece.", false},
		{"What is the plan?", "The plan is a secret.", false},
	} {
		in := question.ParseIntent(question.Parse(tt.ask), nil, time.Time{})
		if got := in.IsDefinition(tt.text); got != tt.want {
			t.Errorf("%q, %q: %v", tt.ask, tt.text, got)
		}
	}
}

func TestSharesWordsOf(t *testing.T) {
	in := question.ParseIntent(question.Parse("Where did I leave the car of Ann?"), nil, time.Time{})
	for _, tt := range []struct {
		other, text string
		want        bool
	}{
		{"Car: winter tyres", "The car is in the garage", true},
		{"Car: Ann paid", "The car is in the garage", false},
		{"Car: Ann paid", "The cars of Ann", false},
		{"The garage", "The car", false},
	} {
		if got := in.SharesWordsOf(tt.other, tt.text); got != tt.want {
			t.Errorf("%q, %q: %v", tt.other, tt.text, got)
		}
	}
}
