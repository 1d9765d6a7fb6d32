package question_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/recall/question"
)

func TestPartsOfAMessage(t *testing.T) {
	const chat = "Good morning! I slept badly, the neighbours had a party, and my coffee machine broke as well, so bear with me. "
	for _, tt := range []struct {
		name, message string
		want          []string
	}{
		{"a question after chat", chat + "How long do session tokens live?", []string{"How long do session tokens live?"}},
		{"a question before chat", "How long do session tokens live? " + chat, []string{"How long do session tokens live?"}},
		{"an imperative", chat + "Tell me how long session tokens live.", []string{"Tell me how long session tokens live."}},
		{"German", "Guten Morgen, ich habe schlecht geschlafen, die Nachbarn hatten ein Fest und die Kaffeemaschine ist auch kaputt. Wo ist der Schlüssel?", []string{"Wo ist der Schlüssel?"}},
		{"French", "J'ai mal dormi cette nuit, les voisins ont fait la fête et ma machine à café est en panne aussi. Où est la clé ?", []string{"Où est la clé ?"}},
		{"Spanish", "He dormido mal esta noche, los vecinos tuvieron una fiesta y mi cafetera se ha roto también. Dime dónde está la llave.", []string{"Dime dónde está la llave."}},
		{"an error code", chat + "It says ERR_LEDGER_409, again, and then ERR_LEDGER_409.", []string{"ERR_LEDGER_409"}},
		{"things of a list", "Tell me the mortgage rate, who services the boiler, and the pocket money of Mila.", []string{"the mortgage rate", "who services the boiler", "the pocket money of Mila"}},
		{"words of a list", "mortgage, handball; Volvo and boiler", []string{"mortgage", "handball", "Volvo", "boiler"}},
		{"lines of a list", "the oil\nthe key\nthe teacher", []string{"the oil", "the key", "the teacher"}},
		{"two things", "the oil and the key", nil},
		{"a short question", "I have to cook, what can Mila not eat?", nil},
		{"a question after a clause", "My head is pounding, what can I take and how much of it?", nil},
		{"a list to work on", "Sort this list: banana, apple, cherry", nil},
		{"a list to work on in German", "Sortiere die folgenden Wörter: Banane, Apfel, Kirsche", nil},
		{"a list with a label", "Please tell me three things: the oil, the key, the teacher", []string{"three things: the oil", "the key", "the teacher"}},
		{"a question about a trace", "Why does this fail?\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    print(x[5])\nIndexError: list index out of range", nil},
		{"a question that names its thing", chat + "When does this contract with the landlord end?", []string{"When does this contract with the landlord end?"}},
		{"no question", strings.Repeat(chat, 2), nil},
		{"questions alone", "Which of the two ports does the collector of the new station on the island use? Who of the team changed it last week?", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range question.Parts(tt.message) {
				got = append(got, p.Text)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
