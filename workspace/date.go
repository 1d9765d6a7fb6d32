package workspace

import (
	"path"
	"strings"
	"time"
)

// DateOf reads the day in a daily note's name, as in memory/2026-11-20.md and
// memory/2026-11-20-slug.md, in whatever folder: the start of that day in zone.
func DateOf(name string, zone *time.Location) (time.Time, bool) {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	if len(stem) < len(time.DateOnly) {
		return time.Time{}, false
	}
	day, rest := stem[:len(time.DateOnly)], stem[len(time.DateOnly):]
	if rest != "" && !strings.ContainsRune("-_ .", rune(rest[0])) {
		return time.Time{}, false
	}
	at, err := time.ParseInLocation(time.DateOnly, day, zone)
	return at, err == nil
}
