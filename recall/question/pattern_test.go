package question

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestQuickTestsLoseNoMatch writes texts from the words of each expression, and checks that
// the quick test passes all that match.
func TestQuickTestsLoseNoMatch(t *testing.T) {
	word, random := regexp.MustCompile(`[\p{L}\x60]+`), rand.New(rand.NewPCG(1, 2))
	between := []string{" ", " ", " ", "", ": ", "'s ", "-"}
	for name, p := range map[string]pattern{"phone": phoneQuestion, "mail": mailQuestion, "reach": reachQuestion, "street": streetQuestion,
		"past": pastPhrases, "hands over": handsOver, "trace": trace, "days": dayQuestions} {
		words := append(word.FindAllString(p.String(), -1), "me", "12", "main.go(", "[", "(")
		matched := 0
		for range 20_000 {
			var b strings.Builder
			for range 1 + random.IntN(6) {
				b.WriteString(words[random.IntN(len(words))])
				b.WriteString(between[random.IntN(len(between))])
			}
			text := strings.TrimSpace(b.String())
			if !p.MatchString(text) {
				continue
			}
			if matched++; !p.matches(text, strings.ToLower(text)) {
				t.Fatalf("%s: the quick test fails for %q", name, text)
			}
		}
		if matched == 0 {
			t.Errorf("%s: no text matched", name)
		}
	}
}

func TestQuickTestsPassEachAlternative(t *testing.T) {
	for _, tt := range []struct {
		pattern pattern
		texts   []string
	}{
		{phoneQuestion, []string{"Ann's phone", "cell number", "fax no", "Handynummer", "Nummer von Ann", "numéro de Ann", "teléfono de Ann", "Ann's number", "Ann Telefon", "MOBILE NUMBER"}},
		{mailQuestion, []string{"email address", "Mailadresse", "Ann's e-mail", "adresse mail", "correo de Ann", "Ann email"}},
		{reachQuestion, []string{"how do I reach Ann", "how to call Ann", "contact details", "Wie erreiche ich Ann", "Kontaktdaten", "comment joindre Ann", "cómo llamar a Ann"}},
		{streetQuestion, []string{"home address", "the address", "Anschrift", "dirección de Ann", "Ann address"}},
		{pastPhrases, []string{"our old port", "used to be", "use to work", "in the past", "back then", "before that", "what was it before", "was hatten wir vorher",
			"qu'est-ce qu'on avait avant", "qué usaba antes", "以前", "过去", "原来", "昔", "かつて", "従来"}},
		{handsOver, []string{"sort this list: a", "übersetze folgenden Text: a"}},
		{trace, []string{"```", "Traceback (most recent call last)", "at main.run(", "goroutine 7 ["}},
		{dayQuestions, []string{"when", "which days", "what date", "how often", "wann", "welche tage", "wie oft", "quand", "quels jours", "combien de fois",
			"cuántas veces", "qué fechas", "cuándo", "什么时候", "哪天", "几次", "いつ", "何回"}},
	} {
		for _, text := range tt.texts {
			if !tt.pattern.MatchString(text) {
				t.Errorf("%q does not match the expression", text)
			}
			if !tt.pattern.matches(text, strings.ToLower(text)) {
				t.Errorf("%q fails the quick test", text)
			}
		}
	}
}
