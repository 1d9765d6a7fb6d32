package capture

import (
	"slices"

	"github.com/memory-tiered/memory/internal/secrets"
)

// said returns what was said before message i: the last message of the user, and what
// follows it.
func said(messages []Message, i int) (texts []string) {
	if messages[i].Before != "" {
		texts = append(texts, messages[i].Before)
	}
	for _, m := range slices.Backward(messages[:i]) {
		if m.Role == RoleUser || m.Role == RoleAssistant {
			texts = append(texts, m.Text)
		}
		if m.Role == RoleUser {
			break
		}
	}
	return texts
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

// Continues reports whether a message of the user is understood with the next one only. That
// one takes it back, or may state the secret that it names.
func Continues(text, next string) bool { return TakesBack(next) || secrets.Names(text) }
