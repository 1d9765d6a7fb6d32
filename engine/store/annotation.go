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

// Annotation is the comment beside a text.
type Annotation struct {
	comment  string          // empty: none
	declared memory.Declared // what the comment declares, as far as it protects the text
}

// annotationOfStored returns the annotation of a stored text. trust is empty where the
// source of the text decides it. What protects the memory that the text extends protects
// the text too, because it contains that.
func annotationOfStored(r memory.StoreRequest, by lookup.Author, trust memory.TrustTier, extended *memory.Memory) (Annotation, error) {
	d := memory.Declared{User: by.User, Scope: by.Scope, Trust: trust}
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
	a := NewAnnotation(d, r.Source, by)
	if _, ok := fitBullet(nil, Text{text: "any text"}, a); !ok {
		return a, memory.Conflict("the scope %q cannot be written beside a text", d.Scope).
			WithHint("give the memory that you extend another scope, or edit its file")
	}
	return a, nil
}

// NewAnnotation returns the annotation that declares d.
func NewAnnotation(d memory.Declared, source memory.Source, by lookup.Author) Annotation {
	a := Annotation{declared: d}
	if pairs := annotationPairs(d, source, by); len(pairs) > 0 {
		a.comment = "<!-- " + strings.Join(pairs, "; ") + " -->"
	}
	return a
}

// annotationPairs returns what the comment of a stored text contains.
func annotationPairs(d memory.Declared, source memory.Source, by lookup.Author) (pairs []string) {
	if source == memory.SourceTool {
		pairs = append(pairs, "source: "+string(source))
	}
	if d.Trust != "" {
		pairs = append(pairs, "trust: "+string(d.Trust))
	}
	if d.Private != nil {
		pairs = append(pairs, "private")
	}
	if d.Scope != "" {
		pairs = append(pairs, "scope: "+string(d.Scope))
	}
	if !d.Expires.IsZero() {
		pairs = append(pairs, "expires: "+d.Expires.Format(time.RFC3339))
	}
	if d.ImportanceLabel != "" {
		pairs = append(pairs, "importance_label: "+string(d.ImportanceLabel))
	}
	pairs = append(pairs, by.UserPairs()...)
	if d.Tier != "" {
		pairs = append(pairs, "tier: "+strings.ToLower(string(d.Tier)))
	}
	if !d.Created.IsZero() {
		pairs = append(pairs, "created: "+d.Created.UTC().Format(time.RFC3339))
	}
	return pairs
}

// isOf reports whether a block is protected as the annotation declares.
func (a Annotation) isOf(b memory.Block) bool {
	is, want := b.Annotations, a.declared
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

// Said returns the text without the dates of its relative days.
func (t Text) Said() string { return t.said }

// hasSecret reports whether a person insisted on a text that looks like it contains a secret.
func (t Text) hasSecret() bool {
	_, found := secrets.Find(t.text)
	return found
}

func (t Text) String() string { return t.text }
