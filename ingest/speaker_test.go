package ingest_test

import (
	"testing"

	"github.com/memory-tiered/memory/ingest"
)

func TestSplitSpeechFindsNameAndText(t *testing.T) {
	for _, tt := range []struct{ text, name, speech string }{
		{"Caroline: Hey Mel!", "Caroline", "Hey Mel!"},
		{"Mary Jane O'Neil: yes", "Mary Jane O'Neil", "yes"},
		{"**Kit:** we ship", "Kit", "we ship"},
		{"**Kit**: we ship", "Kit", "we ship"},
		{"李明: 你好", "李明", "你好"},
		{"Wolfeschlegelsteinhausenberger: hi", "Wolfeschlegelsteinhausenberger", "hi"},
		{"Wolfeschlegelsteinhausenbergers: hi", "", ""},
		{"Mary Jane Ann O'Neil: yes", "", ""},
		{"Note: the port is 8081", "", ""},
		{"port: 8081", "", ""},
		{"https://example.com", "", ""},
		{"Kit:", "", ""},
		{"Kit: ", "", ""},
		{"At 10:30 we met", "", ""},
		{"The thing that we all wanted to say: no", "", ""},
		{"", "", ""}, {":", "", ""}, {"**", "", ""}, {"**:** x", "", ""},
	} {
		name, from := ingest.Speech(tt.text)
		if name != tt.name || name != "" && tt.text[from:] != tt.speech {
			t.Errorf("%q: name %q, text %q", tt.text, name, tt.text[from:])
		}
	}
}

func TestSpeakersAreRepeatedNames(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"a conversation", []string{"Ann: hello", "Bob: hello you", "Ann: how is it?", "Bob: fine"}, []string{"Ann", "Bob", "Ann", "Bob"}},
		{"a name that occurs once is no speaker", []string{"Ann: hello", "Ann: anybody?", "Zed: me"}, []string{"Ann", "Ann", ""}},
		{"a list with two colons", []string{"Staging: port 1", "plain", "more", "and more", "Staging: port 2"}, []string{"", "", "", "", ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for i, got := range ingest.SpeakersOf(tt.lines) {
				if got != tt.want[i] {
					t.Errorf("%q has speaker %q, want %q", tt.lines[i], got, tt.want[i])
				}
			}
		})
	}
}
