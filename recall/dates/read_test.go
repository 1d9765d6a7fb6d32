package dates_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/dates"
	"github.com/memory-tiered/memory/workspace"
)

func TestDaysLeaveTheQuestion(t *testing.T) {
	for ask, want := range map[string]string{
		"What did I order on 3 October 2026?":          "What did I order?",
		"What did I order in October 2026?":            "What did I order in October 2026?",
		"Is Tomasz around next week?":                  "Is Tomasz around?",
		"I have to cook today, what can Mila not eat?": "I have to cook, what can Mila not eat?",
		"Who has the key on 3 December 2026?":          "Who has the key?",
		"Where were we in May 2023?":                   "Where were we in May 2023?", // texts name months, too
		"Where is the camp this summer?":               "Where is the camp this summer?",
		"明日の会議":                                        "の会議",
		"What listens on port 2000?":                   "What listens on port 2000?",
	} {
		if got := dates.Read(ask, wednesday).Rest; got != want {
			t.Errorf("of %q is left %q, want %q", ask, got, want)
		}
	}
}

func TestWrittenOn(t *testing.T) {
	seen := time.Date(2026, 11, 18, 9, 30, 0, 0, time.UTC)
	for _, tt := range []struct{ name, path, heading, want string }{
		{"a daily note", "memory/2026-11-10.md", "", "2026-11-10..2026-11-11"},
		{"Logseq", "journals/2026_11_11.md", "", "2026-11-11..2026-11-12"},
		{"without separators", "memory/20261112.md", "", "2026-11-12..2026-11-13"},
		{"within the name", "memory/meeting-2026-11-18.md", "", "2026-11-18..2026-11-19"},
		{"folders", "diary/2026/11/12.md", "", "2026-11-12..2026-11-13"},
		{"no month", "memory/2026-13.md", "", ""},
		{"a longer number", "memory/320261112.md", "", ""},
		{"a heading", "log.md", "2026-11-04", "2026-11-04..2026-11-05"},
		{"a heading in words", "log.md", "Friday, 6 November 2026", "2026-11-06..2026-11-07"},
		{"a heading without a year", "log.md", "5 Nov", "2026-11-05..2026-11-06"},
		{"a heading before the name", "2026-11-10.md", "11 November 2026", "2026-11-11..2026-11-12"},
		{"a heading that is a topic", "log.md", "March 3 servers? Port 8080", "2026-03-03..2026-03-04"},
		{"no date", "log.md", "Boats", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := memory.Memory{Text: "Repaired the oven", Path: tt.path, CreatedAt: seen}
			if note, isNote := workspace.DateOf(tt.path, time.UTC); isNote {
				m.CreatedAt = note // as the index dates it
			}
			if tt.heading != "" {
				m.Heading = []string{"Log", tt.heading}
			}
			day, ok := dates.WrittenOn(&m, time.UTC)
			got := format(day)
			if !ok {
				got = ""
			}
			if got != tt.want {
				t.Errorf("written on %q, want %q", got, tt.want)
			}
		})
	}
}

func TestASpanHoldsWhatNamesADayInIt(t *testing.T) {
	written := time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ ask, text, want string }{
		{"3 December", "Dentist on 2026-12-03 at nine", "2026-12-03"},
		{"4 December", "Concert on 4 December at eight", "2026-12-04"},
		{"5 December", "Handover of the flat on 05.12.2026", "2026-12-05"},
		{"6 December", "Abgabe am 6.12. um zwölf", "2026-12-06"},
		{"7 December", "Choir on Dec 7", "2026-12-07"},
		{"8 December", "Ferry on December 8th", "2026-12-08"},
		{"9 December", "Klassentreffen am 9. Dezember", "2026-12-09"},
		{"tomorrow", "The plumber comes tomorrow", "2026-11-19"},
		{"next week", "Audit next Monday", "2026-11-23"},
		{"today", "Fed the goats", "2026-11-18"},
		{"3 December", "Sauna with Piet", ""},
		{"tomorrow", "No release today", ""},
	} {
		got := ""
		for _, span := range dates.Read(tt.ask, wednesday).Spans {
			if day, ok := dates.Holds(span, &memory.Memory{Text: tt.text, CreatedAt: written}, time.UTC); ok {
				got = day.Format(time.DateOnly)
			}
		}
		if got != tt.want {
			t.Errorf("%s, %q: %q, want %q", tt.ask, tt.text, got, tt.want)
		}
	}
}

func TestSpellingsOfADay(t *testing.T) {
	day := dates.Read("2026-12-03", wednesday).Spans[0]
	all := " " + strings.Join(dates.Spellings(day), " ") + " "
	for _, w := range []string{"3", "03", "3rd", "12", "2026", "december", "dec", "dezember", "dez", "diciembre", "décembre"} {
		if !strings.Contains(all, " "+w+" ") {
			t.Errorf("a day in December is not spelled with %q", w)
		}
	}
	if open := dates.Spellings(dates.Span{From: day.From}); len(open) > 0 {
		t.Errorf("an open span is spelled %q", open)
	}
}

func TestADeclaredDayWinsOverTheNoteThatHasTheMemory(t *testing.T) {
	zone := time.FixedZone("east", 2*60*60)
	for _, tt := range []struct {
		created          time.Time
		heading          string
		written, inBlock string
	}{
		{created: time.Date(2026, 11, 23, 0, 0, 0, 0, zone), written: "2026-11-23..2026-11-24", inBlock: "2026-11-23"},
		{created: time.Date(2026, 10, 1, 10, 0, 0, 0, time.UTC), written: "2026-10-01..2026-10-02", inBlock: "2026-10-01"},
		{created: time.Date(2026, 11, 21, 23, 0, 0, 0, time.UTC), written: "2026-11-22..2026-11-23", inBlock: "2026-11-22"},
		{created: time.Date(2026, 10, 1, 10, 0, 0, 0, time.UTC), heading: "2026-11-04", written: "2026-11-04..2026-11-05", inBlock: "2026-11-04"},
	} {
		m := memory.Memory{Text: "The violin is at the luthier", Path: "memory/captured/2026-11-23.md", CreatedAt: tt.created}
		if tt.heading != "" {
			m.Heading = []string{tt.heading}
		}
		day, ok := dates.WrittenOn(&m, zone)
		if got := format(day); !ok || got != tt.written || dates.Written(&m, zone) != tt.inBlock {
			t.Errorf("%s, %q: written on %q (%v), in the block %q", tt.created, tt.heading, got, ok, dates.Written(&m, zone))
		}
	}
}
