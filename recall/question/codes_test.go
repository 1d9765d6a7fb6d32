package question_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory/recall/question"
)

func TestACodeIsFoundInAnySpelling(t *testing.T) {
	for _, c := range []struct {
		question, text string
		want           float64
	}{
		{"What does E4471 mean?", "Error E-4471 means that the server is down", 1},
		{"What is RAL-5014?", "The paint is RAL 5014", 1},
		{"What does E4471 mean?", "Error E-4472 means that the disk is full", 0},
		{"Where is /etc/app-4471/conf?", "Error APP-4471 means that the disk is full", 0},
	} {
		in := question.ParseIntent(question.Parse(c.question), nil, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
		if got := in.IdentifierShare(c.text); got != c.want {
			t.Errorf("%q: %g of the identifiers are in %q, want %g", c.question, got, c.text, c.want)
		}
	}
}
