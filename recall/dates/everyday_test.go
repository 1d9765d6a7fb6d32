package dates_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/dates"
)

// sunday is the day on which the questions of this table are asked.
var sunday = time.Date(2026, 11, 22, 19, 0, 0, 0, time.UTC)

// readWhole returns the times that a question asks for, as from..to, and what is left of it.
func readWhole(ask string) (times, rest string) {
	named := dates.Read(ask, sunday)
	var spans []string
	for _, s := range named.Whole(sunday) {
		spans = append(spans, strings.ReplaceAll(format(s), "2026-", ""))
	}
	return strings.Join(spans, " "), named.Rest
}

// TestEverydayTimes has the year only where it is not 2026.
func TestEverydayTimes(t *testing.T) {
	for ask, want := range map[string]string{
		// two times of which one narrows the other
		"What did I do in March this year?":        "03-01..04-01",
		"What did I do on 28 March of this year?":  "03-28..03-29",
		"What did I do in the last week of March?": "03-25..04-01",
		"Was war in der letzten Woche im März?":    "03-25..04-01",
		"Que s'est-il passé fin mars ?":            "03-21..04-01",

		// some time ago
		"What did I do a month ago?":                 "10-12..11-02",
		"What did I do three months ago?":            "08-01..09-01",
		"What did I do a fortnight ago?":             "11-02..11-09",
		"What did I do half a year ago?":             "05-01..06-01",
		"Was habe ich vor einem halben Jahr gemacht": "05-01..06-01",
		"What did I do this time last year?":         "2025-10-22..2025-12-23",

		// a half, a quarter, a numbered week
		"What did I do in the first half of October?":         "10-01..10-16",
		"What did I do in the second half of September 2026?": "09-16..10-01",
		"Was war in der zweiten Hälfte des letzten Monats?":   "10-16..11-01",
		"What happened in the first half of this year?":       "01-01..07-01",
		"What did I do in the last half of 2025?":             "2025-07-01..01-01",
		"What did I do in Q3?":                                "07-01..10-01",
		"What did I do in the first quarter of last year?":    "2025-01-01..2025-04-01",
		"Was passierte im dritten Quartal 2025?":              "2025-07-01..2025-10-01",
		"Was war in KW 46?":                                   "11-09..11-16",
		"Was war in KW46?":                                    "11-09..11-16",
		"What did I do in calendar week 2 of 2026?":           "01-05..01-12",
		"What happened in week 50 of 2025?":                   "2025-12-08..2025-12-15",
		"What did we do in week 3 of the course?":             "",
		"What did I do in the first half?":                    "",
		"What did I do in KW 54?":                             "",

		// a counted part of a month
		"What happened in the last three days of October?":         "10-29..11-01",
		"What happened in the second week of November?":            "11-08..11-15",
		"What did we do on the first weekend of October?":          "10-03..10-05",
		"Who came on the last Friday of October?":                  "10-30..10-31",
		"What did I do on the 3rd Sunday in October?":              "10-18..10-19",
		"What was done in the first two weeks of October?":         "10-01..10-15",
		"What did I eat on the last day of last month?":            "10-31..11-01",
		"Was war in der zweiten Woche im Oktober?":                 "10-08..10-15",
		"Was geschah in den letzten drei Tagen im Oktober?":        "10-29..11-01",
		"Was war am ersten Wochenende im Oktober?":                 "10-03..10-05",
		"¿Qué pasó la segunda semana de octubre?":                  "10-08..10-15",
		"¿Qué hicimos los últimos tres días de octubre?":           "10-29..11-01",
		"Qu'avons-nous fait la première semaine de octobre ?":      "10-01..10-08",
		"Qu'avons-nous fait les trois derniers jours de octobre ?": "10-29..11-01",
		"What did we do on the fifth Friday of November?":          "11-01..12-01",
		"Who won the second game of the season?":                   "",
		"What is the second week of the course about?":             "",

		// weekdays further back
		"What did I do two Fridays ago?":               "11-13..11-14",
		"What did I do the Friday before last?":        "11-13..11-14",
		"What is on the Friday after next?":            "12-04..12-05",
		"Was habe ich letzten Freitag gemacht?":        "11-20..11-21",
		"Was habe ich vergangenen Freitag gemacht?":    "11-20..11-21",
		"Was habe ich vorletzten Freitag gemacht?":     "11-13..11-14",
		"Was war vor zwei Freitagen?":                  "11-13..11-14",
		"Was ist übernächsten Freitag?":                "12-04..12-05",
		"¿Qué hice el viernes antepasado?":             "11-13..11-14",
		"¿Qué hice hace dos viernes?":                  "11-13..11-14",
		"Qu'est-ce que j'ai fait il y a deux lundis ?": "11-09..11-10",
		"Two Fridays a month the shop is closed":       "",
		"I have worked two Fridays":                    "",

		// Chinese, Japanese and Korean
		"上周五我做了什么？":         "11-13..11-14",
		"上个星期天谁来了？":         "11-15..11-16",
		"下周一有什么安排？":         "11-23..11-24",
		"这周三我见了谁？":          "11-18..11-19",
		"先週の金曜日に何をした？":      "11-13..11-14",
		"上周我做了什么？":          "11-09..11-16",
		"11月上旬发生了什么？":       "11-01..11-11",
		"10月下旬に何があった？":      "10-21..11-01",
		"5月初我们去了哪里？":        "05-01..05-11",
		"10월 말에 무슨 일이 있었어?": "10-21..11-01",
		"上周五金店关门了吗":         "11-13..11-14",

		// from one weekday to another
		"What happened between Monday and Wednesday?":   "11-16..11-19",
		"What did I do from Monday to Wednesday?":       "11-16..11-19",
		"Was habe ich von Montag bis Mittwoch gemacht?": "11-16..11-19",
		"What will we do Monday to Wednesday?":          "11-23..11-26",
		"Is the shop open from Monday to Friday?":       "",
		"What happened since Friday afternoon?":         "11-20..11-23",

		// a weekday of the past
		"What did I do on Friday?":                  "11-20..11-21",
		"What did I do Friday?":                     "11-20..11-21",
		"Who called on Friday evening?":             "11-20..11-21",
		"What happened on Sunday?":                  "11-15..11-16",
		"Was war am Freitag los?":                   "11-20..11-21",
		"Was habe ich Freitag gemacht?":             "11-20..11-21",
		"Wen habe ich am Freitagabend getroffen?":   "11-20..11-21",
		"Wer ist am Mittwoch angekommen?":           "11-18..11-19",
		"Wann hat Rosa am Dienstag angerufen?":      "11-17..11-18",
		"¿Qué hice el viernes?":                     "11-20..11-21",
		"¿Quién llamó el viernes por la tarde?":     "11-20..11-21",
		"Qu'est-ce que j'ai fait vendredi ?":        "11-20..11-21",
		"Qui a appelé mardi soir ?":                 "11-17..11-18",
		"What did I do on Friday last week?":        "11-13..11-14",
		"What is on last week on Friday?":           "11-13..11-14",
		"Was war letzte Woche Freitag?":             "11-13..11-14",
		"vendredi de la semaine dernière":           "11-13..11-14",
		"Friday next week":                          "11-27..11-28",
		"¿Qué hice el viernes de la semana pasada?": "11-13..11-14",
		// of the future
		"What is planned for Tuesday?":    "11-24..11-25",
		"What's due on Friday?":           "11-27..11-28",
		"Anything for Tuesday?":           "11-24..11-25",
		"What will we do on Friday?":      "11-27..11-28",
		"What do I need on Friday?":       "11-27..11-28",
		"coming Tuesday":                  "11-24..11-25",
		"Was steht am Dienstag an?":       "11-24..11-25",
		"Was ist für Dienstag geplant?":   "11-24..11-25",
		"¿Qué hay para el martes?":        "11-24..11-25",
		"Qu'est-ce qui est prévu mardi ?": "11-24..11-25",
		// a habit, or either
		"What do we do on Fridays?":                      "",
		"What do we do every Friday?":                    "",
		"Who teaches on Tuesday?":                        "",
		"Who is off on Friday?":                          "",
		"Was machen wir am Freitag?":                     "",
		"Was kommt am Dienstag?":                         "",
		"¿Qué hicimos los viernes?":                      "",
		"Qu'est-ce que j'ai fait le vendredi ?":          "",
		"What was planned for Friday?":                   "",
		"Who missed the Friday meeting?":                 "",
		"Did we agree on Friday releases?":               "",
		"What did I buy on Black Friday?":                "",
		"Where is it held on Friday?":                    "",
		"What happened on my Tuesday and Thursday runs?": "",
		"What did I get on the third Saturday?":          "",
		"I finished on Saturday. What is next?":          "",
		"What did I eat Friday?":                         "11-20..11-21",
		"Who has called every Tuesday?":                  "",
		// a weekday with its date
		"on Friday the 20th":                              "11-20..11-21",
		"Friday, the 20th":                                "11-20..11-21",
		"on Friday 20 November":                           "11-20..11-21",
		"on Friday, 20 November 2026":                     "11-20..11-21",
		"on Fri, Nov 20":                                  "11-20..11-21",
		"on 20 November (Friday)":                         "11-20..11-21",
		"2026-11-20 (Fri)":                                "11-20..11-21",
		"Fri 2026-11-20":                                  "11-20..11-21",
		"am Freitag, den 20. November":                    "11-20..11-21",
		"am Freitag, den 20.":                             "11-20..11-21",
		"am Freitag, 20.11.2026":                          "11-20..11-21",
		"am Fr., 20.11.":                                  "11-20..11-21",
		"vendredi 20 novembre":                            "11-20..11-21",
		"le vendredi 20 novembre":                         "11-20..11-21",
		"el viernes 20 de noviembre":                      "11-20..11-21",
		"el viernes 20":                                   "11-20..11-21",
		"from Friday, 20 November to Sunday, 22 November": "11-20..11-23",
		"since Friday, 20 November":                       "11-20..11-23",
	} {
		if got, _ := readWhole(ask); got != want {
			t.Errorf("%q names %q, want %q", ask, got, want)
		}
	}
}

func TestEverydayDaysAndSpans(t *testing.T) {
	for ask, want := range map[string]string{
		// days of a month
		"What did I do on the 20th?":                 "11-20..11-21",
		"Who called on the 25th?":                    "10-25..10-26",
		"What is planned for the 20th?":              "12-20..12-21",
		"Who has the key on the 25th?":               "10-25..10-26 11-25..11-26",
		"Was habe ich am 20. gemacht?":               "11-20..11-21",
		"Qu'est-ce que j'ai fait le 20 ?":            "11-20..11-21",
		"¿Qué hice el 20?":                           "11-20..11-21",
		"What did I do on the 5th of last month?":    "10-05..10-06",
		"What happened between the 3rd and the 5th?": "11-03..11-06",
		"Was war vom 3. bis 5. los?":                 "11-03..11-06",
		"Qu'est-ce que j'ai fait du 3 au 5 ?":        "11-03..11-06",
		"Who came on the 31st?":                      "10-31..11-01",
		"What happened since the 15th?":              "11-15..11-23",
		"the 20th century":                           "",
		"on the 20th floor":                          "",
		"on the 5th of each month":                   "",
		"the second of three":                        "",
		"am 20. Geburtstag":                          "",
		"How early may someone phone?":               "",
		"We met on the 21st. Who came?":              "",
		"I am 20, what did I do?":                    "",
		"le 20 rue Foch":                             "",
		"el 20 por ciento":                           "",
		"open from 9 to 17.":                         "",
		"version 1.2, 3/4 and at 10:30":              "",
		"Friday at 5":                                "",
		// weekends
		"What did I do over the weekend?":       "11-21..11-23",
		"What happened at the weekend?":         "11-21..11-23",
		"Was war am Wochenende los?":            "11-21..11-23",
		"Qu'est-ce que j'ai fait le week-end ?": "11-21..11-23",
		"¿Qué hice el fin de semana?":           "11-21..11-23",
		"What is planned for the weekend?":      "11-21..11-23",
		"last weekend":                          "11-14..11-16",
		"the weekend before last":               "11-07..11-09",
		"letztes Wochenende":                    "11-14..11-16",
		"It's the weekend, what was left?":      "",
		"Who works on weekends?":                "",
		"Who works at the weekend?":             "",
		// the last days
		"in the past few days":         "11-15..11-23",
		"in den letzten Tagen":         "11-15..11-23",
		"ces derniers jours":           "11-15..11-23",
		"en los últimos días":          "11-15..11-23",
		"in the last few weeks":        "10-25..11-23",
		"in den letzten paar Wochen":   "10-25..11-23",
		"a couple of weeks ago":        "10-25..11-16",
		"yesterday and the day before": "11-20..11-22",
		"gestern und vorgestern":       "11-21..11-22 11-20..11-21",
		"the week before last":         "11-02..11-09",
		"vorletzte Woche":              "11-02..11-09",
		"heute früh":                   "11-22..11-23",
		"tonight":                      "11-22..11-23",
		// parts of a month, a week, a year
		"What did we do in early November?": "11-01..11-11",
		"Anfang November":                   "11-01..11-11",
		"mid-October":                       "10-11..10-21",
		"Mitte Oktober 2025":                "2025-10-11..2025-10-21",
		"fin octobre":                       "10-21..11-01",
		"début novembre":                    "11-01..11-11",
		"a fines de octubre":                "10-21..11-01",
		"a mediados de octubre":             "10-11..10-21",
		"the end of the month":              "11-21..12-01",
		"Ende letzten Monats":               "10-21..11-01",
		"at the end of last week":           "11-13..11-16",
		"Anfang der Woche":                  "11-16..11-18",
		"late 2025":                         "2025-09-01..2026-01-01",
		"since mid-October":                 "10-11..11-23",
		"What did I start last week?":       "11-09..11-16",
		"the end of the project":            "",
		// relations
		"What happened since Wednesday?":   "11-18..11-23",
		"Was geschah seit Mittwoch?":       "11-18..11-23",
		"What happened after 15 November?": "11-16..11-23",
		"What is due before Friday?":       "11-22..11-27",
		"What did I do before Friday?":     "..11-20",
		"What is due until the 25th?":      "11-22..11-26",
		"What did I plan for 8 December?":  "2025-12-08..2025-12-09 12-08..12-09",
		"What did I do on 8 December?":     "2025-12-08..2025-12-09",
		"What is planned for 8 December?":  "12-08..12-09",
		// Chinese, Japanese and Korean
		"11月3日に何をしましたか":     "11-03..11-04",
		"2026年11月3日（火）の会議":  "11-03..11-04",
		"11月20日金曜日":         "11-20..11-21",
		"我11月20号星期五做了什么":    "11-20..11-21",
		"十一月二十日做了什么":        "11-20..11-21",
		"2026年11月":          "11-01..12-01",
		"11월 3일에 뭐 했어?":     "11-03..11-04",
		"2026년 11월 20일 금요일": "11-20..11-21",
		"3个月":               "",
	} {
		if got, _ := readWhole(ask); got != strings.ReplaceAll(want, "2026-", "") {
			t.Errorf("%q names %q, want %q", ask, got, want)
		}
	}
}

func TestADayOfEveryMonthIsHeldByTextsThatNameIt(t *testing.T) {
	third := dates.Read("What is due on the 3rd?", sunday).Whole(sunday)[0]
	for text, want := range map[string]bool{
		"Rent is due on the 3rd":               true,
		"Rent is due on the 3rd of each month": true,
		"Am 3. wird die Miete fällig":          true,
		"Rent is due on the 13th":              false,
		"The office is on the 3rd floor":       false,
		"The 3rd of three attempts worked":     false,
	} {
		m := memory.Memory{Text: text, Path: "MEMORY.md", CreatedAt: sunday.AddDate(0, -2, 0)}
		if _, held := dates.Holds(third, &m, time.UTC); held != want {
			t.Errorf("%q is held: %t, want %t", text, held, want)
		}
	}
}

// TestNextWeekdayMayBeOfNextWeek asks on a Monday.
func TestNextWeekdayMayBeOfNextWeek(t *testing.T) {
	monday := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	for ask, want := range map[string]string{
		"What happens next Tuesday?":        "2026-11-24 2026-12-01",
		"Was ist nächsten Dienstag?":        "2026-11-24 2026-12-01",
		"What happens this coming Tuesday?": "2026-11-24",
		"What happens next Monday?":         "2026-11-30",
	} {
		var days []string
		for _, s := range dates.Read(ask, monday).Whole(monday) {
			days = append(days, s.From.Format(time.DateOnly))
		}
		if got := strings.Join(days, " "); got != want {
			t.Errorf("%q names %s, want %s", ask, got, want)
		}
	}
}

func TestAMonthAgoIsAboutADayOfAShorterMonth(t *testing.T) {
	now := time.Date(2026, 3, 31, 9, 0, 0, 0, time.UTC)
	if whole := dates.Read("What did I do a month ago?", now).Whole(now); len(whole) != 1 || format(whole[0]) != "2026-02-18..2026-03-11" {
		t.Errorf("%v", whole)
	}
}
