package store

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/internal/secrets"
)

// declaredOf returns what the mark of a stored text declares. trust is empty where the
// source of the text decides it. What protects the memory that the text extends protects
// the text too, because it contains that.
func declaredOf(r memory.StoreRequest, by lookup.Author, trust memory.TrustTier, extended *memory.Memory) (memory.Declared, error) {
	d := memory.Declared{User: by.User, Scope: by.Scope, Trust: trust}
	if r.Source == memory.SourceTool {
		d.Source = r.Source
	}
	if r.Private || extended != nil && extended.Private {
		d.Private = new(true)
	}
	if extended != nil {
		if d.Trust == "" && extended.Trust != memory.TrustTrusted {
			d.Trust = extended.Trust
		}
		if extended.ImportanceLabel == memory.ImportanceIgnore {
			d.ImportanceLabel = extended.ImportanceLabel
		}
		if extended.ExpiresAt != nil {
			d.Expires = extended.ExpiresAt.UTC().Truncate(time.Second)
		}
		d.Scope = cmp.Or(extended.Scope, d.Scope)
	}
	if _, ok := fitBullet(nil, Text{text: "any text"}, d); !ok {
		return d, memory.Conflict("the scope %q cannot be written beside a text", d.Scope).
			WithHint("give the memory that you extend another scope, or edit its file")
	}
	return d, nil
}

// isProtected reports whether a block is protected as its mark should declare.
func isProtected(b memory.Block, want memory.Declared) bool {
	is := b.Annotations
	return is.Trust == want.Trust && is.User == want.User && is.Scope == want.Scope && is.Expires.Equal(want.Expires) &&
		is.ImportanceLabel == want.ImportanceLabel && isTrue(is.Private) == isTrue(want.Private)
}

func isTrue(b *bool) bool { return b != nil && *b }

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

// WithDay returns the text with the day that it is about behind it, unless it has that date.
func (t Text) WithDay(day string) Text {
	if strings.Contains(t.text, day) {
		return t
	}
	return Text{t.text + " (" + day + ")", t.said}
}

// Said returns the text without the dates of its relative days.
func (t Text) Said() string { return t.said }

// hasSecret reports whether a person insisted on a text that looks like it contains a secret.
func (t Text) hasSecret() bool {
	_, found := secrets.Find(t.text)
	return found
}

func (t Text) String() string { return t.text }
