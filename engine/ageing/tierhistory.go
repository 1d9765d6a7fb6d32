package ageing

import (
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
)

// maxHistoryDays is the number of points of a history: more than a terminal is wide.
const maxHistoryDays = 120

// TierHistory counts the tiers at the ends of days, from the first memory to now. It
// leaves out days of a long history so that at most maxHistoryDays remain. now is in the
// zone of the days.
func TierHistory(lives []decay.Life, unaudited []time.Time, now time.Time) memory.TierHistory {
	first := lives[0].From
	for _, l := range lives {
		if l.From.Before(first) {
			first = l.From
		}
	}
	first = first.UTC()
	h := memory.TierHistory{Since: &first}
	days := daysBetween(first.In(now.Location()), now)
	step := (days + maxHistoryDays) / maxHistoryDays
	for ago := days / step * step; ago >= 0; ago -= step {
		year, month, day := now.AddDate(0, 0, -ago).Date()
		end := time.Date(year, month, day+1, 0, 0, 0, 0, now.Location()).Add(-time.Millisecond)
		if end.After(now) {
			end = now
		}
		h.Days = append(h.Days, countTiers(lives, unaudited, end))
	}
	h.Notes = append(h.Notes, fmt.Sprintf("the index saw its first memory on %s; nothing is known before", first.In(now.Location()).Format(time.DateOnly)))
	for _, d := range h.Days {
		if d.Unknown > 0 {
			h.Notes = append(h.Notes, "some memories changed their tier without a row in the audit, such as in the first sweep of a large index: their tier before is unknown")
			break
		}
	}
	h.Notes = append(h.Notes, "memories that were destroyed, or purged after their text was gone, are left out")
	return h
}

// daysBetween counts the midnights between two times of one zone.
func daysBetween(from, to time.Time) int {
	midnight := func(t time.Time) time.Time {
		year, month, day := t.Date()
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC) // days of 24 hours
	}
	return max(0, int(midnight(to).Sub(midnight(from))/(24*time.Hour)))
}

func countTiers(lives []decay.Life, unaudited []time.Time, at time.Time) memory.TierDay {
	d := memory.TierDay{Day: at.Format(time.DateOnly), Tiers: map[memory.Tier]int{}}
	for _, t := range memory.Tiers {
		d.Tiers[t] = 0
	}
	for _, l := range lives {
		switch tier, exists := l.TierAt(at, unaudited); {
		case exists && tier == "":
			d.Unknown++
		case exists:
			d.Tiers[tier]++
		}
	}
	return d
}
