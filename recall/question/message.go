package question

import (
	"strings"
	"time"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/dates"
)

// clock is a time of day in a regular expression.
const clock = `\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?`

var (
	// bracketStamp matches the stamp of a host before a message: "[Telegram Ada id:4711
	// 2026-11-22 18:55]". A time of day must be in it.
	bracketStamp = lazyregexp.New(`^\s*\[[^\[\]\n]{0,160}?\b` + clock + `\b[^\[\]\n]{0,40}\]:?\s*`)
)

// removeStamp removes what a host puts before a message: when it came, and perhaps from
// whom and where. "[Telegram Ada 2026-11-22 18:55] Who has the key?" asks for no day.
func removeStamp(text string) string {
	stamp := bracketStamp().FindString(text)
	if stamp == "" || len(stamp) == len(text) {
		return text
	}
	inside := strings.Trim(strings.TrimSpace(stamp), "[]:")
	if !dates.Read(inside, time.Time{}).IsSet() {
		return text
	}
	return text[len(stamp):]
}
