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

// OfState returns the first reason in a memory's own state for which a view does not show
// it; empty if there is none.
func OfState(m memory.Memory, v memory.View) (reason, detail string) {
	reason = v.Hides(&m, nil)
	return reason, detailOf(reason, m, v)
}

func detailOf(reason string, m memory.Memory, v memory.View) string {
	inDoubt := m.InDoubt != ""
	switch reason {
	case memory.ReasonForgotten:
		if inDoubt {
			return fmt.Sprintf("it is withheld: the line %s forgets a text that it may be; memory restore %s or memory forget %s decides",
				m.InDoubt, m.ID.Short(), m.ID.Short())
		}
		return "it is forgotten; memory restore " + m.ID.Short() + " brings it back"
	case memory.ReasonMissing:
		return "its text is in no file any more; it was in " + m.Path
	case memory.ReasonPrivate, memory.ReasonTrust:
		state := map[string]string{memory.ReasonPrivate: "it is private", memory.ReasonTrust: "it is quarantined"}[reason]
		if inDoubt {
			state += ": the line " + m.InDoubt + " may be about it; correct the quote of that line, or remove it"
		}
		return state
	case memory.ReasonArchived:
		return "it is in the ARCHIVE (" + m.TierReason + ")"
	case memory.ReasonExpired:
		return "it expired at " + m.ExpiresAt.Format(time.RFC3339)
	case memory.ReasonScope:
		return fmt.Sprintf("its scope is %s, not %s", m.Scope, v.Scope)
	case memory.ReasonUser:
		return BelongsTo(m)
	case memory.ReasonImportance:
		return "its importance is ignore"
	case memory.ReasonSuperseded:
		return "superseded by " + m.SupersededBy.Short()
	}
	return ""
}
