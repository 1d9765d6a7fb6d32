package lang

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestQuickTestLosesNoMatch writes texts from the words of each section of phrases, and checks
// that the quick test passes all that match.
func TestQuickTestLosesNoMatch(t *testing.T) {
	random, replace := rand.New(rand.NewPCG(1, 2)), strings.NewReplacer("|", " ", "_", " ", "~", "x", "%", "7 ", "[", "", "]", "", "^", "", "$", "", "*", "", ">", "")
	for _, section := range []string{"asks past", "asks"} {
		set, words := PhrasesOf("question")(section), strings.Fields("me 12 ' - . ,")
		for line := range Section("question", section) {
			words = append(words, strings.Fields(replace.Replace(line.Text))...)
		}
		matched := 0
		for range 5_000 {
			var b strings.Builder
			for range 1 + random.IntN(6) {
				b.WriteString(words[random.IntN(len(words))] + " ")
			}
			f := FoldAs(b.String(), false)
			if !set.spaced.expr.MatchString(f.Text) {
				continue
			}
			if matched++; !set.Match(f) {
				t.Fatalf("%s: the quick test fails for %q", section, f.Text)
			}
		}
		if matched == 0 {
			t.Errorf("%s: no text matched", section)
		}
	}
}

func TestPhrasesMatchWords(t *testing.T) {
	for _, tt := range []struct {
		phrase, text string
		want         bool
	}{
		{"~street|~weg %", "Long Ahornweg 4", true},
		{"~street|~weg %", "Ahornwege 4", false},
		{"% ~ road", "12 Mill Road", true},
		{"% ~ road", "a Mill Road", false},
		{"^ ~ phone $", "Ann phone", true},
		{"^ ~ phone $", "the phone", true},
		{"^ ~ phone $", "the old phone", false},
		{"~'s phone", "Ann’s phone", true},
	} {
		p, err := ParsePhrase(tt.phrase)
		if err != nil {
			t.Fatal(err)
		}
		if got := NewPhrases([]Phrase{p}).Match(Fold(tt.text)); got != tt.want {
			t.Errorf("%q, %q: %v", tt.phrase, tt.text, got)
		}
	}
	for _, bad := range []string{"~ %", "^ ~ $", "[word]", ", ."} {
		if _, err := ParsePhrase(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
