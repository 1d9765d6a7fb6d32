package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/workspace"
)

// A run is applied in several transactions if it has more than firstSlice blocks.
// The first transaction is small, so that the first answers come soon. Each next
// one is twice as large, up to maxGrowth times the first. Larger ones write fewer
// pages, and smaller ones hold up others for less long.
const (
	firstSlice = 1000
	maxGrowth  = 8
)

// collectFrom is the number of blocks in later slices from which the garbage of the matching
// is collected before the first transaction. It is as large as what the run holds.
const collectFrom = 10_000

// ErrPaused reports that a run stopped between two slices, because Options.Pause
// asked for it. The next run continues.
var ErrPaused = errors.New("indexing is paused")

// applySlices commits the run. The first transaction contains every file, with all
// that its front matter and the entries declare, and every memory that depends on
// another one. So each decision about a text is known before the text is. The rest
// follows in slices. A file with blocks left has no stamp of its own, so that the run
// after a crash or a pause reads it again. That run gives every block the same
// memory: the blocks that are left are new memories, or are where they were.
func (r *run) applySlices(ctx context.Context) error {
	first, rest, indexed := r.split()
	for _, i := range indexed {
		r.batch.Later = append(r.batch.Later, r.result.IDs[i])
	}
	size := r.options.SliceSize
	n := min(max(0, size-len(first)), len(rest))
	first, rest = append(first, rest[:n]...), rest[n:]
	slices.Sort(first) // in the order of the files, so that neighbours stay close on disk

	s := &slicer{run: r, files: map[string]int{}, left: map[string]int{}}
	for _, i := range rest {
		s.left[r.blocks[i].Path]++
		r.batch.Later = append(r.batch.Later, r.result.IDs[i])
	}
	r.batch.Placements = s.placements(first)
	unmark := s.markPartial()
	r.known, r.indexed = nil, nil // all of them is matched
	if len(rest) >= collectFrom {
		debug.FreeOSMemory()
	}
	done := r.settledCount() + len(indexed)
	r.report(done)
	if err := r.store.Apply(ctx, r.now, r.batch); err != nil {
		return fmt.Errorf("index %d files: %w", len(r.batch.Files), err)
	}
	unmark()
	done += len(first)
	r.report(done)
	for ; len(rest) > 0; done += n {
		if r.options.Pause() {
			r.left = map[int]bool{}
			for _, i := range rest {
				r.left[i] = true
			}
			return ErrPaused
		}
		size = min(2*size, maxGrowth*r.options.SliceSize)
		n = min(size, len(rest))
		if err := r.store.Apply(ctx, r.now, s.next(rest[:n])); err != nil {
			return fmt.Errorf("index %d memories: %w", n, err)
		}
		rest = rest[n:]
		r.report(done + n)
	}
	return nil
}

func (r *run) report(done int) {
	r.progress(memory.Progress{Stage: "index", Done: done, Total: len(r.read)})
}

// split divides the blocks of the run. The first part belongs into the first
// transaction. The others follow in the order in which they are indexed. The last
// part are those that an earlier run has indexed before it was interrupted.
func (r *run) split() (first, rest, indexed []int) {
	if len(r.blocks) <= r.options.SliceSize {
		for i := range r.blocks {
			first = append(first, i)
		}
		return first, nil, nil
	}
	decided, copies := r.decidedInBatch(), map[memory.Fingerprint]int{}
	for _, b := range r.blocks {
		copies[b.Block.Fingerprint]++
	}
	redeclared, interrupted := map[string]bool{}, map[string]bool{}
	for _, f := range r.batch.Files {
		was, known := r.indexedFile(f.Path)
		redeclared[f.Path] = known && isRedeclared(f, was)
		interrupted[f.Path] = !r.force && !redeclared[f.Path] && was.Stamp == memory.PartialStamp && was.Hash == f.Hash
	}
	places := r.knownPlaces(interrupted)
	for i, b := range r.blocks {
		mayFollow := r.result.Changes[i] == memory.Added
		switch r.result.Changes[i] {
		case memory.Unchanged, memory.Returned:
			mayFollow = copies[b.Block.Fingerprint] == 1 && !redeclared[b.Path] && reflect.ValueOf(b.Block.Annotations).IsZero()
		}
		id := r.result.IDs[i]
		at, known := places[id]
		switch {
		case !mayFollow || decided[id] || b.PreferredID != "":
			first = append(first, i)
		case known && at.isOf(b) && r.result.Changes[i] == memory.Unchanged:
			indexed = append(indexed, i)
		default:
			rest = append(rest, i)
		}
	}
	r.sortNewestFirst(rest)
	return first, rest, indexed
}

// indexedPlace is where a memory is, as it is indexed.
type indexedPlace struct{ identity.KnownMemory }

// isOf reports whether it is the place of a block. A memory that the interrupted run
// did not reach has the ordinal of its block, and lines of an earlier version.
func (p indexedPlace) isOf(b identity.NewBlock) bool {
	return p.Path == b.Path && p.Ordinal == b.Ordinal && p.LineStart == b.Block.LineStart &&
		p.Start == b.Block.Start && p.End == b.Block.End && slices.Equal(p.Heading, b.Block.Heading)
}

// knownPlaces returns the places of the memories of some files, as they are indexed.
func (r *run) knownPlaces(files map[string]bool) map[memory.ID]indexedPlace {
	places := map[memory.ID]indexedPlace{}
	for _, k := range r.known {
		if files[k.Path] && !k.Missing {
			places[k.ID] = indexedPlace{k}
		}
	}
	return places
}

// decidedInBatch returns the memories that entries of the batch's files are about
// or may be about, now or when the files were indexed last. It adds those that take
// over others.
func (r *run) decidedInBatch() map[memory.ID]bool {
	decided := map[memory.ID]bool{}
	add := func(f memory.FileState) {
		was, _ := r.indexedFile(f.Path)
		for _, e := range slices.Concat(f.Entries, was.Entries) {
			decided[e.MatchedID] = true
			for _, id := range e.Doubtful {
				decided[id] = true
			}
		}
	}
	for _, files := range [][]memory.FileState{r.batch.Files, r.batch.Rematched} {
		for _, f := range files {
			add(f)
		}
	}
	for _, path := range r.batch.Removed {
		add(memory.FileState{Path: path})
	}
	for _, t := range r.batch.TakeOvers {
		decided[t.Elder] = true
	}
	for _, p := range r.batch.Parts {
		decided[p.Memory], decided[p.Of] = true, true
	}
	return decided
}

// sortNewestFirst sorts blocks by file. The files that fit into one slice come first,
// the newest of them first, then the larger ones by size. So no large file holds up
// others.
func (r *run) sortNewestFirst(blocks []int) {
	type rank struct {
		size int
		age  int64 // smaller is newer
	}
	ranks, modTimes := map[string]rank{}, map[string]int64{}
	for _, f := range r.batch.Files {
		modTimes[f.Path] = f.ModTime.UnixNano()
	}
	for _, i := range blocks {
		path := r.blocks[i].Path
		one := ranks[path]
		one.size++
		ranks[path] = one
	}
	for path, one := range ranks {
		one.age = -modTimes[path]
		if date, dated := workspace.DateOf(path, r.options.Zone); dated {
			one.age = -date.UnixNano() // a checkout sets the times of files, but not their names
		}
		if one.size <= r.options.SliceSize {
			one.size = 0
		}
		ranks[path] = one
	}
	slices.SortStableFunc(blocks, func(a, b int) int {
		x, y := r.blocks[a].Path, r.blocks[b].Path
		return cmp.Or(cmp.Compare(ranks[x].size, ranks[y].size), cmp.Compare(ranks[x].age, ranks[y].age), cmp.Compare(x, y))
	})
}

// slicer makes the batches that follow the first one.
type slicer struct {
	*run
	files map[string]int // files with blocks left → their index in the batch
	left  map[string]int // blocks left of each file
}

// markPartial marks the files of the batch with blocks left, so that they are read again
// after a crash. unmark undoes that.
func (s *slicer) markPartial() (unmark func()) {
	var restore []func()
	for i := range s.batch.Files {
		f := &s.batch.Files[i]
		if s.left[f.Path] == 0 {
			continue
		}
		s.files[f.Path] = i
		hash, stamp := f.Hash, f.Stamp
		restore = append(restore, func() { f.Hash, f.Stamp = hash, stamp })
		if f.Stamp = memory.PartialStamp; s.force {
			f.Hash, f.Stamp = memory.Hash{}, "" // its blocks must be written again
		}
	}
	return func() {
		for _, f := range restore {
			f()
		}
	}
}

func (s *slicer) placements(blocks []int) []memory.Placement {
	placements := make([]memory.Placement, len(blocks))
	for n, i := range blocks {
		placements[n] = s.newPlacement(s.blocks[i], s.result.IDs[i], s.result.Changes[i])
		setTopic(&placements[n], func(name string) bool { return s.speakers[speakerKey{s.blocks[i].Path, name}] })
	}
	return placements
}

// next returns the batch that places some more blocks.
func (s *slicer) next(blocks []int) memory.Batch {
	b := memory.Batch{Placements: s.placements(blocks), Force: s.force}
	seen := map[string]bool{}
	for _, i := range blocks {
		path := s.blocks[i].Path
		if !seen[path] {
			seen[path] = true
			b.Continued = append(b.Continued, s.batch.Files[s.files[path]])
		}
		if s.left[path]--; s.left[path] == 0 {
			b.Completed = append(b.Completed, s.batch.Files[s.files[path]])
		}
	}
	return b
}
