package question

import (
	"strings"
	"time"

	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/dates"
)

// Message returns what a person wrote in a prompt. It removes what hosts and mail programs
// put around it: stamps before a line, a signature, quoted lines and the line that
// introduces them. The times in them are no times of the question. The quoted lines stay
// if the others tell nothing without them.
func Message(prompt string) string {
	if !strings.ContainsAny(prompt, "[>:\n") {
		return prompt // most prompts
	}
	var kept, withQuotes []string
	lines := strings.Split(strings.ReplaceAll(prompt, "\r\n", "\n"), "\n")
	for _, line := range withoutSignature(lines) {
		line = withoutStamp(line)
		f := lang.Fold(line)
		if has("sent from", f) {
			continue
		}
		withQuotes = append(withQuotes, line)
		if !isQuoted(line) && !(has("wrote", f) && hasDigit(line)) {
			kept = append(kept, line)
		}
	}
	if message := strings.Join(kept, "\n"); len(kept) == len(withQuotes) || !IsTrivial(message) {
		return message
	}
	return strings.Join(withQuotes, "\n")
}

// clock is a time of day in a regular expression.
const clock = `\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?`

var (
	// bracketStamp matches the stamp of a host before a message: "[Telegram Ada id:4711
	// 2026-11-22 18:55]". A time of day must be in it.
	bracketStamp = lazyregexp.New(`^\s*\[[^\[\]\n]{0,160}?\b` + clock + `\b[^\[\]\n]{0,40}\]:?\s*`)
	// logStamp matches the date and the time of day before a line of a log.
	logStamp = lazyregexp.New(`^\s*(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}[T ]|\d{1,2}/[A-Z][a-z]{2}/\d{4}[: ]|[A-Z][a-z]{2} {1,2}\d{1,2} )\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?[:,]?\s+`)
)

// withoutStamp removes the stamp before a line, if a word is left.
func withoutStamp(line string) string {
	for _, stamp := range []*lazyregexp.Regexp{bracketStamp, logStamp} {
		if rest := stamp.ReplaceAllString(line, ""); rest != "" {
			line = rest
		}
	}
	return line
}

func isQuoted(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") }

// withoutSignature removes a signature: the lines after "--" at the end of a message. They
// are few and short, and none asks.
func withoutSignature(lines []string) []string {
	const maxLines, maxBytes = 8, 80
	for i := len(lines) - 1; i > 0 && i >= len(lines)-1-maxLines; i-- {
		if strings.TrimRight(lines[i], " \t") == "--" {
			return lines[:i]
		}
		if len(lines[i]) > maxBytes || strings.ContainsAny(lines[i], "?？") {
			return lines
		}
	}
	return lines
}

// removeStamp removes what a host puts before a message: when it came, and perhaps from
// whom and where. "[Telegram Ada 2026-11-22 18:55] Who has the key?" asks for no day.
func removeStamp(text string) string {
	stamp := bracketStamp.FindString(text)
	if stamp == "" || len(stamp) == len(text) {
		return text
	}
	inside := strings.Trim(strings.TrimSpace(stamp), "[]:")
	if !dates.Read(inside, time.Time{}).IsSet() {
		return text
	}
	return text[len(stamp):]
}

// trace matches a line of code, or of the trace of a program that failed.
var trace = lazyregexp.New("(?:^|\\s)```|Traceback \\(most recent call last\\)|(?:^|\\s)at [\\w$.<>]+\\(|\\bgoroutine \\d+ \\[")

// handsOverMaterial reports whether a prompt brings what it is about: code, a trace, or what
// follows "this:". Notes that share no word with it are near to it by chance.
func handsOverMaterial(prompt string, f lang.Folded) bool {
	return has("hands over", f) || strings.ContainsAny(prompt, "`([") && trace.MatchString(prompt)
}
