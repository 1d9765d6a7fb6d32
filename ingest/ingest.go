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
	store   Store
	source  Source
	options Options
}

// New makes an ingester. It does nothing by itself.
func New(store Store, source Source, options Options) *Ingester {
	if options.Zone == nil {
		options.Zone = time.UTC
	}
	if options.Entities == nil {
		options.Entities = linksAndTags{}
	}
	return &Ingester{store: store, source: source, options: options}
}

// Ingest looks at some paths, files or folders, or with none of them at
// everything, and applies what changed in one transaction. force reads and
// writes again what did not change. The answer counts what became of memories;
// how many there are is the index's to say. progress may be nil.
//
// A hint that some memories came or went makes it look at everything else too:
// the other half of a move may be in a file that no hint has told of yet.
func (in *Ingester) Ingest(ctx context.Context, now time.Time, paths []string, force bool, progress func(memory.Progress)) (memory.IndexAnswer, error) {
	paths, err := cleanPaths(paths)
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
	r := &run{Ingester: in, now: now, force: force, progress: progress, indexed: stored, indexedByPath: byPath(stored)}
	seen, err := in.findChanges(ctx, stored, paths, force)
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	if err := r.readChanges(ctx, seen); err != nil || r.isEmpty() {
		return memory.IndexAnswer{}, err
	}
	if err := r.matchBlocks(ctx); err != nil {
		return memory.IndexAnswer{}, err
	}
	if len(paths) > 0 && r.memoriesCameOrWent() {
		if err := r.widenToAllFiles(ctx); err != nil {
			return memory.IndexAnswer{}, err
		}
	}
	return r.apply(ctx)
}

// run is one look on its way from paths to a batch.
type run struct {
	*Ingester
	now           time.Time
	force         bool
	progress      func(memory.Progress)
	indexed       []memory.FileState // what is indexed, by path
	indexedByPath map[string]memory.FileState

	visited map[string]bool // paths that this look has dealt with
	blocks  []identity.NewBlock
	known   []identity.KnownMemory
	result  identity.Result
	batch   memory.Batch
}

func (r *run) isEmpty() bool {
	b := r.batch
	return len(b.Files)+len(b.Removed)+len(b.Touched)+len(b.Rematched) == 0
}

// apply fills the batch with what was found and commits it.
func (r *run) apply(ctx context.Context) (memory.IndexAnswer, error) {
	who := findSpeakers(r.blocks)
	for i, f := range r.blocks {
		p := r.newPlacement(f, r.result.IDs[i], r.result.Changes[i])
		setSpeaker(&p, who)
		r.batch.Placements = append(r.batch.Placements, p)
	}
	r.batch.TakeOvers, r.batch.Missing = r.result.TakeOvers, r.result.Missing
	r.batch.Force = r.force
	if err := r.matchEntries(ctx); err != nil {
		return memory.IndexAnswer{}, err
	}
	r.progress(memory.Progress{Stage: "index", Done: 0, Total: len(r.batch.Placements)})
	if err := r.store.Apply(ctx, r.now, r.batch); err != nil {
		return memory.IndexAnswer{}, fmt.Errorf("index %d files: %w", len(r.batch.Files), err)
	}
	r.progress(memory.Progress{Stage: "index", Done: len(r.batch.Placements), Total: len(r.batch.Placements)})
	return r.counts(), nil
}

func (r *run) counts() memory.IndexAnswer {
	var a memory.IndexAnswer
	for _, c := range r.result.Changes {
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
	for _, t := range r.result.TakeOvers {
		if !r.hasBlock(t.Elder) {
			a.Moved++
		}
	}
	a.Missing = len(r.result.Missing)
	return a
}

func (r *run) hasBlock(id memory.ID) bool {
	for _, placed := range r.result.IDs {
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
