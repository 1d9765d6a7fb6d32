package question_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory/recall/question"
)

// A text without a time, number or person does not answer a question for one.
func TestLacksAnswer(t *testing.T) {
	for _, tt := range []struct {
		question, text string
		lacks          bool
	}{
		{"What was our electricity bill in August?", "The invoice of the electrician is still missing.", true},
		{"What was our electricity bill in August?", "Electricity: 84 euro in August.", false},
		{"When is the parents' evening?", "The parents bring cake.", true},
		{"When is the parents' evening?", "Parents' evening on the first Friday of the month.", false},
		{"Until when is the shop open?", "The shop closes at noon.", false},
		{"How many square metres does the house have?", "The house has a red door.", true},
		{"How many hedges are there?", "Cut on 3 April, at 14:30.", true},
		{"How many hedges are there?", "April 3rd: the hedges are cut.", true},
		{"How many hedges are there?", "Cut on 3 April, all 3.", false},
		{"How many hedges are there?", "On 3 April 40 of them were cut.", false},
		{"How many hedges are there?", "We have two, cut in April.", false},
		{"How early may someone phone?", "No calls before half past nine.", false},
		{"How long may the hedge trimmer run?", "Never run it for more than a morning.", false},
		{"How long may the hedge trimmer run?", "Never run it in the rain.", true},
		{"How long may the hedge trimmer run?", "The hedge is cut, no more of it today.", true},
		{"Who cuts the hedge?", "The hedge is cut in autumn.", true},
		{"Who cuts the hedge?", "Bogdan cuts the hedge.", false},
		{"Who cuts the hedge?", "The hedge is cut by Bogdan.", false},
		{"I locked myself out, who can help me?", "A spare key is with the neighbours.", false},
		{"When I deploy, the tests fail. Why?", "The flaky test compares time zones.", false},
		{"Which tools does the man who paints use?", "Brushes of hog bristle.", false},
		{"How do I bake bread?", "Knead it well.", false},
		{"", "Knead it well.", false},
		{" \t", "Knead it well.", false},
	} {
		in := question.ParseIntent(question.Parse(tt.question), nil, time.Time{})
		if got := in.LacksAnswer(tt.text); got != tt.lacks {
			t.Errorf("%q, %q: lacks %v", tt.question, tt.text, got)
		}
	}
}

func TestSharesName(t *testing.T) {
	in := question.ParseIntent(question.Parse("What did Hanne's mother give to Liv? Why?"), nil, time.Time{})
	for text, want := range map[string]bool{"Hanne teaches chemistry": true, "a gift for liv": true, "Why not": false, "the mother gave it": false, "Johanne": false} {
		if got := in.SharesName(text); got != want {
			t.Errorf("%q: shares a name: %v", text, got)
		}
	}
}
