package engine

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/index"
)

// scannedIndex is the index as the ingester uses it. Each batch carries the git branch on
// which its files were read.
type scannedIndex struct {
	*index.DB
	state *workspaceState
}

// Known returns the memories that match a query. The one that a person edits in a review
// has the text that its lines have now.
func (b scannedIndex) Known(ctx context.Context, q memory.KnownQuery) ([]identity.KnownMemory, error) {
	known, err := b.DB.Known(ctx, q)
	for i, k := range known {
		if text, isEdited := b.state.edits.Edited(k.ID); isEdited {
			known[i].EditedTo = text
		}
	}
	return known, err
}

// Apply adds the branch to a batch and applies it.
func (b scannedIndex) Apply(ctx context.Context, now time.Time, batch memory.Batch) error {
	if err := b.state.branch.Mark(ctx, b.DB, &batch); err != nil {
		return err
	}
	return b.DB.Apply(ctx, now, batch)
}
