package question_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory/recall/question"
)

func TestQuestionsAboutThePast(t *testing.T) {
	for text, want := range map[string]bool{
		"What was the old price?":             true,
		"What is Anna's old number?":          true,
		"Which port did we use before?":       true,
		"Wie war die alte Adresse?":           true,
		"How old is Mila?":                    false,
		"What do old bikes cost at the shop?": false,
		"Was ist das Alter von Mila?":         false,
	} {
		if got := question.ParseIntent(question.Parse(text), nil, time.Time{}).WantsPast; got != want {
			t.Errorf("%q asks for the past: %t, want %t", text, got, want)
		}
	}
}
