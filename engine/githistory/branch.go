package githistory

import (
	"context"
	"errors"
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

// Mark adds the branch to a batch. If its files have protected memories, it waits for git
// to finish: git rewrites the files first and HEAD last. No branch is certain if git is at
// work or was killed, or if the branch changed since the scan began. The batch then gets a
// name that no branch has.
func (b *Branch) Mark(ctx context.Context, db *index.DB, batch *memory.Batch) error {
	repository := git.Find(b.dir)
	if !repository.Exists() {
		return nil
	}
	var paths []string
	for _, f := range batch.Files {
		paths = append(paths, f.Path)
	}
	protected, err := db.HasProtected(ctx, slices.Concat(paths, batch.Removed))
	if err != nil {
		return err
	}
	if protected {
		repository.Wait(ctx)
	}
	if batch.DecisionsLost && repository.DeletedByCommit(memory.DecisionsFile) {
		batch.DecisionsLost = false
	}
	interrupted := repository.Interrupted()
	if protected && b.isRewound(ctx, db, repository) {
		batch.Branch = "another commit"
		return nil
	}
	unsure := !repository.Settled() || slices.ContainsFunc(batch.Files, func(f memory.FileState) bool { return !f.ModTime.After(interrupted) })
	if batch.Branch = repository.Head(); batch.Branch != b.head || unsure {
		batch.Branch = "on the way to " + batch.Branch
	}
	return nil
}

// moveKey is the key of meta with the last move of HEAD when all files were read.
const moveKey = "head_move"

// isRewound reports whether HEAD went back, as a reset does, since all files were read last.
func (b *Branch) isRewound(ctx context.Context, db *index.DB, repository git.Repository) bool {
	before, err := db.Meta(ctx, moveKey)
	return err != nil || before != "" && repository.Rewound(ctx, b.dir, before)
}

// Note notes the branch before a scan of the files.
func (b *Branch) Note() { b.head = git.Find(b.dir).Head() }

// Record records, after a scan, that all files are indexed as they are on
// a branch. It was checked out before the scan and still is. A line that protects
// a memory and is removed by hand on that branch then counts. It waits for git to finish,
// and calls scan, which reads all files, if the scan did not.
func (b *Branch) Record(ctx context.Context, db *index.DB, now time.Time, scannedAll bool, scan func() error) error {
	recorded, err := db.Meta(ctx, "branch")
	if err != nil {
		return err
	}
	repository := git.Find(b.dir)
	move := repository.LastMove()
	at, err := db.Meta(ctx, moveKey)
	if err != nil || recorded == b.head && at == move || repository.Head() != b.head {
		return err
	}
	if repository.Busy() {
		repository.Wait(ctx)
		scannedAll = false
	}
	if !repository.Settled() {
		return nil
	}
	if !scannedAll {
		if err := scan(); err != nil {
			return err
		}
	}
	if repository.Head() != b.head || repository.LastMove() != move || !repository.Settled() {
		return nil
	}
	return db.Update(ctx, now, func(tx *index.Tx) error {
		return errors.Join(tx.SetBranch(b.head), tx.SetMeta(moveKey, move))
	})
}
