package receipts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// BelongsTo explains that only the requests of one user get a memory.
func BelongsTo(m memory.Memory) string {
	return "it belongs to the user " + m.User + ": only requests of that user get it"
}

// OfState returns the first reason in a memory's own state for which a view does not show
// it; empty if there is none.
func ReasonOfState(m memory.Memory, v memory.View) (reason, detail string) {
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
	case memory.ReasonSource:
		return "a line that it was derived from is hidden or gone (" + m.SourceHidden + "); without source_ref in its mark, it stands by itself"
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

// TrivialPrompt is why nothing is recalled for a prompt.
const TrivialPrompt = "the prompt is small talk, or has no word that names a thing: no memory is recalled for it"

// OfRejection returns why a candidate was rejected in a recall that injected winners, so many
// of each tier, into a block of maxTokens.
func ReasonOfRejection(r recall.Rejection, m memory.Memory, winners []memory.InjectedID, tiers map[memory.Tier]int, maxTokens int) string {
	switch {
	case r.RefutedBy != "":
		return "it is untrusted, and the trusted memory " + r.RefutedBy.Short() + " states another value"
	case r.Reason == memory.ReasonFeedback:
		return calledWrong(BelowFloor(r.Similarity, r.Floor))
	case r.Reason == memory.ReasonBelowFloor || r.Reason == memory.ReasonBehindBest:
		return BelowFloor(r.Similarity, r.Floor)
	case r.Reason == memory.ReasonInPrompt:
		return "the prompt already contains " + m.Path
	}
	miss := memory.NearMiss{ID: r.ID, Similarity: r.Similarity, Reason: r.Reason, By: r.DuplicateOf}
	return ReasonOfMiss(miss, memory.Receipt{Injected: winners, Selected: tiers, Filters: memory.ReceiptFilters{MaxTokens: maxTokens}}, m)
}

// InReceipt returns what a receipt itself records of a memory.
func ReasonInReceipt(r memory.Receipt, m memory.Memory) (injected bool, reason, detail string) {
	if i := slices.IndexFunc(r.Injected, func(g memory.InjectedID) bool { return g.ID == m.ID }); i >= 0 {
		return true, "", fmt.Sprintf("it was injected: similarity %.2f, score %.2f", r.Injected[i].Similarity, r.Injected[i].Score)
	}
	if i := slices.IndexFunc(r.NearMisses, func(n memory.NearMiss) bool { return n.ID == m.ID }); i >= 0 {
		return false, r.NearMisses[i].Reason, ReasonOfMiss(r.NearMisses[i], r, m)
	}
	if r.Skipped == nil {
		return false, "", ""
	}
	switch *r.Skipped {
	case memory.SkippedTrivial:
		return false, memory.ReasonGate, TrivialPrompt
	case memory.SkippedDisabled:
		return false, memory.ReasonDisabled, "recall was turned off, or its limit was 0"
	}
	return false, "", ""
}

func calledWrong(similarity string) string {
	return "it was called wrong for a question like this one: " + similarity
}

// OfFeedback lists the questions for which people called a memory wrong or useful.
func ReasonOfFeedback(list []memory.Feedback, id memory.ID) (text string) {
	for _, f := range list {
		if f.ID == id {
			text += fmt.Sprintf("; called %s for questions like %q", f.Verdict, f.Query)
		}
	}
	return text
}

// OfMiss explains with figures why a memory was rejected.
func ReasonOfMiss(n memory.NearMiss, r memory.Receipt, m memory.Memory) string {
	switch n.Reason {
	case memory.ReasonBelowFloor:
		floor := r.Floor
		if m.Pinned {
			floor /= 2
		}
		return BelowFloor(n.Similarity, floor)
	case memory.ReasonOutdated:
		return "it is marked as outdated, and the question does not ask for the past"
	case memory.ReasonFeedback:
		return calledWrong(fmt.Sprintf("similarity %.2f", n.Similarity))
	case memory.ReasonBehindBest:
		return fmt.Sprintf("similarity %.2f is much less than that of the best memory", n.Similarity)
	case memory.ReasonOtherSession:
		return "the prompt is more likely about what is under other headings"
	case memory.ReasonOtherTime:
		return "its date is outside of the time that the question names, and a memory of that time answers"
	case memory.ReasonDuplicate:
		return n.By.Short() + " has the same content"
	case memory.ReasonTierBudget:
		return tierBudget(r.Injected, r.Selected, n.Similarity)
	case memory.ReasonTokenBudget:
		return tokenBudget(n.Similarity, r.Filters.MaxTokens)
	case memory.ReasonInPrompt:
		return "the prompt already contained its file"
	case memory.ReasonGiven:
		return "the agent's session had it already"
	case memory.ReasonPaused:
		return "another session of the project got it within a day, and it does not answer the prompt"
	}
	return ""
}

// BelowFloor explains that a memory is not similar enough.
func BelowFloor(similarity, floor float64) string {
	return fmt.Sprintf("similarity %.2f < %.2f", similarity, floor)
}

// tierBudget explains which memories filled a block.
func tierBudget(winners []memory.InjectedID, tiers map[memory.Tier]int, similarity float64) string {
	if len(winners) == 0 {
		return "the block had no place"
	}
	var perTier []string
	for _, t := range memory.Tiers {
		if tiers[t] > 0 {
			perTier = append(perTier, fmt.Sprintf("%s %d", t, tiers[t]))
		}
	}
	lowest := slices.MinFunc(winners, func(a, b memory.InjectedID) int { return cmp.Compare(a.Similarity, b.Similarity) })
	return fmt.Sprintf("all %d places are taken (%s); its similarity is %.2f, the lowest of theirs is %.2f (%s)",
		len(winners), strings.Join(perTier, ", "), similarity, lowest.Similarity, lowest.ID.Short())
}

func tokenBudget(similarity float64, tokens int) string {
	return fmt.Sprintf("similarity %.2f, but its text does not fit into the rest of %d tokens", similarity, tokens)
}
