// Package reasons explains in words why a memory is not injected: by its state, by a step of a
// recall, or by a receipt.
package reasons

import (
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
)

// BelongsTo explains that only the requests of one user get a memory.
func BelongsTo(m memory.Memory) string {
	return "it belongs to the user " + m.User + ": only requests of that user get it"
}

// OfState returns the first reason in a memory's own state that excludes it
// from every injection; empty if there is none.
func OfState(m memory.Memory, now time.Time, scope memory.Scope) (reason, detail string) {
	switch {
	case m.Forgotten && m.InDoubt != "":
		return memory.ReasonForgotten, fmt.Sprintf("it is withheld: the line %s forgets a text that it may be; memory restore %s or memory forget %s decides",
			m.InDoubt, m.ID.Short(), m.ID.Short())
	case m.Forgotten:
		return memory.ReasonForgotten, "it is forgotten; memory restore " + m.ID.Short() + " brings it back"
	case m.Missing:
		return memory.ReasonMissing, "its text is in no file any more; it was in " + m.Path
	case m.Private && m.InDoubt != "":
		return memory.ReasonPrivate, "it is private: the line " + m.InDoubt + " may be about it; correct the quote of that line, or remove it"
	case m.Private:
		return memory.ReasonPrivate, "it is private"
	case m.Tier == memory.TierArchive:
		return memory.ReasonArchived, "it is in the ARCHIVE (" + m.TierReason + ")"
	case m.ExpiresAt != nil && !m.ExpiresAt.After(now):
		return memory.ReasonExpired, "it expired at " + m.ExpiresAt.Format(time.RFC3339)
	case !m.Scope.Matches(scope):
		return memory.ReasonScope, fmt.Sprintf("its scope is %s, not %s", m.Scope, scope)
	case m.Trust == memory.TrustQuarantined && m.InDoubt != "":
		return memory.ReasonTrust, "it is quarantined: the line " + m.InDoubt + " may be about it; correct the quote of that line, or remove it"
	case m.Trust == memory.TrustQuarantined:
		return memory.ReasonTrust, "it is quarantined"
	case m.ImportanceLabel == memory.ImportanceIgnore:
		return memory.ReasonImportance, "its importance is ignore"
	case m.SupersededBy != nil:
		return memory.ReasonSuperseded, "superseded by " + m.SupersededBy.Short()
	}
	return "", ""
}
