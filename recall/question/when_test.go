package question_test

import (
	"testing"

	"github.com/memory-tiered/memory/recall/question"
)

func TestHowLongAgoAsksWhen(t *testing.T) {
	for asked, want := range map[string]string{
		"how long ago did I change the oil?":                "when did I change the oil?",
		"How many weeks ago did I meet Carla?":              "when did I meet Carla?",
		"How long has it been since I saw Ben?":             "when I saw Ben?",
		"Wie lange ist es her, dass ich Ben sah?":           "wann ich Ben sah?",
		"Vor wie vielen Wochen war Ben hier?":               "wann war Ben hier?",
		"Ça fait combien de temps que je n'ai pas vu Ben ?": "quand je n'ai pas vu Ben ?",
		"¿Hace cuánto tiempo que vi a Ben?":                 "¿cuándo vi a Ben?",
		"How long do session tokens live?":                  "How long do session tokens live?",
		"How many weeks are left?":                          "How many weeks are left?",
	} {
		if got := question.Parse(asked).Text; got != want {
			t.Errorf("Parse(%q) asks %q, want %q", asked, got, want)
		}
	}
}

func TestFrenchVerbsBeforeTheirPronounsAreNoTerms(t *testing.T) {
	for asked, want := range map[string]string{"Qu'ai-je mangé ?": "mangé", "Où ai-je garé la voiture ?": "garé voiture", "Which AI tool?": "ai tool"} {
		terms := ""
		for _, term := range question.Parse(asked).Terms {
			terms += " " + term.Text
		}
		if terms != " "+want {
			t.Errorf("the terms of %q are%s, want %s", asked, terms, want)
		}
	}
}
