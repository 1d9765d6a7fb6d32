package dailynote

import (
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/secrets"
)

// Text is a text that may become a memory. Only [Admit] makes one, and only a Text can be
// appended to a note. So no route keeps a secret that another one refuses.
type Text struct {
	text string
	said string // without the dates of its relative days
}

// Admit returns a text that a note may contain. A text with what looks like a secret is
// refused with [memory.ErrForbidden], unless a person insists on it. The error does not
// repeat the text.
func Admit(text string, insists bool) (Text, error) {
	if kind, found := secrets.Find(text); found && !insists {
		return Text{}, &memory.Error{Kind: memory.ErrForbidden, Field: "text",
			Message: fmt.Sprintf("this is not stored, because it looks like it contains a secret (%s): notes are readable files, and their text is put into prompts", kind)}
	}
	return Text{text, text}, nil
}

// WithDays returns the text with the dates of its relative days. at is when it was said, in the
// zone of the workspace. It is for what agents and capture store: a person's own text stays as
// it was written.
func (t Text) WithDays(at time.Time) Text { return Text{withDays(t.said, at), t.said} }

// Said returns the text without the dates of its relative days.
func (t Text) Said() string { return t.said }

// HasSecret reports whether a person insisted on a text that looks like it contains a secret.
func (t Text) HasSecret() bool {
	_, found := secrets.Find(t.text)
	return found
}

func (t Text) String() string { return t.text }
