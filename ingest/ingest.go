// Package ingest updates the index from the Markdown. It finds the files that
// changed, parses and splits them, matches their blocks with the known
// memories, and passes one batch to the index.
//
// It is level-triggered: a path is only a hint to check the disk. Repeated,
// late or wrong hints do no harm.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/ingest/documents"
	"github.com/memory-tiered/memory/workspace"
)

// Store is the part of the index that ingest needs.
type Store interface {
	// Files returns the indexed files, sorted by path bytewise. With paths, it returns these
	// and all with an entry.
	Files(ctx context.Context, paths ...string) ([]memory.FileState, error)
	// Known returns the memories that match a query. Without a time in the
	// query, it returns no memory only because it is missing.
	Known(ctx context.Context, q identity.KnownQuery) ([]identity.KnownMemory, error)
	// Blocks returns the indexed blocks of a file, by their ordinals.
	Blocks(ctx context.Context, path string) ([]identity.IndexedBlock, error)
	// Destroyed returns a function that reports whether the text of a block was
	// destroyed. It is nil if no text was.
	Destroyed(ctx context.Context) (func(memory.Block) bool, error)
	Apply(ctx context.Context, now time.Time, b memory.Batch) error
}

// Source is the folder of the workspace.
type Source interface {
	// Walk returns every file, sorted by path bytewise, faults for paths that it
	// cannot check, and links that lead to no file. Files at paths with a fault do
	// not count as removed; files at and below such links do.
	Walk(ctx context.Context) (workspace.ScanResult, error)
	Stat(path string) (workspace.File, bool, error)
	// BadLink returns the fault of a link that leads to no file.
	BadLink(path string) (fault memory.Fault, ok bool)
	// Read returns a file's bytes and its stamp from before the read. A write
	// during the read then shows as another stamp in the next scan.
	Read(path string) ([]byte, workspace.File, error)
	Defaults(path string) memory.Declared
}

// EntityExtractor finds the entities of a memory: the people, things and subjects that
// it is about. Searches find a memory by their names, and filters select by them.
type EntityExtractor interface {
	// Entities returns the names of the entities of a block, each once. It has to return
	// the same names for the same block.
	Entities(memory.Block) []string
}

// LinksAndTags is the default entity extractor.
type LinksAndTags struct{}

// Entities returns the targets of [[links]], then the #tags.
func (LinksAndTags) Entities(b memory.Block) []string {
	out := slices.Clone(b.Links)
	for _, tag := range b.Annotations.Tags {
		if !slices.Contains(out, tag) {
			out = append(out, tag)
		}
	}
	return out
}

// Options configure how a workspace's files are parsed.
type Options struct {
	Zone      *time.Location      // for dates without a time zone; nil: UTC
	Entities  EntityExtractor     // nil: [[links]] and #tags
	OfClient  bool                // the files are an agent's client's own: see docs/native.md
	Documents bool                // the files are documents: see docs/documents.md
	Extract   documents.Extractor // the text of documents that are no text

	// SliceSize is the number of blocks from which a run is applied in several
	// transactions, and of the first of them; 0: 1,000.
	SliceSize int
	// Pause is called between two of these transactions. If it returns true, Ingest
	// ends with ErrPaused, and the next run continues. nil: never.
	Pause func() bool
}

// Ingester updates the index of one workspace. Run one Ingest at a time.
type Ingester struct {
	store   Store
	source  Source
	options Options
}

// New creates an ingester. It starts nothing.
func New(store Store, source Source, options Options) *Ingester {
	if options.Zone == nil {
		options.Zone = time.UTC
	}
	if options.Entities == nil {
		options.Entities = LinksAndTags{}
	}
	if options.SliceSize == 0 {
		options.SliceSize = firstSlice
	}
	if options.Pause == nil {
		options.Pause = func() bool { return false }
	}
	return &Ingester{store: store, source: source, options: options}
}

// Ingest checks some files or folders, or all files if there are no paths, and
// applies the changes. It does so in one transaction, or many changes in slices.
// force also reads and writes unchanged files. The answer counts what happened to
// memories; it does not count the memories of the index. progress may be nil.
//
// Ingest also checks the files without a hint that may have the other half of a move.
func (in *Ingester) Ingest(ctx context.Context, now time.Time, paths []string, force bool, progress func(memory.Progress)) (answer memory.IndexAnswer, err error) {
	paths, err = cleanPaths(paths)
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	if progress == nil {
		progress = func(memory.Progress) {}
	}
	r := &run{Ingester: in, now: now, force: force, progress: progress,
		visited: map[string]bool{}, aliases: map[string][]string{}, speakers: map[speakerKey]bool{},
		spans: map[string]span{}, compared: map[string]*comparedFile{}}
	if r.isDestroyed, err = in.store.Destroyed(ctx); err != nil {
		return memory.IndexAnswer{}, err
	}
	seen, err := r.findChanges(ctx, paths, force)
	if err != nil {
		return memory.IndexAnswer{}, err
	}
	if err := r.readChanges(ctx, seen); err != nil || r.isEmpty() {
		return memory.IndexAnswer{}, err
	}
	if len(r.replacedByLinks) > 0 {
		defer func() {
			if err == nil {
				_, err = in.Ingest(ctx, now, r.replacedByLinks, false, nil)
			}
		}()
	}
	if err := r.matchBlocks(ctx); err != nil {
		return memory.IndexAnswer{}, err
	}
	if len(paths) > 0 {
		if err := r.widen(ctx, paths); err != nil {
			return memory.IndexAnswer{}, err
		}
	}
	return r.apply(ctx)
}

// run is one call of Ingest, from the paths to the batch.
type run struct {
	*Ingester
	now      time.Time
	force    bool
	progress func(memory.Progress)
	indexed  []memory.FileState // indexed files, sorted by path

	hasAllFiles bool // else indexed has only the files at the given paths, and those with an entry

	isDestroyed func(memory.Block) bool // nil: no text was destroyed
	destroyed   []string                // texts in the files that were destroyed

	visited  map[string]bool // paths that this run has handled
	read     []identity.NewBlock
	spans    map[string]span     // the blocks of each file in read
	aliases  map[string][]string // other names of files, by path
	speakers map[speakerKey]bool
	compared map[string]*comparedFile // files with settled blocks, by path

	blocks  []identity.NewBlock // those that are matched
	blockAt []int               // block of read → its index in blocks, or none: it is settled
	known   []identity.KnownMemory
	result  identity.Result
	batch   memory.Batch
	left    map[int]bool // blocks that a pause left for the next run

	// replacedByLinks lists files that were removed, because a link that leads to no
	// file is there now. The next run notes the fault.
	replacedByLinks []string
}

// span is a range of blocks, [from, to).
type span struct{ from, to int }

func (r *run) isEmpty() bool {
	b := r.batch
	return len(b.Files)+len(b.Removed)+len(b.Touched)+len(b.Rematched) == 0
}

// apply completes the batch and commits it.
func (r *run) apply(ctx context.Context) (memory.IndexAnswer, error) {
	r.batch.TakeOvers, r.batch.Missing = r.result.TakeOvers, r.result.Missing
	r.batch.Force, r.batch.Shifts = r.force, r.shifts()
	r.batch.DecisionsLost = r.batch.DecisionsLost || slices.Contains(r.batch.Removed, memory.DecisionsFile)
	r.dropDestroyedEntries()
	if err := r.matchEntries(ctx); err != nil {
		return memory.IndexAnswer{}, err
	}
	if err := r.noteParts(ctx); err != nil {
		return memory.IndexAnswer{}, err
	}
	if err := r.applySlices(ctx); err != nil && !errors.Is(err, ErrPaused) {
		return memory.IndexAnswer{}, err
	} else {
		return r.counts(), err
	}
}

// counts counts what was committed.
func (r *run) counts() memory.IndexAnswer {
	a := memory.IndexAnswer{Unchanged: r.settledCount()}
	for i, c := range r.result.Changes {
		if r.left[i] {
			continue
		}
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

// loadFiles loads the indexed files at some paths and those with an entry; without paths,
// all of them. An index that has none of these may be empty: then it loads all too.
func (r *run) loadFiles(ctx context.Context, paths ...string) (err error) {
	if r.hasAllFiles {
		return nil
	}
	if r.indexed, err = r.store.Files(ctx, paths...); err != nil {
		return fmt.Errorf("list indexed files: %w", err)
	}
	if r.hasAllFiles = len(paths) == 0; len(r.indexed) == 0 {
		return r.loadFiles(ctx)
	}
	return nil
}

// indexedFile returns a file as it is indexed.
func (r *run) indexedFile(path string) (f memory.FileState, known bool) {
	at, known := slices.BinarySearchFunc(r.indexed, path, func(f memory.FileState, path string) int { return strings.Compare(f.Path, path) })
	if known {
		f = r.indexed[at]
	}
	return f, known
}
