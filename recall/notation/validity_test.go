package notation_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/notation"
)

func TestMarksOfTheAuthor(t *testing.T) {
	for _, tt := range []struct {
		text, heading, want string
	}{
		{"The port is 8080", "Servers", ""},
		{"[x] Order the pump", "Tasks", "done"},
		{"Order the pump", "Done", "done"},
		{"~~The port is 8080~~", "Servers", "outdated"},
		{"~~8080~~ is the old port, ~~8081~~ too", "Servers", ""},
		{"The port is 8080", "Outdated, kept for the record", "outdated"},
		{"Ship on Friday", "Rollout plan (archived)", "outdated"},
		{"It has two disks", "Archive server", ""},
		{"[x] Order the pump", "Veraltet", "outdated"},
		{"<del>The port is 8080</del>", "Servers", "outdated"},
		{"[-] Translate the manual", "Tasks", "outdated"},
		{"The port is 8080", "~~Hosting~~", "outdated"},
		{"The party is on 12 December", "Cancelled", "outdated"},
		{"A dark mode for print", "Won’t do", "outdated"},
		{"The party is on 12 December", "Cancelled trains", ""},
		{"~~It goes through SendGrid.~~ Now through Postmark.", "Mail", ""},
	} {
		m := memory.Memory{Text: tt.text, Heading: []string{tt.heading}}
		if got := (notation.Marks{}).Of(&m).String(); got != tt.want {
			t.Errorf("%q under %q is marked %q, want %q", tt.text, tt.heading, got, tt.want)
		}
	}
}

func TestPartsAreStruckOut(t *testing.T) {
	for text, want := range map[string]string{
		"~~It goes through SendGrid.~~ Now through Postmark.": "Now through Postmark.",
		"The port is <del>8080</del> 8081":                    "The port is  8081",
		"~~The port is 8080~~":                                "", // as a whole: see Marks
		"~~The port~~ ~~is 8080~~.":                           "",
		"It weighs ~~ 8 kg, and the other one ~~ 9":           "",
		"`git log a~~b~~c` shows it":                          "",
		"The port is 8081":                                    "",
	} {
		rest, partly := notation.WithoutStruck(text)
		if partly != (want != "") || partly && rest != want {
			t.Errorf("%q becomes %q (%t), want %q", text, rest, partly, want)
		}
	}
}

func TestSuccessorsAreRecognisedByName(t *testing.T) {
	old := memory.Memory{Text: "Jenkins: builds every branch. Replaced by Drone in May"}
	for text, want := range map[string]bool{
		"Drone: builds every branch":              true, // the outdated one names it
		"Woodpecker: builds, it replaced Jenkins": true, // it names the outdated one
		"Grafana: shows the load":                 false,
	} {
		if got := notation.Succeeds(&memory.Memory{Text: text}, &old); got != want {
			t.Errorf("%q succeeds: %t, want %t", text, got, want)
		}
	}
}
