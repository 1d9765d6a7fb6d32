package githistory

import (
	"context"
	"fmt"
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
	protected, err := db.HasProtected(ctx, paths)
	if err != nil {
		return err
	}
	decisionsLost := slices.Contains(batch.Removed, memory.DecisionsFile)
	if protected || decisionsLost {
		repository.Wait(ctx)
	}
	batch.DecisionsRemovalCommitted = decisionsLost && repository.DeletedByCommit(memory.DecisionsFile)
	interrupted := repository.Interrupted()
	unsure := !repository.Settled() || slices.ContainsFunc(batch.Files, func(f memory.FileState) bool { return !f.ModTime.After(interrupted) })
	if batch.Branch = repository.Head(); batch.Branch != b.head || unsure {
		batch.Branch = "on the way to " + batch.Branch
	}
	return nil
}

// Note notes the branch before a scan of the files.
func (b *Branch) Note() { b.head = git.Find(b.dir).Head() }

// Record records, after a scan, that all files are indexed as they are on
// a branch. It was checked out before the scan and still is. A line that protects
// a memory and is removed by hand on that branch then counts. It waits for git to finish,
// and calls scan, which reads all files, if the scan did not.
func (b *Branch) Record(ctx context.Context, db *index.DB, now time.Time, scannedAll bool, scan func() error) error {
	recorded, err := db.Meta(ctx, "branch")
	repository := git.Find(b.dir)
	if err != nil || recorded == b.head || repository.Head() != b.head {
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
	if repository.Head() != b.head || !repository.Settled() {
		return nil
	}
	return db.Update(ctx, now, func(tx *index.Tx) error { return tx.SetBranch(b.head) })
}

// Notice tells a person why lines that files lack do not count, and what to do. It is
// empty if they count.
func (b *Branch) Notice() string {
	repository := git.Find(b.dir)
	const effect = "meanwhile a line that a file has lost changes nothing: what was forgotten, private or less trusted stays so"
	if lock := repository.Lock(); lock != "" {
		return fmt.Sprintf("git is at work: %s exists; %s. If no git command is running, delete that file", lock, effect)
	}
	if operation := repository.Operation(); operation != "" {
		return fmt.Sprintf("a git operation is not finished: %s exists; %s. git status shows how to finish or abort it", operation, effect)
	}
	return ""
}
