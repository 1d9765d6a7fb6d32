package ranking_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/question"
	"github.com/memory-tiered/memory/recall/ranking"
)

func TestANoteWithOtherContactDetailsNamesNoTopic(t *testing.T) {
	for ask, want := range map[string]bool{
		"What is the landlord's e-mail address?": false,
		"What is the landlord's phone number?":   true,
		"Who is the landlord?":                   true,
	} {
		in := question.ParseIntent(question.Parse(ask), nil, time.Time{})
		f := ranking.Features{Memory: &memory.Memory{Text: "The landlord, Mr Huber: 0431/555 018"}}
		new(ranking.Maxima).Include(in, &f)
		if f.NamesTopic != want {
			t.Errorf("%q: %v", ask, f.NamesTopic)
		}
	}
}
