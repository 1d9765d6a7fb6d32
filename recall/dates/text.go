package dates

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/calendar"
	"github.com/memory-tiered/memory/recall/language"
)

// maxTextDates bounds the dates that are read from one text.
const maxTextDates = 4

// dateTriggers lists the words without which a text names no relative date.
var dateTriggers = language.WordSet(`yesterday today tonight tomorrow last past ago next coming morgen übermorgen nächste nächsten nächster nächstes kommende kommenden mañana próximo próxima viene prochain prochaine gestern heute vorgestern letzte letzten letzter letztes vorige vorigen voriger vor
ayer hoy anteayer pasado pasada hace hier demain aujourd dernier dernière il`)

// MatchMemory returns the signals "month" and "day" of a memory. They are those of
// the day on which it was written, or of a time that its own text names. "I saw the
// doctor yesterday", written on 8 May, is about 7 May.
func (d Named) MatchMemory(m *memory.Memory, zone *time.Location) (month, day float64) {
	if !d.IsSet() {
		return 0, 0
	}
	written, _ := WrittenOn(m, zone)
	month, day = d.matchSpan(written)
	if month+day == 2 || !mayNameDate(m.Text) {
		return month, day
	}
	for _, s := range textDates(m.Text, written.From) {
		m, n := d.matchSpan(s)
		month, day = max(month, m), max(day, n)
	}
	return month, day
}

// matchSpan returns the signals "month" and "day" of a time. A long one is on no day.
func (d Named) matchSpan(s Span) (month, day float64) {
	month, day = d.matchDate(s.From.Add(s.To.Sub(s.From) / 2))
	return month, day * isOneDay(s)
}

// mayNameDate is a quick test, because most texts name no date.
func mayNameDate(text string) bool {
	return hasCJK(text) ||
		language.AnyWord(text, func(w string) bool { return dateTriggers[w] || unicode.IsDigit(rune(w[0])) || monthNumbers[w] > 0 })
}

// textDates returns the times that a text names, at most a week long: a longer one
// tells too little about the day. Relative ones count from the day of writing.
func textDates(text string, written time.Time) (dates []Span) {
	tokens := tokenise(text)
	for i := 0; i < len(tokens) && len(dates) < maxTextDates; i++ {
		if d, n := parseDate(tokens[i:], false); n > 0 && d.Day > 0 {
			for _, reading := range d.readings() {
				dates = append(dates, reading.InferYearNear(written).Span(written.Location()))
			}
			i += n - 1
		}
	}
	if len(dates) == maxTextDates {
		return dates
	}
	words := lowerWords(tokens)
	for _, part := range partsWithDates(replaceNumbers(words)) {
		eachSpan(part, calendar.StartOfDay(written), func(s Span, _ bool) {
			const week = 7
			if !s.To.After(s.From.AddDate(0, 0, week)) && len(dates) < maxTextDates && !slices.Contains(dates, s) {
				dates = append(dates, s)
			}
		})
	}
	return dates
}

// moreTriggers lists words of relative dates that occur in texts without any, too. A
// text is read because of dateTriggers or digits, and then these count as well.
var moreTriggers = language.WordSet(`this diese diesen dieses voriger esta este cette ce derniers derniere últimos últimas avant avant-hier aujourd'hui`)

// partsWithDates returns the parts of a text in which a relative date may be: the
// words around each trigger, joined by spaces. The patterns take too long for a long
// text. A text in CJK is one part.
func partsWithDates(words []string) (parts []string) {
	for i := 0; i < len(words); i++ {
		switch {
		case hasCJK(words[i]):
			return []string{strings.Join(words, " ")}
		case !dateTriggers[words[i]] && !moreTriggers[words[i]]:
			continue
		}
		from, to := max(0, i-maxRelativeWords), i+maxRelativeWords
		for k := i + 1; k < min(to, len(words)); k++ {
			if dateTriggers[words[k]] || moreTriggers[words[k]] {
				to = k + maxRelativeWords
			}
		}
		to = min(to, len(words))
		parts = append(parts, strings.Join(words[from:to], " "))
		i = to - 1
	}
	return parts
}
