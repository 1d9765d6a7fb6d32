package question_test

import (
	"testing"

	"github.com/memory-tiered/memory/recall/question"
)

func TestWordsThatDescribeTheRequestAreNoTerms(t *testing.T) {
	for text, want := range map[string]string{
		"What do you know about Rik?":                          "rik",
		"Everything you know about Rik":                        "rik",
		"Is there anything about the boiler in my notes?":      "boiler notes",
		"Summarise what I know about Rik":                      "rik",
		"Give me a list of all notes that mention the harbour": "harbour",
		"Was weißt du über Rik?":                               "rik",
		"Que sais-tu de Rik ?":                                 "rik",
		"Remind me of Rik":                                     "rik",
		"Dis-moi tout sur Rik":                                 "rik",
		"¿Qué sabes de Rik?":                                   "rik",
		"Was weiß ich über Mia?":                               "mia",
		"Que savons-nous de Mia ?":                             "mia",
		"¿Qué sabemos de Mia?":                                 "mia",

		"The letter to the bank":                 "letter bank",
		"Send the invoice to Hofmann":            "send invoice hofmann",
		"What is the email of Petra?":            "email petra",
		"Give me the email of Petra":             "email petra",
		"Which notes did the auditor ask about?": "auditor ask",
		"What did Ann say about the memory card": "ann say memory card",
		"the list of errands":                    "errands",
		"information security training":          "security training",
	} {
		if got := formatTerms(question.Parse(text).Terms); got != want {
			t.Errorf("%q has the terms %q, want %q", text, got, want)
		}
	}
}
