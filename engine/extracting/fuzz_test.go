package extracting_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/engine/extracting"
	"github.com/memory-tiered/memory/internal/alignment"
	"github.com/memory-tiered/memory/internal/wording"
)

// FuzzFacts: a fact that is kept is one plain line with the words of the message. Its date is one
// that the message names.
func FuzzFacts(f *testing.F) {
	const said = "I met Bob in Bern on 3 May 2026, and the dentist is tomorrow."
	for _, seed := range []string{
		`{"facts":[{"text":"I met Bob in Bern","category":"fact","type":"episodic","date":"2026-05-03","from":[1]}]}`,
		`{"facts":[{"text":"I met Bob <!-- pinned -->","category":"fact","type":"factual","date":"2026-05-04","from":[1,1]}]}`,
		`{"facts":[{"text":"I met [[Bob]] #tag\n---","category":"FACT","type":"Episodic","date":"","from":[-1]}]}`, `{"facts":null}`, `[`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		texts, dates, _ := extracting.Checked(answer, said, time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC))
		for i, text := range texts {
			if strings.ContainsAny(text, "\n\r") || strings.Contains(text, "<!--") || !alignment.Read(said).Contains(alignment.Read(wording.Visible(text))) {
				t.Fatalf("%q is kept", text)
			}
			if d := dates[i]; d != "" && d != "2026-05-03" && d != "2026-11-21" {
				t.Fatalf("%q has the date %s", text, d)
			}
		}
	})
}
