package engine

import (
	"net/url"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// author is the user to whom a new memory belongs, and its scope.
type author struct {
	user  string   // empty: the memory is everybody's
	names []string // as [memory.Identities.NamesOf] returns them
	scope memory.Scope
}

// authorOf returns the author of what a sender says. Without identities, what the owner
// says is everybody's. who is whose request it is: that of an agent or of a person.
func (e *Engine) authorOf(s memory.Sender, who memory.Audience, scope memory.Scope) author {
	all := e.options().Identities
	user := all.UserOf(s, who)
	if len(all) == 0 && user == memory.OwnerIdentity {
		user = ""
	}
	return e.authorNamed(user, scope)
}

// authorNamed returns the author of a memory that has a user, or none.
func (e *Engine) authorNamed(user string, scope memory.Scope) author {
	return author{user, e.options().Identities.NamesOf(user), scope}
}

// isOwner reports whether the sender of an agent's request is the owner. Without
// identities, whoever the host lets speak is.
func (e *Engine) isOwner(s memory.Sender) bool {
	all := e.options().Identities
	return len(all) == 0 || all.UserOf(s, memory.AudienceModel) == memory.OwnerIdentity
}

// compared returns the users whose memories a new one is compared with. Everybody who
// will have the new one has those too.
func (a author) compared() []string { return append([]string{""}, a.names...) }

// has reports whether everybody who will have the author's new memory has this one.
func (a author) has(m memory.Memory) bool {
	return slices.Contains(a.compared(), m.User) && m.Scope.Matches(a.scope)
}

// owns reports whether a memory is the author's own, and of the same scope. A new memory
// replaces no others.
func (a author) owns(m memory.Memory) bool {
	return (m.User == a.user || slices.Contains(a.names, m.User)) && (a.scope == "" || m.Scope == a.scope)
}

// pairs returns the annotations of the user and the scope. What could end a comment or an
// annotation is escaped in the user, so that no two users become one.
func (a author) pairs() (pairs []string) {
	if a.user != "" {
		pairs = append(pairs, "user: "+strings.ReplaceAll(url.PathEscape(a.user), "--", "-%2D"))
	}
	if a.scope != "" {
		pairs = append(pairs, "scope: "+string(a.scope))
	}
	return pairs
}
