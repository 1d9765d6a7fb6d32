package similar_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/internal/similar"
)

func nearDuplicates(a, b string) bool {
	x, y := similar.New(a), similar.New(b)
	return x.NearDuplicate(&y)
}

func TestNearDuplicatesDifferInNoSalientWord(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"equal", "Prefers tabs over spaces in Go", "Prefers tabs over spaces in Go", true},
		{"punctuation and case", "prefers tabs over spaces in Go.", "Prefers tabs over spaces in Go", true},
		{"stop words", "The user prefers tabs over spaces in Go", "I prefer tabs over the spaces in Go", true},
		{"another word", "Lena wants code reviews in the mornings and never after lunch please",
			"Lena wants code reviews in the mornings and quietly never after lunch", true},
		{"unlike texts", "Prefers tabs over spaces in Go", "The vet is closed on Wednesdays", false},
		{"another name", "Anna takes the dog to the vet on the last Friday of every month", "Berta takes the dog to the vet on the last Friday of every month", false},
		{"another number", "The collector on the first machine listens on port 8080 for all harbours", "The collector on the first machine listens on port 8081 for all harbours", false},
		{"another day", "The team meets for planning in the small room on Monday", "The team meets for planning in the small room on Tuesday", false},
		{"another month", "the long holiday with all of the family starts in july", "the long holiday with all of the family starts in august", false},
		{"another date", "Contract with the landlord signed and filed in the blue folder on 2026-03-01", "Contract with the landlord signed and filed in the blue folder on 2026-04-01", false},
		{"another identifier", "the error shown on the big screen in the office was TW-1042", "the error shown on the big screen in the office was TW-1043", false},
		{"another path", "logs of the collector are rotated daily into /var/log/a.log by cron", "logs of the collector are rotated daily into /var/log/b.log by cron", false},
		{"a negation", "deploys of the collector go out in the evening after the tide", "deploys of the collector do not go out in the evening after the tide", false},
		{"a contraction", "the standby is allowed to send alarms while the primary restarts", "the standby isn't allowed to send alarms while the primary restarts", false},
		{"an opposite", "alarms are enabled for the gauge behind the ice house", "alarms are disabled for the gauge behind the ice house", false},
		{"before and after", "run the migration before the switch of the symlink and check", "run the migration after the switch of the symlink and check", false},
		{"an order of names", "the spare key went from Sanne to Pieter last week", "the spare key went from Pieter to Sanne last week", false},
		{"an operator", "if level < limit then the alarm is raised at once", "if level > limit then the alarm is raised at once", false},
		{"a sign", "it was -5 degrees in the pantry this morning", "it was 5 degrees in the pantry this morning", false},
		{"another person", "she takes the insulin out of the fridge every single morning", "he takes the insulin out of the fridge every single morning", false},
		{"a Chinese negation", "我们在星期二部署到生产环境", "我们不在星期二部署到生产环境", false},
		{"equal Chinese", "我们在星期二部署到生产环境。", "我们在星期二部署到生产环境", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := nearDuplicates(tt.a, tt.b); got != tt.want {
				t.Errorf("NearDuplicate(%q, %q) = %t", tt.a, tt.b, got)
			}
			if got := nearDuplicates(tt.b, tt.a); got != tt.want {
				t.Errorf("NearDuplicate(%q, %q) = %t: the order matters", tt.b, tt.a, got)
			}
		})
	}
}

func TestNearDuplicatesShareFourFifthsOfTheirWords(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"8 of 10", "gulls rest beside quiet boats while fishermen mend nets",
			"gulls rest beside quiet boats while fishermen mend sails", true},
		{"7 of 9", "gulls rest beside quiet boats while fishermen sing",
			"gulls rest beside quiet boats while fishermen mend", false},
		{"7 of 9, one word three times", "gulls rest beside quiet boats while gulls watch gulls sleep",
			"gulls rest beside quiet boats while gulls watch gulls mend", false},
		{"8 of 10, one word three times", "gulls rest beside quiet boats while gulls watch gulls sleep soundly",
			"gulls rest beside quiet boats while gulls watch gulls sleep badly", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := nearDuplicates(tt.a, tt.b); got != tt.want {
				t.Errorf("NearDuplicate(%q, %q) = %t", tt.a, tt.b, got)
			}
		})
	}
}

func TestContradictionsStateAnotherValueOfOneSubject(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"another number", "Staging listens on port 8081", "The staging server listens on port 9999", true},
		{"another name", "Deploys are approved by Lena", "Deploys are approved by Mallory since last week", true},
		{"another word", "The main database is postgres", "The main database is mysql", true},
		{"a negation", "Lena may eat hazelnuts", "Lena may never eat hazelnuts", true},
		{"equal texts", "Staging listens on port 8081", "Staging listens on port 8081", false},
		{"another subject", "Staging listens on port 8081", "Production runs in Frankfurt", false},
		{"one shared word", "Staging listens on port 8081", "Staging belongs to Lena", false},
		{"more detail", "The vet is closed on Wednesdays", "The vet is closed on Wednesdays because the doctors visit farms", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, y := similar.New(tt.a), similar.New(tt.b)
			if got := x.Contradicts(&y); got != tt.want {
				t.Errorf("Contradicts(%q, %q) = %t", tt.a, tt.b, got)
			}
			if got := y.Contradicts(&x); got != tt.want {
				t.Errorf("Contradicts(%q, %q) = %t: the order matters", tt.b, tt.a, got)
			}
		})
	}
}

func TestShortTextNeedsItsHeading(t *testing.T) {
	for text, want := range map[string]bool{
		"port 5432":                            true,
		"the database listens right here":      true,
		"the database listens on this machine": false,
	} {
		if got := similar.IsShort(text); got != want {
			t.Errorf("IsShort(%q) = %t", text, got)
		}
	}
}

func FuzzNearDuplicate(f *testing.F) {
	for _, s := range []string{"", "port 5432", "我们不在", "isn't -5 <= |", "\xff ’s", "é́ ー"} {
		f.Add(s, "The vet is closed on Wednesdays")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !nearDuplicates(a, a) {
			t.Errorf("%q is no duplicate of itself", a)
		}
		if nearDuplicates(a, b) != nearDuplicates(b, a) {
			t.Errorf("%q and %q: the order matters", a, b)
		}
	})
}

// TestNearDuplicatesShareFourOfFiveWords compares random texts with the definition: short
// ones, and long ones, whose signatures are compared first.
func TestNearDuplicatesShareFourOfFiveWords(t *testing.T) {
	stems := strings.Fields("ship harbour crane winch rope anchor buoy davit sail keel mast tide lamp gravel oar cabin galley hatch rudder bilge")
	for _, prefixes := range [][]string{{""}, strings.Fields("ba ka lo mi po ru ta vo wa zi")} {
		var words []string
		for _, prefix := range prefixes {
			for _, stem := range stems {
				words = append(words, prefix+stem)
			}
		}
		r, near := rand.New(rand.NewPCG(1, 2)), 0
		for range 2000 {
			texts, want := randomPair(r, words)
			a, b := similar.New(texts[0]), similar.New(texts[1])
			if got := a.NearDuplicate(&b); got != want {
				t.Fatalf("%q and %q: %v, want %v", texts[0], texts[1], got, want)
			}
			if want {
				near++
			}
		}
		if near < 200 || near > 1800 {
			t.Errorf("%d of 2000 are near-duplicates: the test compares too little", near)
		}
	}
}

// randomPair returns two texts that share most of some words, and whether they share four
// of five.
func randomPair(r *rand.Rand, words []string) (texts [2]string, near bool) {
	either, both := 0, 0
	for _, w := range words {
		kind := r.IntN(11)
		for side := range texts {
			if kind > 1 || kind == side {
				texts[side] += w + " "
			}
		}
		if either++; kind > 1 {
			both++
		}
	}
	return [2]string{strings.TrimSpace(texts[0]), strings.TrimSpace(texts[1])}, 5*both >= 4*either
}

// TestNearDuplicatesHaveTheSameDigits replaces each word of a text by each of some others.
func TestNearDuplicatesHaveTheSameDigits(t *testing.T) {
	const text = "the shipped crates of v2 and the 2nd one left port 8080 in Berlin, not 8081 (4) and x1 is for the old quays"
	others := strings.Fields("a ship crate 8080 8081 v2 2nd ０ x1, 3.5 (4) Berlin not don't 港 it's 7 is quay")
	words, duplicates := strings.Fields(text), 0
	for i := range words {
		for _, other := range others {
			changed := slices.Clone(words)
			changed[i] = other
			again := strings.Join(changed, " ")
			x, y := similar.New(text), similar.New(again)
			if !x.NearDuplicate(&y) {
				continue
			}
			if duplicates++; similar.Digits(text) != similar.Digits(again) {
				t.Errorf("%q", again)
			}
		}
	}
	if duplicates < 20 {
		t.Errorf("only %d near-duplicates: the test tests nothing", duplicates)
	}
}

func TestDigitsAreThoseOfAllBytes(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		text := string(rapid.SliceOfN(rapid.SampledFrom([]byte("a 0179/:\x00\x2f\x30\x3a\x80\xb3\xff?")), 0, 40).Draw(rt, "text"))
		digits := ""
		for i := range len(text) {
			if text[i] >= '0' && text[i] <= '9' {
				digits += text[i : i+1]
			}
		}
		if similar.Digits(text) != similar.Digits(digits) {
			rt.Fatalf("%q has other digits than %q", text, digits)
		}
		if digits != "" && similar.Digits(text) == similar.Digits("") {
			rt.Fatalf("the digits of %q do not count", text)
		}
	})
}
