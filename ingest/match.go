package ingest

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/workspace"
)

// match decides which block is which memory.
func (w *work) match(ctx context.Context) error {
	known, err := w.ask(ctx)
	if err != nil {
		return fmt.Errorf("read known memories: %w", err)
	}
	w.known = known
	w.name()
	w.found = identity.Match(w.now, w.known, w.fresh)
	return nil
}

// ask reads every memory that the batch could be about: those that stand, or
// stood last, in its files, those that had a text of it, and those elsewhere
// that say what one of its files said until now.
func (w *work) ask(ctx context.Context) ([]identity.KnownMemory, error) {
	q := memory.KnownQuery{Paths: append([]string(nil), w.batch.Removed...)}
	for _, f := range w.batch.Files {
		q.Paths = append(q.Paths, f.Path)
	}
	asked := map[memory.Fingerprint]bool{}
	for _, f := range w.fresh {
		if print := f.Block.Fingerprint; !asked[print] {
			asked[print] = true
			q.Fingerprints = append(q.Fingerprints, print)
		}
	}
	known, err := w.store.Known(ctx, q)
	if err != nil {
		return nil, err
	}
	var gone memory.KnownQuery
	have := map[memory.ID]bool{}
	for _, k := range known {
		have[k.ID] = true
		if !k.Missing && !k.OutsideBatch && !asked[k.Fingerprint] {
			asked[k.Fingerprint] = true
			gone.Fingerprints = append(gone.Fingerprints, k.Fingerprint)
		}
	}
	if len(gone.Fingerprints) == 0 {
		return known, nil
	}
	copies, err := w.store.Known(ctx, gone)
	for _, k := range copies {
		if !have[k.ID] {
			known = append(known, k) // none of them is in the batch's files
		}
	}
	return known, err
}

func (w *work) place(f identity.NewBlock, id memory.ID, change memory.Change) memory.Placement {
	date, dated := workspace.DateOf(f.Path, w.o.Zone)
	words := openingWords(f.Block.Text)
	p := memory.Placement{ID: id, Path: f.Path, Ordinal: f.Ordinal, Block: f.Block, Change: change,
		Chunks: chunker.Chunks(f.Block.Text), Entities: w.o.Entities.Entities(f.Block),
		DetectedType: detectType(f.Block, words, f.Path, dated), DetectedCategory: detectCategory(f.Block, words),
		Lang: detectLang(f.Block.Text, words)}
	if dated {
		p.NoteDate = date
	}
	return p
}
