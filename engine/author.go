package engine

import (
	"net/url"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// author is the user to whom a new memory belongs.
type author struct {
	user  string   // empty: the memory is everybody's
	names []string // as [memory.Identities.NamesOf] returns them
}

// authorOf returns the author of what a sender says. Without identities, what the owner
// says is everybody's.
func (e *Engine) authorOf(s memory.Sender) author {
	all := e.options().Identities
	user := all.UserOf(s)
	if len(all) == 0 && user == memory.OwnerIdentity {
		user = ""
	}
	return e.authorNamed(user)
}

// authorNamed returns the author of a memory that has a user, or none.
func (e *Engine) authorNamed(user string) author {
	return author{user, e.options().Identities.NamesOf(user)}
}

// isOwner reports whether a sender is the owner. Without identities, whoever the host
// lets speak is.
func (e *Engine) isOwner(s memory.Sender) bool {
	all := e.options().Identities
	return len(all) == 0 || all.UserOf(s) == memory.OwnerIdentity
}

// compared returns the users whose memories a new one is compared with. Everybody who
// will have the new one has those too.
func (a author) compared() []string { return append([]string{""}, a.names...) }

// owns reports whether a memory is the author's own. A new memory replaces no others.
func (a author) owns(m memory.Memory) bool {
	return m.User == a.user || slices.Contains(a.names, m.User)
}

// comment returns the annotation of the user, or "" for everybody's memory. What could
// end a comment or an annotation is escaped, so that no two users become one.
func (a author) comment() string {
	if a.user == "" {
		return ""
	}
	return "user: " + strings.ReplaceAll(url.PathEscape(a.user), "--", "-%2D")
}
