package question_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/question"
)

func TestContactDetails(t *testing.T) {
	const (
		phone  = "Ola can be called on +47 22 55 01 82 after six."
		local  = "Ola: 0431/555 018"
		mail   = "Ola reads ola.berg@site.example at work."
		street = "Ola lives at Ahornweg 4."
		none   = "On 2026-11-20, Ola paid 14000 for INV-2026-014 at 10.0.0.12."
	)
	for _, tt := range []struct {
		ask                       string
		phone, local, mail, place bool
	}{
		{"How do I reach Ola?", true, true, true, false},
		{"how can we contact ola", true, true, true, false},
		{"Wie erreiche ich Ola?", true, true, true, false},
		{"What is Ola's phone number?", true, true, false, false},
		{"What's Ola’s number?", true, true, false, false},
		{"Ola phone", true, true, false, false},
		{"Handynummer von Ola", true, true, false, false},
		{"What is Ola's email address?", false, false, true, false},
		{"What is Ola's address?", false, false, false, true},
		{"How many phone numbers does Ola have?", false, false, false, false},
		{"How does Ola call his dog?", false, false, false, false},
		{"Which phone does Ola use?", false, false, false, false},
	} {
		in := question.ParseIntent(question.Parse(tt.ask), nil, time.Time{})
		for text, want := range map[string]bool{phone: tt.phone, local: tt.local, mail: tt.mail, street: tt.place, none: false} {
			if got := in.FindsContact(text); got != want {
				t.Errorf("%q, %q: %v", tt.ask, text, got)
			}
		}
		if want := tt.phone || tt.mail || tt.place; in.WantsContact() != want {
			t.Errorf("%q: wants contact: %v", tt.ask, !want)
		}
	}
}

func TestANoteAnswersForContactDetailsOfWhomItNames(t *testing.T) {
	cook := memory.Memory{Text: "Called the cook (Nia, 73 52 11 90) because of the party"}
	for ask, want := range map[string]bool{
		"what is the phone number of the cook?":     true,
		"What is the cook's phone number?":          true,
		"What is the cook's address?":               false,
		"what is the phone number of the gardener?": false,
		"what is the phone number of Ola the cook?": false,
		"What is the phone number?":                 false,
		"Where is the cook?":                        false,
	} {
		in := question.ParseIntent(question.Parse(ask), nil, time.Time{})
		if got := in.AnswersContact(&cook); got != want {
			t.Errorf("%q: %v", ask, got)
		}
	}
	mail := memory.Memory{Heading: []string{"Gardeners"}, Text: "Reads ola.berg@site.example"}
	if in := question.ParseIntent(question.Parse("What is the gardener's email address?"), nil, time.Time{}); !in.AnswersContact(&mail) {
		t.Error("the heading names the gardener")
	}
}

func TestOtherContactDetails(t *testing.T) {
	for _, tt := range []struct {
		ask, text string
		want      bool
	}{
		{"What is Ola's email address?", "Ola: 0431/555 018", true},
		{"What is Ola's address?", "Ola: 0431/555 018, ola.berg@site.example", true},
		{"What is Ola's phone number?", "Ola lives at Ahornweg 4", true},
		{"What is Ola's phone number?", "Ola: 0431/555 018", false},
		{"How do I reach Ola?", "Ola: 0431/555 018", false},
		{"What is Ola's address?", "Ola: beside the church", false}, // it may be one
		{"Who is Ola?", "Ola: 0431/555 018", false},
	} {
		in := question.ParseIntent(question.Parse(tt.ask), nil, time.Time{})
		if got := in.HasOtherContact(tt.text); got != tt.want {
			t.Errorf("%q, %q: %v", tt.ask, tt.text, got)
		}
	}
}
