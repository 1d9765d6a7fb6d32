package receipts

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

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
	if kinds := []string{"", memory.ReceiptRecall, memory.ReceiptSearch, memory.ReceiptCapture}; !slices.Contains(kinds, r.Kind) {
		return memory.Invalid("kind", "unknown kind %q", r.Kind).WithHint("one of: recall, search, capture")
	}
	return nil
}

// Find returns the receipts, newest first, without those of the kind except. A user gets those of the own requests.
func (l List) Find(ctx context.Context, who memory.View, r memory.ReceiptsRequest, except string) ([]memory.Receipt, error) {
	own := ofRequests(who)
	filter := index.ReceiptsFilter{ID: strings.ToLower(r.ID), Session: r.Session, Users: own.Users, Kind: r.Kind, Limit: r.Limit, Except: except}
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
	found, err := l.Find(ctx, who, r, memory.ReceiptCapture) // it injects nothing
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
