package recall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// A question that names a time and no subject gets what was written then, although it
// shares no word with it.
func TestQuestionsAboutADayGetWhatWasWrittenThen(t *testing.T) {
	day := func(month time.Month, n int) func(*memory.Memory) {
		return func(m *memory.Memory) { m.CreatedAt = time.Date(2026, month, n, 0, 0, 0, 0, time.UTC) }
	}
	src := &fakeSource{}
	src.add("kettle", 0, "Bought a kettle", day(11, 19))
	src.add("fence", 0, "The fence is green", day(11, 19))
	src.add("stairs", 0, "Swept the stairs", day(11, 18))
	src.add("lamp", 0, "The lamp is broken", day(11, 20))
	src.add("boat", 0, "The boat is sold", day(8, 3))
	src.add("undated", 0, "Likes tea", func(m *memory.Memory) { m.CreatedAt = time.Date(2026, 11, 19, 9, 30, 0, 0, time.UTC) })
	for ask, want := range map[string][]memory.ID{ // asked on Friday, 20 November
		"What did I do yesterday?":                {"fence", "kettle"},
		"what happened today?":                    {"lamp"},
		"what did I do the day before yesterday?": {"stairs"},
		"Was habe ich gestern gemacht?":           {"fence", "kettle"},
		"Qu'est-ce que j'ai fait hier ?":          {"fence", "kettle"},
		"¿Qué hice ayer?":                         {"fence", "kettle"},
		"我昨天做了什么":                                 {"fence", "kettle"},
		"昨日何をしましたか":                               {"fence", "kettle"},
		"11月19日に何をしましたか":                          {"fence", "kettle"},
		"我11月19号星期四做了什么":                          {"fence", "kettle"},
		"11월 19일에 뭐 했어?":                          {"fence", "kettle"},
		"What did I do on Thursday?":              {"fence", "kettle"},
		"What did I do on the 18th?":              {"stairs"},
		"what did I note on 2026-08-03?":          {"boat"},
		"what happened on 3 August?":              {"boat"},
		"what happened in August?":                {"boat"},
		"what happened since Thursday?":           {"fence", "kettle", "lamp"},
		"what happened last week?":                nil,
		"what did I paint yesterday?":             nil,
		"who sold the car on 3 August?":           nil,
		"yesterday, all my troubles":              nil,
		"what did we do before the trip?":         nil,
	} {
		answer, _, err := newSignalRecaller(src).Recall(t.Context(), now, recall.Prompt{Text: ask})
		if err != nil {
			t.Fatal(err)
		}
		var got []memory.ID
		for _, h := range answer.Hits {
			got = append(got, h.ID)
		}
		if slices.Contains(got, "lamp") && got[0] != "lamp" {
			t.Errorf("%q gets %v: the newest is not first", ask, got)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q gets %v, want %v", ask, got, want)
		}
	}
}

// writtenOnDay returns a change that dates a memory.
func writtenOnDay(month time.Month, n int) func(*memory.Memory) {
	return created(time.Date(2026, month, n, 0, 0, 0, 0, time.UTC))
}

// A question for a time alone gets nothing of other times, however well it matches. It
// gets what names the time in its text, a heading or the name of its file.
func TestATimeAloneDecides(t *testing.T) {
	src := &fakeSource{}
	early := writtenOnDay(2, 16)
	src.add("wale", 0.9, "Wale starts today", early)
	src.add("plumber", 0.9, "The plumber comes tomorrow", early)
	src.add("dentist", 0.9, "Dentist on 21.11.2026", early)
	src.add("choir", 0.9, "Choir on Dec 7", writtenOnDay(10, 1))
	src.add("oven", 0.9, "Repaired the oven", early, heading("Log", "Friday, 6 November 2026"))
	src.add("ladder", 0.9, "Repaired the ladder", writtenOnDay(11, 11), inFile("journals/2026_11_11.md"))
	src.add("goats", 0.9, "Fed the goats", writtenOnDay(11, 20))
	for _, m := range src.memories {
		src.addSignals(m.ID, memory.Signals{Candidate: memory.Candidate{Score: 0.9}, Context: 1, Cosine: 0.9, Coverage: 1})
	}
	for ask, want := range map[string][]memory.ID{ // asked on Friday, 20 November
		"What did I do today?":            {"goats"},
		"What is planned today?":          {"goats"},
		"Who comes tomorrow?":             {"dentist"},
		"What is on 2026-12-07?":          {"choir"},
		"What did I do on Nov 6?":         {"oven"},
		"Was habe ich am 11.11. gemacht?": {"ladder"},
		"What did I do three days ago?":   {},
	} {
		answer, _, err := newSignalRecaller(src).Recall(t.Context(), now, recall.Prompt{Text: ask})
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(answer.Hits); !slices.Equal(got, want) {
			t.Errorf("%q gets %v, want %v", ask, got, want)
		}
	}
}

// The day of a question is no word to search for: it would take the place of the others.
func TestDaysAreNoTerms(t *testing.T) {
	for ask, want := range map[string]string{
		"Is Tomasz around next week?":                      "tomasz around",
		"Where is the holiday next year?":                  "holiday",
		"What event bus do we use on 3 December?":          "event bus use",
		"[Telegram Ada id:4711 2026-11-22 18:55] Any keys": "keys",
		"[Sun 2026-11-22 18:55 UTC] Which event bus?":      "event bus",
		"[x] [18:55] which keys":                           "18:55 keys",
	} {
		src, words := &fakeSource{}, ""
		mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: ask})
		for _, term := range src.query.Terms {
			words += " " + term.Text
		}
		if words = strings.TrimSpace(words); words != want {
			t.Errorf("%q searches for %q, want %q", ask, words, want)
		}
	}
}

// One line that a diary has on several days is represented by the day that is asked for.
func TestTheDayAskedForRepresentsEqualEntries(t *testing.T) {
	src := &fakeSource{}
	for _, month := range []time.Month{7, 9, 10} {
		id := memory.ID(month.String())
		src.add(string(id), 0.9, "Changed the filter of the heat pump", writtenOnDay(month, 16))
		src.addSignals(id, memory.Signals{Context: 1, Cosine: 0.9, Coverage: 1})
	}
	for ask, want := range map[string][]memory.ID{
		"Did I change the filter of the heat pump on 16 July?":        {"July"},
		"Did I change the filter of the heat pump in September 2026?": {"September"},
		"Did I change the filter of the heat pump?":                   {"October"},
	} {
		answer, _ := mustRecall(t, newSignalRecaller(src), recall.Prompt{Text: ask})
		got := ids(answer.Hits)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q gets %v, want %v", ask, got, want)
		}
	}
}
