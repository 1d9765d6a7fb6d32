// Package dailynote puts new texts into the file of a day, a person's daily note or the
// file of captured texts. It writes a text as a bullet with a comment that declares whose it
// is. The file then reads back as these memories and no others.
package dailynote

import (
	"cmp"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/audience"
)

// Annotation is the comment beside a text.
type Annotation struct {
	comment  string          // empty: none
	declared memory.Declared // what the comment declares, as far as it protects the text
}

// AnnotationOfStored returns the annotation of a stored text. trust is empty where the
// source of the text decides it. What protects the memory that the text extends protects
// the text too, because it contains that.
func AnnotationOfStored(r memory.StoreRequest, by audience.Author, trust memory.TrustTier, extended *memory.Memory) (Annotation, error) {
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
	if _, ok := FitBullet(nil, Text{text: "any text"}, a); !ok {
		return a, memory.Conflict("the scope %q cannot be written beside a text", d.Scope).
			WithHint("give the memory that you extend another scope, or edit its file")
	}
	return a, nil
}

// NewAnnotation returns the annotation that declares d.
func NewAnnotation(d memory.Declared, source memory.Source, by audience.Author) Annotation {
	a := Annotation{declared: d}
	if pairs := annotationPairs(d, source, by); len(pairs) > 0 {
		a.comment = "<!-- " + strings.Join(pairs, "; ") + " -->"
	}
	return a
}

// annotationPairs returns what the comment of a stored text contains.
func annotationPairs(d memory.Declared, source memory.Source, by audience.Author) (pairs []string) {
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
