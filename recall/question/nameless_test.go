package question_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/question"
)

func readIntent(text string) question.Intent {
	return question.ParseIntent(question.Parse(text), nil, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
}

func TestNameless(t *testing.T) {
	for _, tt := range []struct{ ask, want string }{
		{"What is Clara Voss's address?", "What is address?"},
		{"Which school did Yusuf visit?", "Which school did visit?"},
		{"Where is the key?", ""},
		{"Why did we choose Postgres?", ""},
		{"Who is Yusuf?", ""},
		{"Tell me about Yusuf", ""},
		{"auth Redis failure", ""},
		{"Wie alt ist Yusuf jetzt?", ""},
		{"What happened in November at school?", ""},
	} {
		t.Run(tt.ask, func(t *testing.T) {
			if got := readIntent(tt.ask).Nameless(tt.ask); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSharesNamesAlone(t *testing.T) {
	const ask = "Which school does Yusuf visit?"
	for _, tt := range []struct {
		text    string
		heading []string
		want    bool
	}{
		{"Yusuf is in the scouts.", nil, true},
		{"He is in the scouts.", []string{"Family", "Yusuf"}, true},
		{"He is in the scouts.", nil, false},
		{"Yusuf is at Northgate School.", nil, false},
		{"Yusuf visits Grandma.", nil, false},
		{"Yusuf is in the scouts.", []string{"Schools"}, false},
	} {
		if got := readIntent(ask).SharesNamesAlone(&memory.Memory{Text: tt.text, Heading: tt.heading}); got != tt.want {
			t.Errorf("%q below %q: got %v, want %v", tt.text, tt.heading, got, tt.want)
		}
	}
}
