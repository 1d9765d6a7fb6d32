package dates_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/recall/dates"
)

// TestPhrasesAreFoundAsByEachPattern compares the one pass over a text with a search for
// each pattern.
func TestPhrasesAreFoundAsByEachPattern(t *testing.T) {
	words := strings.Fields(`today tonight yesterday last night past week weekend month year a few days ago 3 12 9999 weeks months day before tomorrow this
il y quelques jours une deux semaines mois vor ein paar tagen tag wochen hace unos días semanas meses el la le pasado pasada semana fin de año l'année dernière
derniers dernier lundi lunes letzten letzte letzter letztes vorige woche monat montag sonnabend wochenende week-end avant hier avant-hier soir este mes ce cette année friday water 昨日 一昨日 きのう 前天 今日 明天 先週 这个星期 上个月 3日前 三天前 两週間前 2ヶ月前 去年 今年 港`)
	today := time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	property.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 40).Draw(rt, "words"), " ")
		want, got := dates.SpansByEachPattern(text, today), dates.SpansIn(text, today)
		if !slices.Equal(got, want) {
			rt.Fatalf("%q: %v, want %v", text, got, want)
		}
	})
}

func TestEveryCJKDateHasTextsThatItNeeds(t *testing.T) {
	for i, needs := range dates.CJKNeeds() {
		if len(needs) == 0 {
			t.Errorf("pattern %d has none, so it would never match", i)
		}
	}
}
