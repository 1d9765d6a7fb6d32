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
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/recall"
)

// ReceiptOptions says what is kept of each recall.
type ReceiptOptions struct {
	Off     bool
	Verbose bool          // every memory that was left out, not only the nearest
	Top     int           // of each lane's best; at most recall.TopKept
	Keep    time.Duration // 0: until there are too many
}

// How many near misses a receipt holds: as many as a person reads below an
// answer; where all are wanted, what a lane finds.
const (
	nearMissLimit        = 10
	verboseNearMissLimit = 100
)

// recallReceipt is what is kept of a recall: whose memories, never what they say.
func (e *Engine) recallReceipt(s *workspaceState, r memory.RecallRequest, at time.Time, a memory.RecallAnswer, t recall.Trace) memory.Receipt {
	set := s.recaller().Settings()
	receipt := memory.Receipt{ID: a.Receipt, At: at, Kind: memory.ReceiptRecall, Session: r.Session, Agent: r.Agent, User: r.User,
		Filters: memory.ReceiptFilters{Chars: utf8.RuneCountInString(r.Prompt), Scope: r.Scope, InPrompt: r.InPrompt,
			MaxItems: set.MaxItems, MaxTokens: set.MaxTokens},
		Skipped: a.Skipped, PolicyTier: memory.PolicyOf(a.Hits), Lanes: a.Lanes, Injected: injectedIDs(a.Hits), Tokens: a.Tokens,
		Floor: s.floor(memory.Memory{}), TookMS: a.TookMS, Rejected: map[string]int{},
		TextTop: scoredIDs(t.TextTop, e.o.Receipts.Top), VectorTop: scoredIDs(t.VectorTop, e.o.Receipts.Top),
		FusedTop: scoredIDs(t.FusedTop, e.o.Receipts.Top), Candidates: nonNil(t.Candidates), Selected: nonNil(t.Selected)}
	if r.MaxItems != nil {
		receipt.Filters.MaxItems = *r.MaxItems
	}
	if r.MaxTokens != nil {
		receipt.Filters.MaxTokens = *r.MaxTokens
	}
	if t.NoVectorReason != "" {
		receipt.EmbeddingSkipped = &t.NoVectorReason
	}
	for _, l := range t.Rejections {
		receipt.Rejected[l.Reason]++
	}
	receipt.NearMisses = nearMisses(t.Rejections, e.o.Receipts.Verbose)
	return receipt
}

// searchReceipt is what is kept of a search that a tool made.
func (e *Engine) searchReceipt(s *workspaceState, r memory.SearchRequest, at time.Time, a memory.SearchAnswer, limit int) memory.Receipt {
	selected := map[memory.Tier]int{}
	for _, h := range a.Hits {
		selected[h.Tier]++
	}
	return memory.Receipt{ID: a.Receipt, At: at, Kind: memory.ReceiptSearch, Session: r.Session, Agent: r.Agent,
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

func scoredIDs(top []recall.LaneHit, most int) (list []memory.ScoredID) {
	for _, c := range top[:min(most, len(top))] {
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

// nearMisses are the memories that came nearest to being given.
func nearMisses(left []recall.Rejection, all bool) (list []memory.NearMiss) {
	for _, l := range left {
		if l.Reason != recall.RejectedHidden {
			list = append(list, memory.NearMiss{ID: l.ID, Score: l.Score, Similarity: l.Similarity, Reason: l.Reason, By: l.DuplicateOf})
		}
	}
	slices.SortStableFunc(list, func(a, b memory.NearMiss) int { return cmp.Compare(b.Similarity, a.Similarity) })
	most := nearMissLimit
	if all {
		most = verboseNearMissLimit
	}
	return list[:min(most, len(list))]
}

// Receipts lists what recalls gave, newest first.
func (e *Engine) Receipts(ctx context.Context, r memory.ReceiptsRequest) (memory.ReceiptsAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err == nil && r.Limit < 0 {
		err = memory.Invalid("limit", "a limit of %d makes no sense", r.Limit).WithHint("0 means no limit")
	}
	if kinds := []string{"", memory.ReceiptRecall, memory.ReceiptSearch, memory.ReceiptCapture}; err == nil && !slices.Contains(kinds, r.Kind) {
		err = memory.Invalid("kind", "unknown kind %q", r.Kind).WithHint("one of: recall, search, capture")
	}
	if err != nil {
		return memory.ReceiptsAnswer{}, err
	}
	found, err := e.findReceipts(ctx, s, r)
	return memory.ReceiptsAnswer{Receipts: found}, err
}

// findReceipts reads those that are not written to the index yet, then the index.
func (e *Engine) findReceipts(ctx context.Context, s *workspaceState, r memory.ReceiptsRequest) ([]memory.Receipt, error) {
	want := index.ReceiptsFilter{ID: strings.ToLower(r.ID), Session: r.Session, Kind: r.Kind, Limit: r.Limit}
	if e.o.Receipts.Keep > 0 {
		want.Since = e.now().Add(-e.o.Receipts.Keep)
	}
	var found []memory.Receipt
	seen := map[string]bool{}
	for _, told := range slices.Backward(s.uses.pendingReceipts()) {
		if strings.HasPrefix(told.ID, want.ID) && (r.Session == "" || told.Session == r.Session) && (r.Kind == "" || told.Kind == r.Kind) {
			seen[told.ID] = true
			found = append(found, told)
		}
	}
	stored, err := s.db.Receipts(ctx, want)
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

// minReceiptPrefix is how much of a receipt's id is needed at least, as of a memory's.
const minReceiptPrefix = memory.MinIDPrefix

// findReceipt finds a receipt by the beginning of its id, or the last one.
func (e *Engine) findReceipt(ctx context.Context, s *workspaceState, id, session string) (memory.Receipt, error) {
	r := memory.ReceiptsRequest{ID: id, Session: session, Limit: 2}
	if id == "" || id == memory.LastReceipt {
		r.ID, r.Limit = "", 1
	} else if len(id) < minReceiptPrefix {
		return memory.Receipt{}, memory.Invalid("receipt", "%q is too short for a receipt", id).
			WithHint("at least %d characters of its id, or last", minReceiptPrefix)
	}
	found, err := e.findReceipts(ctx, s, r)
	switch {
	case err != nil:
		return memory.Receipt{}, err
	case len(found) == 0:
		return memory.Receipt{}, receiptNotFound(r.ID, e.o.Receipts)
	case len(found) > 1 && r.ID != "" && !strings.EqualFold(found[0].ID, r.ID):
		err := memory.Conflict("%s could mean several receipts", id).WithHint("type more of it")
		err.Field = "receipt"
		return memory.Receipt{}, err
	}
	return found[0], nil
}

func receiptNotFound(id string, o ReceiptOptions) error {
	err := &memory.Error{Kind: memory.ErrNotFound, Field: "receipt", Message: "Receipt not found: " + id,
		Hint: "memory receipts lists what is kept"}
	if id == "" {
		err.Message, err.Hint = "nothing was recalled yet", "an agent's recall is kept, and memory recall's, unless --no-record is given"
	}
	if o.Off {
		err.Hint = "no receipts are kept: set receipts.enabled"
	}
	return err
}

// Last says what an agent was given last, and what nearly was.
func (e *Engine) Last(ctx context.Context, r memory.LastRequest) (memory.LastAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.LastAnswer{}, err
	}
	receipt, err := e.findReceipt(ctx, s, r.Receipt, r.Session)
	if err != nil {
		return memory.LastAnswer{}, err
	}
	a := memory.LastAnswer{Receipt: receipt}
	var ids []memory.ID
	for _, g := range receipt.Injected {
		ids = append(ids, g.ID)
		a.Injected = append(a.Injected, memory.ReceiptMemory{ID: g.ID, Score: g.Score, Similarity: g.Similarity})
	}
	for _, n := range receipt.NearMisses {
		ids = append(ids, n.ID)
		a.NearMisses = append(a.NearMisses, memory.ReceiptMemory{ID: n.ID, Score: n.Score, Similarity: n.Similarity, Reason: n.Reason})
	}
	known, err := s.currentMemories(ctx, ids)
	if err != nil {
		return memory.LastAnswer{}, err
	}
	for _, told := range []memory.List[memory.ReceiptMemory]{a.Injected, a.NearMisses} {
		for i := range told {
			attachMemory(&told[i], known)
		}
	}
	for i, n := range receipt.NearMisses {
		a.NearMisses[i].Detail = s.missDetail(n, receipt, known[n.ID])
	}
	return a, nil
}

// attachMemory puts a memory beside what was told of it, unless it must not be shown.
func attachMemory(t *memory.ReceiptMemory, known map[memory.ID]memory.Memory) {
	m, ok := known[t.ID]
	switch {
	case !ok:
		t.Withheld = "gone"
	case m.Forgotten:
		t.Withheld = memory.ReasonForgotten
	case m.Missing:
		t.Withheld = memory.ReasonMissing
	default:
		t.Memory = &m
	}
}

// missDetail says with numbers why a memory was left out.
func (s *workspaceState) missDetail(n memory.NearMiss, r memory.Receipt, m memory.Memory) string {
	switch n.Reason {
	case memory.ReasonBelowFloor:
		floor := r.Floor
		if m.Pinned {
			floor /= 2
		}
		return belowFloorDetail(n.Similarity, floor)
	case memory.ReasonDuplicate:
		return n.By.Short() + " says the same"
	case memory.ReasonTierBudget:
		return tierBudgetDetail(r.Injected, r.Selected, n.Similarity)
	case memory.ReasonTokenBudget:
		return tokenBudgetDetail(n.Similarity, r.Filters.MaxTokens)
	case memory.ReasonInPrompt:
		return "the prompt held its file already"
	}
	return ""
}

func belowFloorDetail(similarity, floor float64) string {
	return fmt.Sprintf("similarity %.2f < %.2f", similarity, floor)
}

// tierBudgetDetail says who took the places of a block.
func tierBudgetDetail(winners []memory.InjectedID, tiers map[memory.Tier]int, similarity float64) string {
	if len(winners) == 0 {
		return "there was no place"
	}
	var by []string
	for _, t := range memory.Tiers {
		if tiers[t] > 0 {
			by = append(by, fmt.Sprintf("%s %d", t, tiers[t]))
		}
	}
	least := slices.MinFunc(winners, func(a, b memory.InjectedID) int { return cmp.Compare(a.Similarity, b.Similarity) })
	return fmt.Sprintf("all %d places are taken (%s); its similarity is %.2f, the least of theirs %.2f (%s)",
		len(winners), strings.Join(by, ", "), similarity, least.Similarity, least.ID.Short())
}

func tokenBudgetDetail(similarity float64, tokens int) string {
	return fmt.Sprintf("similarity %.2f, but its text does not fit into what is left of %d tokens", similarity, tokens)
}
