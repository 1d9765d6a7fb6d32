package plan

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/workspace"
)

// FileChange is one file before and after a command.
type FileChange struct {
	Path   string `json:"path"`
	Before []byte `json:"before"`
	After  []byte `json:"after"`
}

// Write replaces files that are as they were before, and indexes each of them.
func (f *Executor) Write(ctx context.Context, now time.Time, changes []FileChange) error {
	for _, change := range changes {
		folder, err := f.Host.Folder()
		if err == nil {
			err = f.Replace(folder, change)
		}
		if err != nil && !errors.Is(err, workspace.ErrUnsynced) {
			return err
		}
		if err := errors.Join(err, f.Host.RefreshPaths(context.WithoutCancel(ctx), now, []string{change.Path})); err != nil {
			return err
		}
	}
	return nil
}

// Replace replaces one file of a folder. After [workspace.ErrUnsynced], the file is changed and
// the disk did not confirm it.
func (f *Executor) Replace(folder *workspace.Workspace, change FileChange) error {
	late, err := folder.Replace(change.Path, sha256.Sum256(change.Before), change.After)
	f.Host.WatchAppends(late)
	return err
}

// RefuseUnwritable returns a conflict if no later try can write a file.
func (f *Executor) RefuseUnwritable(folder *workspace.Workspace, path string) error {
	reason, err := f.obstacle(folder, path)
	if reason != "" {
		return memory.Conflict("%s %s", path, reason).WithHint("make it writable, then try again; nothing was changed")
	}
	return err
}

// obstacle returns why no later try can write a file, such as "cannot be written"; empty if
// one can. err is why it cannot be written now.
func (f *Executor) obstacle(folder *workspace.Workspace, path string) (reason string, err error) {
	if f.ReadOnly {
		return "belongs to a read-only workspace", nil
	}
	err = folder.WriteObstacle(path)
	return ReadOnlyReason(err), err
}
