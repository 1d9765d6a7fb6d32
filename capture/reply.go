package capture

import (
	"slices"
	"unicode/utf8"

	"github.com/memory-tiered/memory/internal/secrets"
)

// Bounds of the messages between a question about a secret and its answer, such as "One
// moment."
const (
	maxBetween     = 6  // messages
	maxShortAnswer = 60 // characters of a message of the user among them
)

// said returns what was said before message i, the last first. This is the last message of
// the user and what follows it. Short messages may stand between a question and its answer,
// so the messages before these that ask for a secret are added.
func said(messages []Message, i int) (texts []string) {
	texts = slices.Clone(messages[i].Before)
	waiting := false // only messages that ask for a secret count
	for n, m := range slices.Backward(messages[:i]) {
		switch {
		case m.Role != RoleUser && m.Role != RoleAssistant:
			continue
		case i-n > maxBetween:
			return texts
		case !waiting || secrets.Awaits(m.Text):
			texts = append(texts, m.Text)
		}
		if m.Role == RoleUser {
			if waiting = true; utf8.RuneCountInString(m.Text) > maxShortAnswer {
				return texts
			}
		}
		if len(m.Before) > 0 {
			return append(texts, m.Before...)
		}
	}
	return texts
}

// TextsBefore returns what was said before the next message, for [Message.Before].
func TextsBefore(messages []Message) []string {
	return said(append(slices.Clip(messages), Message{}), len(messages))
}

// secretReply returns the kind of the secret that a candidate states as the reply to what
// was said before.
func secretReply(before []string, text string) (kind string, ok bool) {
	for _, b := range before {
		if kind, ok = secrets.FindReply(b, text); ok {
			return kind, true
		}
	}
	return "", false
}

// Continues reports whether message i of the user is understood with the user's next one
// only. That one takes it back, or may state the secret that was asked for.
func Continues(messages []Message, i int) bool {
	next := slices.IndexFunc(messages[i+1:], func(m Message) bool { return m.Role == RoleUser })
	if next < 0 {
		return false
	}
	return TakesBack(messages[i+1+next].Text) || secrets.Names(messages[i].Text) ||
		secrets.PointsBack(messages[i+1+next].Text) || slices.ContainsFunc(said(messages[:i+1], i), secrets.Awaits)
}
