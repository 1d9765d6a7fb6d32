package ingest

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/workspace"
)

// recent is how long a text that vanished may still turn up elsewhere in other
// words and be the same memory: a move saved in two steps takes a person less.
const recent = 10 * time.Minute

// match decides which block is which memory, and fills the batch.
func (w *work) match(ctx context.Context) error {
	known, err := w.known(ctx)
	if err != nil {
		return fmt.Errorf("read known memories: %w", err)
	}
	w.found = identity.Match(w.now, known, w.fresh)
	for i, f := range w.fresh {
		w.batch.Placed = append(w.batch.Placed, w.place(f, w.found.IDs[i], w.found.Changes[i]))
	}
	w.batch.TakeOvers, w.batch.Missing = w.found.TakeOvers, w.found.Missing
	w.matchEntries(known)
	return nil
}

// known asks for every memory that the batch could be about: those of its
// files, those that had a text of it, those that vanished a moment ago, and
// those elsewhere that say what one of its files said.
func (w *work) known(ctx context.Context) ([]identity.Known, error) {
	q := memory.KnownQuery{MissingSince: w.now.Add(-recent)}
	for _, f := range w.batch.Files {
		q.Paths = append(q.Paths, f.Path)
	}
	q.Paths = append(q.Paths, w.batch.Removed...)
	asked := map[memory.Fingerprint]bool{}
	ask := func(f memory.Fingerprint) {
		if !asked[f] {
			asked[f] = true
			q.Fingerprints = append(q.Fingerprints, f)
		}
	}
	for _, f := range w.fresh {
		ask(f.Block.Fingerprint)
	}
	known, err := w.store.Known(ctx, q)
	if err != nil {
		return nil, err
	}
	before := len(q.Fingerprints)
	for _, k := range known {
		if !k.Missing && !k.Elsewhere {
			ask(k.Fingerprint)
		}
	}
	if len(q.Fingerprints) == before {
		return known, nil
	}
	return w.store.Known(ctx, q)
}

func (w *work) place(f identity.Fresh, id memory.ID, change memory.Change) memory.Placement {
	p := memory.Placement{ID: id, Path: f.Path, Ordinal: f.Ordinal, Block: f.Block, Change: change,
		Chunks: chunker.Chunks(f.Block.Text), Entities: w.o.Entities.Entities(f.Block)}
	date, dated := workspace.DateOf(f.Path, w.o.Zone)
	if dated {
		p.DateNamed = date
	}
	p.DetectedCategory = detectCategory(f.Block)
	p.DetectedType = detectType(f.Block, f.Path, dated)
	p.Lang = detectLang(f.Block.Text)
	return p
}
