package similar

import (
	"maps"
	"strings"
)

// circumstances lists words for when a statement holds: "at 20:00 on weekends". An
// exception and its rule both hold. Each word is followed by the group that it belongs to.
var circumstances = func() map[string]string {
	groups := map[string]string{}
	for group, words := range map[string]string{
		"weekend":   "weekend weekends wochenende wochenenden finde week-end week-ends",
		"workday":   "weekday weekdays workday workdays werktags wochentags",
		"winter":    "winter winters hiver invierno",
		"summer":    "summer summers sommer verano",
		"autumn":    "autumn herbst automne otoño",
		"spring":    "springtime frühling frühjahr printemps primavera",
		"holiday":   "holiday holidays vacation vacations ferien feiertags feiertagen urlaub vacances férié fériés vacaciones festivos",
		"exception": "temporarily exceptionally ausnahmsweise vorübergehend exceptionnellement temporairement excepcionalmente temporalmente",
		"day":       "today tonight tomorrow heute aujourd'hui demain hoy",
	} {
		for word := range strings.FieldsSeq(words) {
			groups[word] = group
		}
	}
	return groups
}()

// circumstancesCJK lists the same for texts without spaces.
var circumstancesCJK = []string{"今日", "明日", "今天", "明天", "週末", "周末", "平日", "休日", "祝日", "假期", "冬", "夏", "一時的", "暂时"}

// holdsWhen reports whether two statements hold under the same circumstances, as far as
// their words tell. A day such as "today" also tells when something changed ("today we
// moved it to 10:00"), so with a word of change it is none.
func (s *Statement) holdsWhen(other *Statement) bool {
	if s.cjk || other.cjk {
		for _, w := range circumstancesCJK {
			if strings.Contains(s.text, w) != strings.Contains(other.text, w) {
				return false
			}
		}
		return true
	}
	return maps.Equal(s.circumstances(), other.circumstances())
}

func (s *Statement) circumstances() map[string]bool {
	found, before := map[string]bool{}, [2]string{}
	for field := range strings.FieldsSeq(s.text) {
		word := strings.ToLower(trimPunctuation(field))
		group := circumstances[word]
		if demonstratives[before[1]] && spans[word] && !beginnings[before[0]] {
			group = "exception" // "this week", and not "from this week"
		}
		if group != "" && (group != "day" || !s.tellsWhenItChanged()) {
			found[group] = true
		}
		before = [2]string{before[1], word}
	}
	return found
}

// tellsWhenItChanged reports whether a day such as "today" is that of a change. "Platform
// 4 instead of 6 today" is an exception.
func (s *Statement) tellsWhenItChanged() bool {
	return s.readClaim().change&(becomes|substitutes) == becomes
}

// A span such as "this week" is an exception, unless something begins with it.
var (
	demonstratives = set("this diese diesen dieser diesem cette ce esta este")
	spans          = set("week month weekend afternoon evening morning woche monat wochenende nachmittag abend semaine mois semana mes")
	beginnings     = set("from since of starting ab seit de depuis desde partir")
)
