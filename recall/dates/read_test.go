package dates_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/dates"
	"github.com/memory-tiered/memory/workspace"
)

// TestAQuestionNamesWholeTimes asks on Wednesday, 18 November 2026.
func TestAQuestionNamesWholeTimes(t *testing.T) {
	for ask, want := range map[string]string{
		"on Nov 7":                               "2026-11-07..2026-11-08",
		"on 7 Nov 2025":                          "2025-11-07..2025-11-08",
		"on Nov 7, 2025":                         "2025-11-07..2025-11-08",
		"on 29 February":                         "2024-02-29..2024-03-01",
		"calendar week 1":                        "2025-12-29..2026-01-05 2027-01-04..2027-01-11",
		"what did I do in calendar week 1":       "2025-12-29..2026-01-05",
		"in Q1":                                  "2026-01-01..2026-04-01 2027-01-01..2027-04-01",
		"in Q2":                                  "2026-04-01..2026-07-01",
		"KW 53":                                  "2020-12-28..2021-01-04 2026-12-28..2027-01-04",
		"on Oct. 19":                             "2026-10-19..2026-10-20",
		"on Sept 3rd":                            "2026-09-03..2026-09-04",
		"in Oct":                                 "2026-10-01..2026-11-01",
		"am 7.11.":                               "2026-11-07..2026-11-08",
		"am 7.11. gemacht":                       "2026-11-07..2026-11-08",
		"le 17/11 ?":                             "2026-11-17..2026-11-18",
		"el 17 de nov":                           "2026-11-17..2026-11-18",
		"7 okt 2026":                             "2026-10-07..2026-10-08",
		"between 3 and 5 November":               "2026-11-03..2026-11-06",
		"from 3 to 5 November":                   "2026-11-03..2026-11-06",
		"3-5 November":                           "2026-11-03..2026-11-06",
		"November 3 – 5":                         "2026-11-03..2026-11-06",
		"3 and 5 November":                       "2026-11-03..2026-11-04 2026-11-05..2026-11-06",
		"zwischen dem 3. und dem 5. November":    "2026-11-03..2026-11-06",
		"vom 3. bis 5. November":                 "2026-11-03..2026-11-06",
		"entre le 3 et le 5 novembre":            "2026-11-03..2026-11-06",
		"entre el 3 y el 5 de noviembre de 2025": "2025-11-03..2025-11-06",
		"from 30 December 2025 to 2 January":     "2025-12-30..2026-01-03",
		"three days ago":                         "2026-11-15..2026-11-16",
		"twelve days ago":                        "2026-11-06..2026-11-07 2026-11-05..2026-11-08",
		"三日前":                                    "2026-11-15..2026-11-16",
		"the day before yesterday":               "2026-11-16..2026-11-17",
		"the day after tomorrow":                 "2026-11-20..2026-11-21",
		"a year ago":                             "2025-10-18..2025-12-19",
		"two years ago":                          "2024-01-01..2025-01-01",
		"vor einem Jahr":                         "2025-10-18..2025-12-19",
		"last December":                          "2025-12-01..2026-01-01",
		"last November":                          "2025-11-01..2025-12-01",
		"next December":                          "2026-12-01..2027-01-01",
		"last summer":                            "2026-06-01..2026-09-01",
		"next summer":                            "2027-06-01..2027-09-01",
		"two weeks ago today":                    "2026-11-04..2026-11-05",
		"heute vor zwei Wochen":                  "2026-11-04..2026-11-05",
		"this morning":                           "2026-11-18..2026-11-19",
		"heute Morgen":                           "2026-11-18..2026-11-19",
		"morgen früh":                            "2026-11-19..2026-11-20",
		"esta mañana":                            "2026-11-18..2026-11-19",
		"mañana":                                 "2026-11-19..2026-11-20",
		"next week":                              "2026-11-23..2026-11-30",
		"next Monday":                            "2026-11-23..2026-11-24",
		"nächsten Montag":                        "2026-11-23..2026-11-24",
		"la semaine prochaine":                   "2026-11-23..2026-11-30",
		"下周":                                     "2026-11-23..2026-11-30",
		"in three days":                          "2026-11-21..2026-11-22",
		"on 8 December":                          "2025-12-08..2025-12-09 2026-12-08..2026-12-09", // the last and the coming one
		// no times
		"version 1.2 of 3/4":        "",
		"every morning":             "",
		"por la mañana":             "",
		"this may go to Jan's desk": "",
		"the mar and the ago":       "",
	} {
		var spans []string
		for _, s := range dates.Read(ask, wednesday).Whole(wednesday) {
			spans = append(spans, format(s))
		}
		if got := strings.Join(spans, " "); got != want {
			t.Errorf("%q names %s, want %s", ask, got, want)
		}
	}
}

func TestDaysLeaveTheQuestion(t *testing.T) {
	for ask, want := range map[string]string{
		"What did I order in early October 2026?":             "What did I order?",
		"What did I order in the first two weeks of October?": "What did I order?",
		"What did I order in October 2026?":                   "What did I order in October 2026?",
		"Is Tomasz around next week?":                         "Is Tomasz around?",
		"I have to cook today, what can Mila not eat?":        "I have to cook, what can Mila not eat?",
		"Who has the key on 3 December 2026?":                 "Who has the key?",
		"Where were we in May 2023?":                          "Where were we in May 2023?", // texts name months, too
		"Where is the camp this summer?":                      "Where is the camp this summer?",
		"明日の会議":                                               "の会議",
		"What listens on port 2000?":                          "What listens on port 2000?",
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
		{"a month", "memory/2026-11.md", "", "2026-11-01..2026-12-01"},
		{"no month", "memory/2026-13.md", "", ""},
		{"a longer number", "memory/320261112.md", "", ""},
		{"a heading", "log.md", "2026-11-04", "2026-11-04..2026-11-05"},
		{"a heading in words", "log.md", "Friday, 6 November 2026", "2026-11-06..2026-11-07"},
		{"a heading without a year", "log.md", "5 Nov", "2026-11-05..2026-11-06"},
		{"a heading in a file of a month", "2024-02.md", "3 February", "2024-02-03..2024-02-04"},
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
		for _, span := range dates.Read(tt.ask, wednesday).Whole(wednesday) {
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
	day := dates.Read("2026-12-03", wednesday).Whole(wednesday)[0]
	all := " " + strings.Join(dates.Spellings(day), " ") + " "
	for _, w := range []string{"3", "03", "3rd", "12", "2026", "20261203", "december", "dec", "dezember", "dez", "diciembre", "décembre"} {
		if !strings.Contains(all, " "+w+" ") {
			t.Errorf("a day in December is not spelled with %q", w)
		}
	}
	month := dates.Read("in December 2026", wednesday).Whole(wednesday)[0]
	if !slices.Contains(dates.Spellings(month), "20261203") {
		t.Error("a month is not spelled with the days in names of files")
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
