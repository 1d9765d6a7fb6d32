package question

import (
	"strings"
	"time"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/recall/dates"
)

// bracketed matches brackets at the beginning of a message, with a time of day in them.
var bracketed = lazyregexp.New(`^\s*\[[^\[\]\n]*\b\d{1,2}:\d{2}\b[^\[\]\n]*\]\s*`)

// removeStamp removes what a host puts before a message: when it came, and perhaps from
// whom and where. "[Telegram Ada 2026-11-22 18:55] Who has the key?" asks for no day.
func removeStamp(text string) string {
	stamp := bracketed.FindString(text)
	if stamp == "" || len(stamp) == len(text) {
		return text
	}
	inside := strings.Trim(strings.TrimSpace(stamp), "[]")
	if !dates.Read(inside, time.Time{}).IsSet() {
		return text
	}
	return text[len(stamp):]
}
