package engine

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/git"
)

// branchIndex is the index as the ingester uses it: each batch carries the git branch
// on which its files were read.
type branchIndex struct {
	*index.DB
	state *workspaceState
}

// Known returns the memories that match a query. The one that a person edits in a review
// has the text that its lines have now.
func (b branchIndex) Known(ctx context.Context, q memory.KnownQuery) ([]identity.KnownMemory, error) {
	known, err := b.DB.Known(ctx, q)
	for i, k := range known {
		if edit := b.state.editing; edit != nil && k.ID == edit.id {
			known[i].EditedTo = edit.text
		}
	}
	return known, err
}

// Apply adds the branch to a batch and applies it. If the batch touches lines that
// forget a memory, Apply waits for git to finish: git rewrites the files first and
// HEAD last. If the branch changed since the scan began, no branch is certain, and
// the batch gets a name that no branch has.
func (b branchIndex) Apply(ctx context.Context, now time.Time, batch memory.Batch) error {
	repository := git.Find(b.state.Dir)
	forgets, err := b.forgets(ctx, batch)
	if err != nil {
		return err
	}
	decisionsLost := slices.Contains(batch.Removed, memory.DecisionsFile)
	if forgets || decisionsLost {
		repository.Wait(ctx)
	}
	batch.DecisionsRemovalCommitted = decisionsLost && repository.DeletedByCommit(memory.DecisionsFile)
	if batch.Branch = repository.Head(); batch.Branch != b.state.head {
		batch.Branch = "on the way to " + batch.Branch
	}
	return b.DB.Apply(ctx, now, batch)
}

// forgets reports whether files of a batch have lines that forget a memory, or
// had some when they were indexed.
func (b branchIndex) forgets(ctx context.Context, batch memory.Batch) (bool, error) {
	var paths []string
	for _, f := range batch.Files {
		paths = append(paths, f.Path)
		for _, e := range f.Entries {
			if e.Declared.Forgotten != nil && *e.Declared.Forgotten {
				return true, nil
			}
		}
	}
	forgotten, err := b.ForgottenByEntries(ctx, paths)
	return len(forgotten) > 0, err
}

// noteHead records the branch before a scan of the files.
func (s *workspaceState) noteHead() { s.head = git.Find(s.Dir).Head() }

// recordBranch records, after a scan, that all files are indexed as they are on
// a branch. It was checked out before the scan and still is. A line that forgets
// a memory and is removed by hand on that branch then restores it. Where such
// lines exist and git is busy, it waits for git and scans again.
func (s *workspaceState) recordBranch(ctx context.Context, now time.Time, folder *workspaceFolder, scannedAll bool) error {
	recorded, err := s.db.Meta(ctx, "branch")
	repository := git.Find(s.Dir)
	if err != nil || recorded == s.head || !repository.Exists() || repository.Head() != s.head {
		return err
	}
	if repository.Busy() {
		forgets, err := s.db.HasForgettingEntries(ctx)
		if err != nil || !forgets {
			return err
		}
		repository.Wait(ctx)
		scannedAll = false
	}
	if !scannedAll {
		if _, err := folder.ingester.Ingest(ctx, now, nil, false, nil); err != nil {
			return err
		}
	}
	if repository.Head() != s.head || repository.Busy() {
		return nil
	}
	return s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetBranch(s.head) })
}
