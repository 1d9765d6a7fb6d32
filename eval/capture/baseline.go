package main

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// The rules of memory-lancedb, the vector memory that OpenClaw ships, as its
// source publishes them. A user message of 10 to 500 characters is kept whole if
// it has one of these words. It must look neither like markup nor like an
// injection.
var (
	lancedbWords = regexp.MustCompile(`(?i)remember|prefer|zapamatuj si|pamatuj|preferuji|radši|nechci|rozhodli jsme|budeme používat|` +
		`\+\d{10,}|[\w.-]+@[\w.-]+\.\w+|můj\s+\w+\s+je|je\s+můj|my\s+\w+\s+is|is\s+my|i (?:like|prefer|hate|love|want|need)|always|never|important`)
	lancedbInjection = regexp.MustCompile(`(?i)ignore (?:all|any|previous|above|prior) instructions|do not follow (?:the )?(?:system|developer)|` +
		`system prompt|developer message|<\s*(?:system|assistant|developer|tool|function|relevant-memories)\b|` +
		`\b(?:run|execute|call|invoke)\b.{0,40}\b(?:tool|command)\b`)
)

const (
	maxEmoji   = 3
	minLancedb = 10
	maxLancedb = 500
)

// lancedb captures as memory-lancedb does.
func lancedb(i item) (kept []string) {
	turn, _ := i.turn()
	for _, m := range turn.Messages {
		if m.Role == "user" && lancedbKeeps(m.Text) {
			kept = append(kept, m.Text)
		}
	}
	return kept
}

func lancedbKeeps(text string) bool {
	if n := utf8.RuneCountInString(text); n < minLancedb || n > maxLancedb {
		return false
	}
	emoji := 0
	for _, r := range text {
		if r >= 0x1f300 && r <= 0x1f9ff {
			emoji++
		}
	}
	markup := strings.Contains(text, "<relevant-memories>") || strings.HasPrefix(text, "<") && strings.Contains(text, "</") ||
		strings.Contains(text, "**") && strings.Contains(text, "\n-")
	return emoji <= maxEmoji && !markup && !lancedbInjection.MatchString(text) && lancedbWords.MatchString(text)
}
