package lang_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/lang"
)

func sentencesOf(text string) (all []string) {
	for start, end := range lang.Sentences(text) {
		all = append(all, text[start:end])
	}
	return all
}

func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"marks", "One. Two! Three? Four", []string{"One.", "Two!", "Three?", "Four"}},
		{"an abbreviation", "Ask Dr. Mommsen, e.g. Anna. She knows.", []string{"Ask Dr. Mommsen, e.g. Anna.", "She knows."}},
		{"a number", "Version 3.5 is out. It listens on 8081. Fine.", []string{"Version 3.5 is out.", "It listens on 8081.", "Fine."}},
		{"an ordinal", "Wir fahren am 14. Februar. Anna kommt mit.", []string{"Wir fahren am 14. Februar.", "Anna kommt mit."}},
		{"a small letter goes on", "See main.go. then build", []string{"See main.go. then build"}},
		{"a quotation", `She said "no." Then she left.`, []string{`She said "no."`, "Then she left."}},
		{"no blanks", "行こう。寒い！「行こう！」と言った", []string{"行こう。", "寒い！", "「行こう！」と言った"}},
		{"a wrapped line", "Anna works\nfor Nordlicht.\nShe is new.", []string{"Anna works\nfor Nordlicht.", "She is new."}},
		{"lines with marks", "Ports\n- One\n2. Two\n\nEnd", []string{"Ports", "- One", "2. Two", "End"}},
		{"invalid", "a\xff. B", []string{"a\xff.", "B"}},
	} {
		if got := sentencesOf(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("One. \"Two!\" 三。\n- four…")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Join(strings.Fields(strings.Join(sentencesOf(text), " ")), "") != strings.Join(strings.Fields(text), "") {
			t.Errorf("%q lost a part: %q", text, sentencesOf(text))
		}
	})
}
