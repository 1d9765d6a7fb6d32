// Package receipts makes the receipts of recalls and searches, and finds those that are kept.
// A receipt holds ids and figures, never a text.
package receipts

import (
	"cmp"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall"
)

// Options configures what is kept of each recall.
type Options struct {
	Off     bool
	Verbose bool          // keep every rejected memory, not only the nearest
	Top     int           // of each lane's best memories; at most recall.TopKept
	Keep    time.Duration // 0: until there are too many
}

// The number of near misses in a receipt. It is as many as a person reads
// below an answer, or, with Verbose, as many as a lane finds.
const (
	nearMissLimit        = 10
	verboseNearMissLimit = 100
)

// OfRecall returns the receipt of a recall.
func (o Options) OfRecall(settings recall.Settings, r memory.RecallRequest, at time.Time, a memory.RecallAnswer, trace recall.Trace) memory.Receipt {
	receipt := memory.Receipt{ID: a.Receipt, At: at, Kind: memory.ReceiptRecall, Session: r.Session, Agent: r.Agent, User: r.Sender.ID(),
		Filters: memory.ReceiptFilters{Chars: utf8.RuneCountInString(r.Prompt), Scope: r.Scope, InPrompt: r.InPrompt,
			MaxItems: settings.MaxItems, MaxTokens: settings.MaxTokens},
		Skipped: a.Skipped, PolicyTier: memory.PolicyOf(a.Hits), Lanes: a.Lanes, Injected: InjectedIDs(a.Hits), Tokens: a.Tokens,
		Floor: settings.FloorFor(&memory.Memory{}), TookMS: a.TookMS, Rejected: map[string]int{},
		TextTop: scoredIDs(trace.TextTop, o.Top), VectorTop: scoredIDs(trace.VectorTop, o.Top),
		FusedTop: scoredIDs(trace.FusedTop, o.Top), Candidates: nonNil(trace.Candidates), Selected: nonNil(trace.Selected)}
	if r.MaxItems != nil {
		receipt.Filters.MaxItems = *r.MaxItems
	}
	if r.MaxTokens != nil {
		receipt.Filters.MaxTokens = *r.MaxTokens
	}
	if trace.NoVectorReason != "" {
		receipt.EmbeddingSkipped = &trace.NoVectorReason
	}
	for _, rejection := range trace.Rejections {
		receipt.Rejected[rejection.Reason]++
	}
	receipt.NearMisses = nearMisses(trace.Rejections, o.Verbose)
	return receipt
}

// OfSearch returns the receipt of a tool's search.
func OfSearch(r memory.SearchRequest, at time.Time, a memory.SearchAnswer, limit int) memory.Receipt {
	selected := map[memory.Tier]int{}
	for _, h := range a.Hits {
		selected[h.Tier]++
	}
	return memory.Receipt{ID: a.Receipt, At: at, Kind: memory.ReceiptSearch, Session: r.Session, Agent: r.Agent, User: r.Sender.ID(),
		Filters:    memory.ReceiptFilters{Chars: utf8.RuneCountInString(r.Query), Scope: r.Scope, MaxItems: limit},
		PolicyTier: memory.PolicyOf(a.Hits), Lanes: a.Lanes, Injected: InjectedIDs(a.Hits), TookMS: a.TookMS,
		Rejected: map[string]int{}, Candidates: map[memory.Tier]int{}, Selected: selected}
}

// InjectedIDs returns the ids of injected memories, with their scores and similarities.
func InjectedIDs(hits []memory.Hit) (list []memory.InjectedID) {
	for _, h := range hits {
		list = append(list, memory.InjectedID{ID: h.ID, Score: h.Score, Similarity: h.Similarity})
	}
	return list
}

func scoredIDs(top []recall.LaneHit, limit int) (list []memory.ScoredID) {
	for _, c := range top[:min(limit, len(top))] {
		list = append(list, memory.ScoredID{ID: c.ID, Score: c.Score})
	}
	return list
}

func nonNil(counts map[memory.Tier]int) map[memory.Tier]int {
	if counts == nil {
		return map[memory.Tier]int{}
	}
	return counts
}

// nearMisses returns the rejected memories with the highest similarity.
func nearMisses(rejections []recall.Rejection, all bool) (list []memory.NearMiss) {
	for _, rejection := range rejections {
		if rejection.Reason != recall.RejectedHidden {
			list = append(list, memory.NearMiss{ID: rejection.ID, Score: rejection.Score, Similarity: rejection.Similarity, Reason: rejection.Reason, By: cmp.Or(rejection.DuplicateOf, rejection.RefutedBy)})
		}
	}
	slices.SortStableFunc(list, func(a, b memory.NearMiss) int { return cmp.Compare(b.Similarity, a.Similarity) })
	limit := nearMissLimit
	if all {
		limit = verboseNearMissLimit
	}
	return list[:min(limit, len(list))]
}

// IfKept returns the receipt, or nil if receipts are turned off.
func (o Options) IfKept(receipt func() memory.Receipt) *memory.Receipt {
	if o.Off {
		return nil
	}
	r := receipt()
	return &r
}
