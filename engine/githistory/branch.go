package githistory

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/git"
)

// Branch is the git branch on which the files of a workspace are read.
type Branch struct {
	dir  string
	head string // before the last scan
}

// NewBranch returns the branch of the files in a folder.
func NewBranch(dir string) Branch { return Branch{dir: dir} }

// Mark adds the branch to a batch. If the batch touches lines that forget a memory, it
// waits for git to finish: git rewrites the files first and HEAD last. If the branch
// changed since the scan began, no branch is certain, and the batch gets a name that no
// branch has.
func (b *Branch) Mark(ctx context.Context, db *index.DB, batch *memory.Batch) error {
	repository := git.Find(b.dir)
	forgets, err := forgetsIn(ctx, db, *batch)
	if err != nil {
		return err
	}
	decisionsLost := slices.Contains(batch.Removed, memory.DecisionsFile)
	if forgets || decisionsLost {
		repository.Wait(ctx)
	}
	batch.DecisionsRemovalCommitted = decisionsLost && repository.DeletedByCommit(memory.DecisionsFile)
	if batch.Branch = repository.Head(); batch.Branch != b.head {
		batch.Branch = "on the way to " + batch.Branch
	}
	return nil
}

// forgetsIn reports whether files of a batch have lines that forget a memory, or
// had some when they were indexed.
func forgetsIn(ctx context.Context, db *index.DB, batch memory.Batch) (bool, error) {
	var paths []string
	for _, f := range batch.Files {
		paths = append(paths, f.Path)
		for _, e := range f.Entries {
			if e.Declared.Forgotten != nil && *e.Declared.Forgotten {
				return true, nil
			}
		}
	}
	forgotten, err := db.ForgottenByEntries(ctx, paths)
	return len(forgotten) > 0, err
}

// Note notes the branch before a scan of the files.
func (b *Branch) Note() { b.head = git.Find(b.dir).Head() }

// Record records, after a scan, that all files are indexed as they are on
// a branch. It was checked out before the scan and still is. A line that forgets
// a memory and is removed by hand on that branch then restores it. Where such
// lines exist and git is busy, it waits for git and calls scan, which reads all files.
func (b *Branch) Record(ctx context.Context, db *index.DB, now time.Time, scannedAll bool, scan func() error) error {
	recorded, err := db.Meta(ctx, "branch")
	repository := git.Find(b.dir)
	if err != nil || recorded == b.head || !repository.Exists() || repository.Head() != b.head {
		return err
	}
	if repository.Busy() {
		forgets, err := db.HasForgettingEntries(ctx)
		if err != nil || !forgets {
			return err
		}
		repository.Wait(ctx)
		scannedAll = false
	}
	if !scannedAll {
		if err := scan(); err != nil {
			return err
		}
	}
	if repository.Head() != b.head || repository.Busy() {
		return nil
	}
	return db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetBranch(b.head) })
}
