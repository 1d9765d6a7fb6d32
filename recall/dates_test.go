package recall_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

func TestDatesInAQuestion(t *testing.T) {
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 10, 0, 0, 0, time.UTC) } // now is Friday, 20 November 2026
	for _, tt := range []struct {
		ask        string
		month, day time.Time // dates with the signal "month", and with "day" as well
		not        time.Time // a date with neither
	}{
		{"what did we do in May?", day(2026, 5, 3), time.Time{}, day(2025, 5, 3)},
		{"on 7 May", time.Time{}, day(2026, 5, 7), day(2026, 5, 8)},
		{"on May 7th, 2025", time.Time{}, day(2025, 5, 7), day(2024, 5, 7)},
		{"im März", day(2026, 3, 1), time.Time{}, day(2026, 4, 1)},
		{"en diciembre", day(2025, 12, 1), time.Time{}, day(2025, 11, 1)},
		{"en août", day(2026, 8, 1), time.Time{}, day(2026, 9, 1)},
		{"may I march on?", time.Time{}, time.Time{}, day(2026, 5, 1)},
		{"in 2024", day(2024, 8, 1), time.Time{}, day(2025, 8, 1)},
		{"yesterday", time.Time{}, day(2026, 11, 19), day(2026, 11, 18)},
		{"gestern", time.Time{}, day(2026, 11, 19), day(2026, 11, 20)},
		{"what happened last week", day(2026, 11, 11), time.Time{}, day(2026, 11, 17)},
		{"letzte Woche", day(2026, 11, 9), time.Time{}, day(2026, 11, 16)},
		{"la semana pasada", day(2026, 11, 15), time.Time{}, day(2026, 11, 8)},
		{"qui est là hier", time.Time{}, day(2026, 11, 19), day(2026, 11, 20)},
		{"was ist hier passiert", time.Time{}, time.Time{}, day(2026, 11, 19)}, // German: here
		{"ayer", time.Time{}, day(2026, 11, 19), day(2026, 11, 20)},
		{"vorgestern", time.Time{}, day(2026, 11, 18), day(2026, 11, 19)},
		{"the day before yesterday", time.Time{}, day(2026, 11, 18), day(2026, 11, 17)},
		{"what did she say last Tuesday?", time.Time{}, day(2026, 11, 17), day(2026, 11, 10)},
		{"last Friday", time.Time{}, day(2026, 11, 13), day(2026, 11, 20)}, // today is a Friday
		{"letzten Dienstag", time.Time{}, day(2026, 11, 17), day(2026, 11, 18)},
		{"el martes pasado", time.Time{}, day(2026, 11, 17), day(2026, 11, 18)},
		{"mardi dernier", time.Time{}, day(2026, 11, 17), day(2026, 11, 18)},
		{"who teaches on Tuesday?", time.Time{}, time.Time{}, day(2026, 11, 17)}, // a habit
		{"since Monday", day(2026, 11, 16), time.Time{}, day(2026, 11, 15)},
		{"seit Montag", day(2026, 11, 18), time.Time{}, day(2026, 11, 15)},
		{"desde el lunes", day(2026, 11, 16), time.Time{}, day(2026, 11, 15)},
		{"depuis lundi", day(2026, 11, 16), time.Time{}, day(2026, 11, 15)},
		{"three days ago", time.Time{}, day(2026, 11, 17), day(2026, 11, 16)},
		{"a week ago", day(2026, 11, 11), time.Time{}, day(2026, 11, 18)},
		{"vor drei Tagen", time.Time{}, day(2026, 11, 17), day(2026, 11, 16)},
		{"hace dos semanas", day(2026, 11, 5), time.Time{}, day(2026, 11, 12)},
		{"il y a trois jours", time.Time{}, day(2026, 11, 17), day(2026, 11, 16)},
		{"昨日何をしましたか", time.Time{}, day(2026, 11, 19), day(2026, 11, 18)},
		{"一昨日の会議", time.Time{}, day(2026, 11, 18), day(2026, 11, 19)},
		{"先週の会議", day(2026, 11, 11), time.Time{}, day(2026, 11, 17)},
		{"上周的会议", day(2026, 11, 11), time.Time{}, day(2026, 11, 17)},
		{"三天前说了什么", time.Time{}, day(2026, 11, 17), day(2026, 11, 16)},
		{"qu'est-ce que j'ai fait avant-hier ?", time.Time{}, day(2026, 11, 18), day(2026, 11, 19)},
		{"on 2026-11-03", time.Time{}, day(2026, 11, 3), day(2026, 11, 4)},
		{"what happened 2026/11/03?", time.Time{}, day(2026, 11, 3), day(2026, 11, 4)},
		{"was war am 3.11.2026?", time.Time{}, day(2026, 11, 3), day(2026, 11, 4)},
		{"on 11/25/2025", time.Time{}, day(2025, 11, 25), day(2025, 11, 24)},
		{"on 3/11/2026", time.Time{}, time.Time{}, day(2026, 3, 11)}, // it may be another day
		{"on 2026-02-30", time.Time{}, time.Time{}, day(2026, 2, 28)},
		{"since 2026-11-16", day(2026, 11, 17), time.Time{}, day(2026, 11, 15)},
		{"last month", day(2026, 10, 31), time.Time{}, day(2026, 11, 1)},
		{"2 weeks ago", day(2026, 11, 5), time.Time{}, day(2026, 11, 12)},
		{"in the past 3 days", day(2026, 11, 18), time.Time{}, day(2026, 11, 15)},
		{"4000 days ago", time.Time{}, day(2015, 12, 8), day(2015, 12, 4)},
		{"5001 days ago", time.Time{}, time.Time{}, day(2013, 3, 13)},
		{"99999999999999999999 days ago", time.Time{}, time.Time{}, day(2026, 11, 1)},
	} {
		t.Run(tt.ask, func(t *testing.T) {
			points := func(at time.Time) float64 {
				src := &fakeSource{}
				src.add("a", 0.5, "Alpha", created(at))
				src.addSignals("a", memory.Signals{Context: 1})
				sum := 0.0
				for _, f := range mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: tt.ask, Explain: true}).Hits[0].Ranking {
					if f.Name == "month" || f.Name == "day" {
						sum += f.Value
					}
				}
				return sum
			}
			if !tt.month.IsZero() && points(tt.month) != 1 {
				t.Errorf("%v: month + day = %v, want 1", tt.month, points(tt.month))
			}
			if !tt.day.IsZero() && points(tt.day) != 2 {
				t.Errorf("%v: month + day = %v, want 2", tt.day, points(tt.day))
			}
			if n := points(tt.not); n != 0 {
				t.Errorf("%v: month + day = %v, want 0", tt.not, n)
			}
		})
	}
}

// TestDatesInTheTextOfAMemory asks for a day on which nothing was written. The memory
// was written on Friday, 8 May 2026.
func TestDatesInTheTextOfAMemory(t *testing.T) {
	for _, tt := range []struct {
		text, ask string
		want      float64 // month + day
	}{
		{"Saw the doctor yesterday", "what happened on 7 May?", 2},
		{"Habe gestern den Arzt gesehen", "was geschah am 7. Mai?", 2},
		{"Vi al médico ayer", "qué pasó el 7 de mayo", 2},
		{"J'ai vu le médecin hier", "que s'est-il passé le 7 mai 2026?", 2},
		{"昨日は医者に行った", "what happened on 7 May?", 2},
		{"Saw the doctor last Tuesday", "what happened on 5 May?", 2},
		{"Saw the doctor three days ago", "what happened on 5 May?", 2},
		{"Saw the doctor on 30 April", "what happened in April?", 1},
		{"Saw the doctor yesterday", "what happened in April?", 0},
		{"Saw the doctor", "what happened on 7 May?", 0},
		{"Saw the doctor last year", "what happened in 2025?", 0},
	} {
		t.Run(tt.text+"; "+tt.ask, func(t *testing.T) {
			src := &fakeSource{}
			src.add("a", 0.5, tt.text, created(time.Date(2026, 5, 8, 10, 0, 0, 0, time.UTC)))
			src.addSignals("a", memory.Signals{Context: 1})
			h := mustSearch(t, newSignalRecaller(src), recall.SearchOptions{Text: tt.ask, Explain: true}).Hits[0]
			if got := factorOf(t, h, "month") + factorOf(t, h, "day"); got != tt.want {
				t.Errorf("month + day = %v, want %v", got, tt.want)
			}
		})
	}
}

// TestRelativeDatesAreInTheZoneOfTheWorkspace asks at 23:30 in UTC, which is the next
// day in Tokyo.
func TestRelativeDatesAreInTheZoneOfTheWorkspace(t *testing.T) {
	tokyo := time.FixedZone("JST", 9*60*60)
	late := time.Date(2026, 5, 8, 23, 30, 0, 0, time.UTC)
	for zone, want := range map[*time.Location]float64{time.UTC: 0, tokyo: 1} {
		src := &fakeSource{}
		src.add("a", 0.5, "Alpha", created(time.Date(2026, 5, 8, 5, 0, 0, 0, time.UTC)))
		src.addSignals("a", memory.Signals{Context: 1})
		r := newSignalRecaller(src, func(s *recall.Settings) { s.Zone = zone })
		answer, err := r.Search(t.Context(), late, recall.SearchOptions{Text: "yesterday", Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := factorOf(t, answer.Hits[0], "month"); got != want {
			t.Errorf("%v: month %v, want %v", zone, got, want)
		}
	}
}
