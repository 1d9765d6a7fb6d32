package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
)

// ReceiptOptions configures what is kept of each recall.
type ReceiptOptions struct {
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

// recallReceipt returns the receipt of a recall: ids and figures, never a text.
func (e *Engine) recallReceipt(s *workspaceState, r memory.RecallRequest, at time.Time, a memory.RecallAnswer, trace recall.Trace) memory.Receipt {
	settings := s.models.RecallSettings()
	receipt := memory.Receipt{ID: a.Receipt, At: at, Kind: memory.ReceiptRecall, Session: r.Session, Agent: r.Agent, User: r.Sender.ID(),
		Filters: memory.ReceiptFilters{Chars: utf8.RuneCountInString(r.Prompt), Scope: r.Scope, InPrompt: r.InPrompt,
			MaxItems: settings.MaxItems, MaxTokens: settings.MaxTokens},
		Skipped: a.Skipped, PolicyTier: memory.PolicyOf(a.Hits), Lanes: a.Lanes, Injected: injectedIDs(a.Hits), Tokens: a.Tokens,
		Floor: s.floor(memory.Memory{}), TookMS: a.TookMS, Rejected: map[string]int{},
		TextTop: scoredIDs(trace.TextTop, e.options().Receipts.Top), VectorTop: scoredIDs(trace.VectorTop, e.options().Receipts.Top),
		FusedTop: scoredIDs(trace.FusedTop, e.options().Receipts.Top), Candidates: nonNil(trace.Candidates), Selected: nonNil(trace.Selected)}
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
	receipt.NearMisses = nearMisses(trace.Rejections, e.options().Receipts.Verbose)
	return receipt
}

// searchReceipt returns the receipt of a tool's search.
func (e *Engine) searchReceipt(s *workspaceState, r memory.SearchRequest, at time.Time, a memory.SearchAnswer, limit int) memory.Receipt {
	selected := map[memory.Tier]int{}
	for _, h := range a.Hits {
		selected[h.Tier]++
	}
	return memory.Receipt{ID: a.Receipt, At: at, Kind: memory.ReceiptSearch, Session: r.Session, Agent: r.Agent, User: r.Sender.ID(),
		Filters:    memory.ReceiptFilters{Chars: utf8.RuneCountInString(r.Query), Scope: r.Scope, MaxItems: limit},
		PolicyTier: memory.PolicyOf(a.Hits), Lanes: a.Lanes, Injected: injectedIDs(a.Hits), TookMS: a.TookMS,
		Rejected: map[string]int{}, Candidates: map[memory.Tier]int{}, Selected: selected}
}

func injectedIDs(hits []memory.Hit) (list []memory.InjectedID) {
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

// Receipts lists the receipts of recalls, searches and captures, newest first.
func (e *Engine) Receipts(ctx context.Context, r memory.ReceiptsRequest) (memory.ReceiptsAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil && r.Limit < 0 {
		err = memory.Invalid("limit", "the limit %d is negative", r.Limit).WithHint("0 means no limit")
	}
	if kinds := []string{"", memory.ReceiptRecall, memory.ReceiptSearch, memory.ReceiptCapture}; err == nil && !slices.Contains(kinds, r.Kind) {
		err = memory.Invalid("kind", "unknown kind %q", r.Kind).WithHint("one of: recall, search, capture")
	}
	if err != nil {
		return memory.ReceiptsAnswer{}, err
	}
	who, err := e.readerOf(r.Sender, r.For)
	if err != nil {
		return memory.ReceiptsAnswer{}, err
	}
	found, err := e.findReceipts(ctx, s, who, r, "")
	return memory.ReceiptsAnswer{Receipts: found}, err
}

// findReceipts returns the receipts that are not written to the index yet, then
// those in it, without those of the kind except. A reader who may not see everybody's
// memories gets those of the own requests.
func (e *Engine) findReceipts(ctx context.Context, s *workspaceState, who audience.Reader, r memory.ReceiptsRequest, except string) ([]memory.Receipt, error) {
	users := who.Senders()
	filter := index.ReceiptsFilter{ID: strings.ToLower(r.ID), Session: r.Session, Users: users, Kind: r.Kind, Limit: r.Limit, Except: except}
	if e.options().Receipts.Keep > 0 {
		filter.Since = e.now().Add(-e.options().Receipts.Keep)
	}
	var found []memory.Receipt
	seen := map[string]bool{}
	for _, receipt := range slices.Backward(s.uses.PendingReceipts()) {
		if strings.HasPrefix(receipt.ID, filter.ID) && (r.Session == "" || receipt.Session == r.Session) && (r.Kind == "" || receipt.Kind == r.Kind) &&
			memory.IsReadable(users, receipt.User) {
			seen[receipt.ID] = true
			found = append(found, receipt)
		}
	}
	stored, err := s.db.Receipts(ctx, filter)
	if err != nil {
		return nil, err
	}
	for _, row := range stored {
		var one memory.Receipt
		if err := json.Unmarshal(row.Body, &one); err != nil {
			return nil, fmt.Errorf("read receipt %s: %w", row.ID, err)
		}
		one.ID, one.At, one.Kind, one.Session = row.ID, row.At, row.Kind, row.Session
		if !seen[one.ID] {
			found = append(found, one)
		}
	}
	if r.Limit > 0 {
		found = found[:min(r.Limit, len(found))]
	}
	return found, nil
}

// minReceiptPrefix is the shortest prefix of a receipt's id, as of a memory's.
const minReceiptPrefix = memory.MinIDPrefix

// findReceipt finds a receipt by a prefix of its id, or the last one.
func (e *Engine) findReceipt(ctx context.Context, s *workspaceState, who audience.Reader, id, session string) (memory.Receipt, error) {
	r := memory.ReceiptsRequest{ID: id, Session: session, Limit: 2}
	if id == "" || id == memory.LastReceipt {
		r.ID, r.Limit = "", 1
	} else if len(id) < minReceiptPrefix {
		return memory.Receipt{}, memory.Invalid("receipt", "%q is too short for a receipt", id).
			WithHint("give at least %d characters of its id, or last", minReceiptPrefix)
	}
	found, err := e.findReceipts(ctx, s, who, r, memory.ReceiptCapture) // it injects nothing
	switch {
	case err != nil:
		return memory.Receipt{}, err
	case len(found) == 0:
		return memory.Receipt{}, receiptNotFound(r.ID, e.options().Receipts)
	case len(found) > 1 && r.ID != "" && !strings.EqualFold(found[0].ID, r.ID):
		err := memory.Conflict("%s matches several receipts", id).WithHint("type more of it")
		err.Field = "receipt"
		return memory.Receipt{}, err
	}
	return found[0], nil
}

func receiptNotFound(id string, o ReceiptOptions) error {
	err := &memory.Error{Kind: memory.ErrNotFound, Field: "receipt", Message: "Receipt not found: " + id,
		Hint: "memory receipts lists all receipts"}
	if id == "" {
		err.Message, err.Hint = "nothing was recalled yet", "recalls by agents and by memory recall are recorded, unless --no-record is given"
	}
	if o.Off {
		err.Hint = "no receipts are kept: set receipts.enabled"
	}
	return err
}

// receiptIfKept returns the receipt, or nil if receipts are turned off.
func (e *Engine) receiptIfKept(receipt func() memory.Receipt) *memory.Receipt {
	if e.options().Receipts.Off {
		return nil
	}
	r := receipt()
	return &r
}
