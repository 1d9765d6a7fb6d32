package ingest

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/workspace"
)

// matchBlocks decides which block is which memory.
func (r *run) matchBlocks(ctx context.Context) error {
	known, err := r.loadKnown(ctx)
	if err != nil {
		return fmt.Errorf("read known memories: %w", err)
	}
	r.known = known
	r.recoverIDs()
	r.result = identity.Match(r.now, r.known, r.blocks)
	return nil
}

// loadKnown reads every memory that the batch could be about: those that stand, or
// stood last, in its files, those that had a text of it, and those elsewhere
// that say what one of its files said until now.
func (r *run) loadKnown(ctx context.Context) ([]identity.KnownMemory, error) {
	q := memory.KnownQuery{Paths: append([]string(nil), r.batch.Removed...)}
	for _, f := range r.batch.Files {
		q.Paths = append(q.Paths, f.Path)
	}
	requested := map[memory.Fingerprint]bool{}
	for _, f := range r.blocks {
		if print := f.Block.Fingerprint; !requested[print] {
			requested[print] = true
			q.Fingerprints = append(q.Fingerprints, print)
		}
	}
	known, err := r.store.Known(ctx, q)
	if err != nil {
		return nil, err
	}
	var previous memory.KnownQuery
	have := map[memory.ID]bool{}
	for _, k := range known {
		have[k.ID] = true
		if !k.Missing && !k.OutsideBatch && !requested[k.Fingerprint] {
			requested[k.Fingerprint] = true
			previous.Fingerprints = append(previous.Fingerprints, k.Fingerprint)
		}
	}
	if len(previous.Fingerprints) == 0 {
		return known, nil
	}
	copies, err := r.store.Known(ctx, previous)
	for _, k := range copies {
		if !have[k.ID] {
			known = append(known, k) // none of them is in the batch's files
		}
	}
	return known, err
}

func (r *run) newPlacement(f identity.NewBlock, id memory.ID, change memory.Change) memory.Placement {
	date, dated := workspace.DateOf(f.Path, r.options.Zone)
	words := openingWords(f.Block.Text)
	p := memory.Placement{ID: id, Path: f.Path, Ordinal: f.Ordinal, Block: f.Block, Change: change,
		Chunks: chunker.Chunks(f.Block.Text), Entities: r.options.Entities.Entities(f.Block),
		DetectedType: detectType(f.Block, words, f.Path, dated), DetectedCategory: detectCategory(f.Block, words),
		Lang: detectLang(f.Block.Text, words)}
	if dated {
		p.NoteDate = date
	}
	return p
}
