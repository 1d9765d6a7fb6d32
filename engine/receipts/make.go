// Package receipts knows what reached a model and why other memories did not. It makes and
// finds receipts, and keeps uses and receipts until they are written to the index. It explains
// in words why a memory is not injected. A receipt holds ids and figures, never a text.
package receipts

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

// Options configures what is kept of each recall.
type Options struct {
	Off  bool
	Keep time.Duration // 0: until there are too many
}

// nearMissLimit is the number of near misses in a receipt: as many as a person reads below an
// answer.
const nearMissLimit = 10

// OfRecall returns the receipt of a recall.
func (o Options) OfRecall(settings recall.Settings, r memory.RecallRequest, at time.Time, a memory.RecallAnswer, trace recall.Trace) memory.Receipt {
	receipt := memory.Receipt{ID: a.Receipt, At: at, Kind: memory.ReceiptRecall, Session: r.Session, Agent: r.Agent, User: r.Sender.ID(),
		Filters: memory.ReceiptFilters{Chars: utf8.RuneCountInString(r.Prompt), Scope: r.Scope, InPrompt: r.InPrompt,
			MaxItems: settings.MaxItems, MaxTokens: settings.MaxTokens},
		Skipped: a.Skipped, PolicyTier: policyOf(a.Hits), Lanes: a.Lanes, Injected: InjectedIDs(a.Hits), Tokens: a.Tokens,
		Floor: settings.FloorFor(&memory.Memory{}), TookMS: a.TookMS, Rejected: map[string]int{},
		TextTop: trace.TextTop, VectorTop: trace.VectorTop,
		FusedTop: trace.FusedTop, Candidates: nonNil(trace.Candidates), Selected: nonNil(trace.Selected)}
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
	receipt.NearMisses = nearMisses(trace.Rejections)
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
		PolicyTier: policyOf(a.Hits), Lanes: a.Lanes, Injected: InjectedIDs(a.Hits), TookMS: a.TookMS,
		Rejected: map[string]int{}, Candidates: map[memory.Tier]int{}, Selected: selected}
}

// Injects reports whether a receipt lists a memory as injected.
func Injects(r memory.Receipt, id memory.ID) bool {
	return slices.ContainsFunc(r.Injected, func(i memory.InjectedID) bool { return i.ID == id })
}

// InjectedIDs returns the ids of injected memories, with their scores and similarities.
func InjectedIDs(hits []memory.Hit) (list []memory.InjectedID) {
	for _, h := range hits {
		list = append(list, memory.InjectedID{ID: h.ID, Score: h.Score, Similarity: h.Similarity})
	}
	return list
}

func nonNil(counts map[memory.Tier]int) map[memory.Tier]int {
	if counts == nil {
		return map[memory.Tier]int{}
	}
	return counts
}

// nearMisses returns the rejected memories with the highest similarity. It changes the order of
// the rejections.
func nearMisses(rejections []recall.Rejection) (list []memory.NearMiss) {
	rejections = slices.DeleteFunc(rejections, func(r recall.Rejection) bool { return r.Reason == recall.RejectedHidden })
	slices.SortStableFunc(rejections, func(a, b recall.Rejection) int { return cmp.Compare(b.Similarity, a.Similarity) })
	for _, r := range rejections[:min(nearMissLimit, len(rejections))] {
		list = append(list, memory.NearMiss{ID: r.ID, Score: r.Score, Similarity: r.Similarity, Reason: r.Reason, By: cmp.Or(r.DuplicateOf, r.RefutedBy)})
	}
	return list
}

// IfKept returns the receipt, or nil if receipts are turned off.
func (o Options) IfKept(receipt func() memory.Receipt) *memory.Receipt {
	if o.Off {
		return nil
	}
	r := receipt()
	return &r
}

// List is the receipts of one workspace as a request sees them.
type List struct {
	DB      *index.DB
	Options Options
	Now     time.Time
}

// Validate returns what is wrong with a request for receipts.
func Validate(r memory.ReceiptsRequest) error {
	if r.Limit < 0 {
		return memory.Invalid("limit", "the limit %d is negative", r.Limit).WithHint("0 means no limit")
	}
	if r.Kind != "" && !slices.Contains(memory.ReceiptKinds, r.Kind) {
		return memory.Invalid("kind", "unknown kind %q", r.Kind).WithHint("one of: %s", strings.Join(memory.ReceiptKinds, ", "))
	}
	return nil
}

// Find returns the receipts of some kinds, newest first; without kinds, those of all. A user
// gets those of the own requests.
func (l List) Find(ctx context.Context, who memory.View, r memory.ReceiptsRequest, kinds ...string) ([]memory.Receipt, error) {
	own := ofRequests(who)
	filter := index.ReceiptsFilter{ID: strings.ToLower(r.ID), Session: r.Session, Users: own.Users, Kinds: kinds, Limit: r.Limit}
	if l.Options.Keep > 0 {
		filter.Since = l.Now.Add(-l.Options.Keep)
	}
	var found []memory.Receipt
	stored, err := l.DB.Receipts(ctx, filter)
	if err != nil {
		return nil, err
	}
	for _, row := range stored {
		var one memory.Receipt
		if err := json.Unmarshal(row.Body, &one); err != nil {
			return nil, fmt.Errorf("read receipt %s: %w", row.ID, err)
		}
		one.ID, one.At, one.Kind, one.Session = row.ID, row.At, row.Kind, row.Session
		found = append(found, one)
	}
	return found, nil
}

// ofRequests returns the view of the receipts whose requests a view made. One whose sender is
// not known has those of requests without a sender, as has the identity of these.
func ofRequests(v memory.View) memory.View {
	if len(v.Users) > 1 && !slices.Contains(v.Users, memory.NoSender) {
		v.Users = v.Users[1:]
	}
	return v
}

// minPrefix is the shortest prefix of a receipt's id, as of a memory's.
const minPrefix = memory.MinIDPrefix

// FindOne finds a receipt by a prefix of its id, or the last one.
func (l List) FindOne(ctx context.Context, who memory.View, id, session string) (memory.Receipt, error) {
	r := memory.ReceiptsRequest{ID: id, Session: session, Limit: 2}
	if id == "" || id == memory.LastReceipt {
		r.ID, r.Limit = "", 1
	} else if len(id) < minPrefix {
		return memory.Receipt{}, memory.Invalid("receipt", "%q is too short for a receipt", id).
			WithHint("give at least %d characters of its id, or last", minPrefix)
	}
	found, err := l.Find(ctx, who, r, memory.ReceiptRecall, memory.ReceiptSearch) // others inject nothing
	switch {
	case err != nil:
		return memory.Receipt{}, err
	case len(found) == 0:
		return memory.Receipt{}, notFound(r.ID, l.Options)
	case len(found) > 1 && r.ID != "" && !strings.EqualFold(found[0].ID, r.ID):
		err := memory.Conflict("%s matches several receipts", id).WithHint("type more of it")
		err.Field = "receipt"
		return memory.Receipt{}, err
	}
	return found[0], nil
}

func notFound(id string, o Options) error {
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

// policyOf returns the PolicyTier of an answer with these hits.
func policyOf(hits []memory.Hit) string {
	isOther := func(h memory.Hit) bool { return !h.ImportanceLabel.Preferred() }
	if len(hits) == 0 || slices.ContainsFunc(hits, isOther) {
		return "must+nice+unknown"
	}
	return "must+nice"
}
