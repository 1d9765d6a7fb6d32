package ingest

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/ingest/detect"
	"github.com/memory-tiered/memory/workspace"
)

// matchBlocks finds the memory of each block.
func (r *run) matchBlocks(ctx context.Context) error {
	if err := r.chooseBlocks(ctx); err != nil {
		return err
	}
	r.recoverIDs()
	for hasMissing := false; ; hasMissing = true {
		r.result = identity.Match(r.now, r.known, r.blocks)
		if hasMissing || !r.editedAcrossFiles() {
			return nil
		}
		if err := r.addRecentlyMissing(ctx); err != nil {
			return fmt.Errorf("read missing memories: %w", err)
		}
	}
}

// editedAcrossFiles reports whether a memory got another text in another file. A
// memory that is missing may be more similar to it.
func (r *run) editedAcrossFiles() bool {
	paths := map[memory.ID]string{}
	for _, k := range r.known {
		paths[k.ID] = k.Path
	}
	for i, change := range r.result.Changes {
		if change == memory.Edited && paths[r.result.IDs[i]] != r.blocks[i].Path {
			return true
		}
	}
	return false
}

// addRecentlyMissing adds the memories that became missing a short time ago.
func (r *run) addRecentlyMissing(ctx context.Context) error {
	missing, err := r.store.Known(ctx, identity.KnownQuery{MissingSince: r.now.Add(-identity.TakeOverWindow)})
	if err != nil {
		return err
	}
	have := map[memory.ID]bool{}
	for _, k := range r.known {
		have[k.ID] = true
	}
	for _, k := range missing {
		if k.Missing && !have[k.ID] {
			r.known = append(r.known, k)
		}
	}
	return nil
}

// loadKnown reads every memory that a block may belong to. These are memories whose
// current or last file is in the batch, without the settled ones. They are also memories
// that had a text of an involved block, and those elsewhere that have a previous text of
// such a memory. It returns these texts too.
func (r *run) loadKnown(ctx context.Context, involved []bool) (known []identity.KnownMemory, requested map[memory.Fingerprint]bool, err error) {
	q := r.placesToMatch()
	requested = map[memory.Fingerprint]bool{}
	for i, b := range r.read {
		if text := b.Block.Fingerprint; involved[i] && !requested[text] {
			requested[text] = true
			q.Fingerprints = append(q.Fingerprints, text)
		}
	}
	if known, err = r.store.Known(ctx, q); err != nil {
		return nil, nil, err
	}
	var previous identity.KnownQuery
	have := map[memory.ID]bool{}
	for _, k := range known {
		have[k.ID] = true
		if i, isSettled := r.settledBlock(k); k.Missing || k.OutsideBatch || isSettled && !involved[i] {
			continue
		}
		texts := []memory.Fingerprint{k.Fingerprint}
		for _, p := range k.PastPlaces {
			texts = append(texts, p.Fingerprint)
		}
		for _, text := range texts {
			if !requested[text] {
				requested[text] = true
				previous.Fingerprints = append(previous.Fingerprints, text)
			}
		}
	}
	if len(previous.Fingerprints) == 0 {
		return known, requested, nil
	}
	copies, err := r.store.Known(ctx, previous)
	for _, k := range copies {
		if !have[k.ID] {
			known = append(known, k) // none of them is in the batch's files, unless it is settled
		}
	}
	return known, requested, err
}

// newPlacement returns the placement of a block, with its chunks and everything
// detected from its text.
func (r *run) newPlacement(b identity.NewBlock, id memory.ID, change memory.Change) memory.Placement {
	date, dated := workspace.DateOf(b.Path, r.options.Zone)
	found := detect.Of(b.Block, b.Path, dated)
	p := memory.Placement{ID: id, Path: b.Path, Ordinal: b.Ordinal, Block: b.Block, Hash: r.hashOf(b), Change: change,
		Chunks: chunker.ChunksOf(b.Block), Entities: r.options.Entities.Entities(b.Block), Aliases: r.aliases[b.Path],
		DetectedType: found.Type, DetectedCategory: found.Category,
		Lang: found.Lang}
	if dated {
		p.NoteDate = date
	}
	return p
}
