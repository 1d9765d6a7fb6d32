package engine

import (
	"cmp"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// annotation is the comment beside a text.
type annotation struct {
	comment  string          // empty: none
	declared memory.Declared // what the comment declares, as far as it protects the text
}

// annotationOf returns the annotation of a stored text. What protects the memory that it
// extends protects it too, because it contains that.
func annotationOf(r memory.StoreRequest, by author, text string, extended *memory.Memory) (annotation, error) {
	d := memory.Declared{User: by.user, Scope: by.scope, Trust: trustOf(r, text)}
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
	a := newAnnotation(d, r.Source, by)
	if _, ok := fitBullet(nil, "any text", a); !ok {
		return a, memory.Conflict("the scope %q cannot be written beside a text", d.Scope).
			WithHint("give the memory that you extend another scope, or edit its file")
	}
	return a, nil
}

// newAnnotation returns the annotation that declares d.
func newAnnotation(d memory.Declared, source memory.Source, by author) annotation {
	a := annotation{declared: d}
	if pairs := annotationPairs(d, source, by); len(pairs) > 0 {
		a.comment = "<!-- " + strings.Join(pairs, "; ") + " -->"
	}
	return a
}

// annotationPairs returns what the comment of a stored text contains.
func annotationPairs(d memory.Declared, source memory.Source, by author) (pairs []string) {
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
	pairs = append(pairs, author{user: by.user}.pairs()...)
	if d.Tier != "" {
		pairs = append(pairs, "tier: "+strings.ToLower(string(d.Tier)))
	}
	if !d.Created.IsZero() {
		pairs = append(pairs, "created: "+d.Created.UTC().Format(time.RFC3339))
	}
	return pairs
}

// storeNotices returns what a person should know who stored a text and got a memory.
func storeNotices(r memory.StoreRequest, text string, m memory.Memory) (notices []string) {
	if chunker.HasAnnotation(text) {
		notices = append(notices, "a comment in a stored text is part of the text, and declares nothing")
	}
	if r.Private && !m.Private {
		notices = append(notices, "the memory that exists is not private")
	}
	return notices
}

// isOf reports whether a block is protected as the annotation declares.
func (a annotation) isOf(b memory.Block) bool {
	is, want := b.Annotations, a.declared
	return is.Trust == want.Trust && is.User == want.User && is.Scope == want.Scope && is.Expires.Equal(want.Expires) &&
		is.ImportanceLabel == want.ImportanceLabel && isTrue(is.Private) == isTrue(want.Private)
}

func isTrue(b *bool) bool { return b != nil && *b }
