// Package ingest brings the index in step with the Markdown: it finds out which
// files changed, reads and cuts them, has their blocks matched with the
// memories that are known, and hands the index one batch.
//
// It is level-triggered: told that paths may have changed, it looks at the disk
// and believes nothing else. A hint doubled, late or about nothing does no harm.
package ingest

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/workspace"
)

// Store is the index as ingest needs it.
type Store interface {
	// Files gives every file that is indexed, sorted by path bytewise.
	Files(ctx context.Context) ([]memory.FileState, error)
	// Known gives the memories that a query asks for; without a time in it none
	// for being missing alone.
	Known(ctx context.Context, q memory.KnownQuery) ([]identity.KnownMemory, error)
	Apply(ctx context.Context, now time.Time, b memory.Batch) error
}

// Source is the workspace's folder.
type Source interface {
	// Walk gives every file there is, sorted by path bytewise, and faults for
	// what could not be looked at: what is known there is not gone.
	Walk(ctx context.Context) ([]workspace.File, []memory.Fault, error)
	Stat(path string) (workspace.File, bool, error)
	// Read gives a file's bytes with the stamp that it had before they were read,
	// so that a write in between shows as another stamp in the next look.
	Read(path string) ([]byte, workspace.File, error)
	Defaults(path string) memory.Declared
}

// EntityExtractor names what a block speaks of, for entity_refs.
type EntityExtractor interface {
	Entities(memory.Block) []string
}

// Options say how a workspace's files are understood.
type Options struct {
	Zone     *time.Location  // of dates without a zone; nil: UTC
	Entities EntityExtractor // nil: [[links]] and #tags
}

// Ingester keeps one workspace's index in step. One Ingest at a time.
type Ingester struct {
	store  Store
	source Source
	o      Options
}

// New makes an ingester. It does nothing by itself.
func New(store Store, source Source, o Options) *Ingester {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Entities == nil {
		o.Entities = marks{}
	}
	return &Ingester{store: store, source: source, o: o}
}

// Ingest looks at some paths, files or folders, or with none of them at
// everything, and applies what changed in one transaction. force reads and
// writes again what did not change. The answer counts what became of memories;
// how many there are is the index's to say. progress may be nil.
//
// A hint that some memories came or went makes it look at everything else too:
// the other half of a move may be in a file that no hint has told of yet.
func (in *Ingester) Ingest(ctx context.Context, now time.Time, paths []string, force bool, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	paths, err := cleaned(paths)
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	stored, err := in.store.Files(ctx)
	if err != nil {
		return memory.IndexAnswer{}, fmt.Errorf("read what is indexed: %w", err)
	}
	if progress == nil {
		progress = func(memory.Progress) {}
	}
	w := &work{Ingester: in, now: now, force: force, progress: progress, listed: stored, stored: byPath(stored)}
	seen, err := in.look(ctx, stored, paths, force)
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	if err := w.read(ctx, seen); err != nil || w.nothing() {
		return memory.IndexAnswer{}, err
	}
	if err := w.match(ctx); err != nil {
		return memory.IndexAnswer{}, err
	}
	if len(paths) > 0 && w.comingOrGoing() {
		if err := w.widen(ctx); err != nil {
			return memory.IndexAnswer{}, err
		}
	}
	return w.apply(ctx)
}

// work is one look on its way from paths to a batch.
type work struct {
	*Ingester
	now      time.Time
	force    bool
	progress func(memory.Progress)
	listed   []memory.FileState // what is indexed, by path
	stored   map[string]memory.FileState

	seen  map[string]bool // paths that this look has dealt with
	fresh []identity.NewBlock
	known []identity.KnownMemory
	found identity.Result
	batch memory.Batch
}

func (w *work) nothing() bool {
	b := w.batch
	return len(b.Files)+len(b.Removed)+len(b.Touched)+len(b.Rematched) == 0
}

// apply fills the batch with what was found and commits it.
func (w *work) apply(ctx context.Context) (memory.IndexAnswer, error) {
	who := speakers(w.fresh)
	for i, f := range w.fresh {
		p := w.place(f, w.found.IDs[i], w.found.Changes[i])
		attribute(&p, who)
		w.batch.Placements = append(w.batch.Placements, p)
	}
	w.batch.TakeOvers, w.batch.Missing = w.found.TakeOvers, w.found.Missing
	w.batch.Force = w.force
	if err := w.matchEntries(ctx); err != nil {
		return memory.IndexAnswer{}, err
	}
	w.progress(memory.Progress{Stage: "index", Done: 0, Total: len(w.batch.Placements)})
	if err := w.store.Apply(ctx, w.now, w.batch); err != nil {
		return memory.IndexAnswer{}, fmt.Errorf("index %d files: %w", len(w.batch.Files), err)
	}
	w.progress(memory.Progress{Stage: "index", Done: len(w.batch.Placements), Total: len(w.batch.Placements)})
	return w.counts(), nil
}

func (w *work) counts() memory.IndexAnswer {
	var a memory.IndexAnswer
	for _, c := range w.found.Changes {
		switch c {
		case memory.Added, memory.Returned:
			a.Added++
		case memory.Edited:
			a.Edited++
		case memory.Moved:
			a.Moved++
		case memory.Unchanged:
			a.Unchanged++
		}
	}
	for _, t := range w.found.TakeOvers {
		if !w.placed(t.Elder) {
			a.Moved++
		}
	}
	a.Missing = len(w.found.Missing)
	return a
}

func (w *work) placed(id memory.ID) bool {
	for _, placed := range w.found.IDs {
		if placed == id {
			return true
		}
	}
	return false
}

func byPath(files []memory.FileState) map[string]memory.FileState {
	m := make(map[string]memory.FileState, len(files))
	for _, f := range files {
		m[f.Path] = f
	}
	return m
}
