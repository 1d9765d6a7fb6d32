package audience

import (
	"net/url"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// Author is the user to whom a new memory belongs, and its scope.
type Author struct {
	User  string   // empty: the memory is everybody's
	Names []string // as [memory.Identities.NamesOf] returns them
	Scope memory.Scope
}

// AuthorOf returns the author of what a sender says. Without identities, what the owner
// says is everybody's. who tells whether an agent or a person makes the request.
func AuthorOf(all memory.Identities, s memory.Sender, who memory.Audience, scope memory.Scope) Author {
	user := all.UserOf(s, who)
	if len(all) == 0 && user == memory.OwnerIdentity {
		user = ""
	}
	return AuthorNamed(all, user, scope)
}

// AuthorNamed returns the author of a memory that has a user, or none.
func AuthorNamed(all memory.Identities, user string, scope memory.Scope) Author {
	return Author{user, all.NamesOf(user), scope}
}

// IsOwner reports whether the sender of an agent's request is the owner. Without
// identities, whoever the host lets speak is.
func IsOwner(all memory.Identities, s memory.Sender) bool {
	return len(all) == 0 || all.UserOf(s, memory.AudienceModel) == memory.OwnerIdentity
}

// Compared returns the users whose memories a new one is compared with. Everybody who
// will have the new one has those too.
func (a Author) Compared() []string { return append([]string{""}, a.Names...) }

// Has reports whether everybody who will have the author's new memory has this one.
func (a Author) Has(m memory.Memory) bool {
	return slices.Contains(a.Compared(), m.User) && m.Scope.Matches(a.Scope)
}

// Owns reports whether a memory is the author's own, and of the same scope. A new memory
// replaces no others.
func (a Author) Owns(m memory.Memory) bool {
	return (m.User == a.User || slices.Contains(a.Names, m.User)) && (a.Scope == "" || m.Scope == a.Scope)
}

// Pairs returns the annotations of the user and the scope.
func (a Author) Pairs() []string {
	pairs := a.UserPairs()
	if a.Scope != "" {
		pairs = append(pairs, "scope: "+string(a.Scope))
	}
	return pairs
}

// UserPairs returns the annotation of the user, if there is one. What could end a comment
// or an annotation is escaped in it, so that no two users become one.
func (a Author) UserPairs() []string {
	if a.User == "" {
		return nil
	}
	return []string{"user: " + strings.ReplaceAll(url.PathEscape(a.User), "--", "-%2D")}
}
