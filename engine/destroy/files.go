// Package destroy removes texts for good: from the Markdown files of a workspace, its index and
// the copies of it. It finds every copy of a text, and continues after a crash.
package destroy

import (
	"context"
	"sync"
	"time"

	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// Files removes texts from the Markdown files, the index and the backups of a
// workspace. The caller holds the lock of ingests.
type Files struct {
	db       *index.DB
	zone     *time.Location // of times without a zone in the files
	name     string         // of the workspace
	readOnly bool           // no file of the workspace may be written
	host     Host

	mu    sync.Mutex
	cause error // why the last destroy is not finished
}

// Host is what destroying needs of a workspace.
type Host interface {
	// Folder returns the open folder of the workspace.
	Folder() (*workspace.Workspace, error)
	// RefreshPaths indexes the present content of some files.
	RefreshPaths(ctx context.Context, now time.Time, paths []string) error
	// WatchAppends carries over what is still appended to a file that was replaced.
	WatchAppends(*workspace.LateAppends)
	// PurgeCopies removes what is left in backups and other copies of the index.
	PurgeCopies(context.Context) (notices []string, err error)
	// StepDone is called after each step that a crash may interrupt.
	StepDone(step string) error
}

// New returns what destroys memories of a workspace.
func New(db *index.DB, zone *time.Location, name string, readOnly bool, host Host) *Files {
	return &Files{db: db, zone: zone, name: name, readOnly: readOnly, host: host}
}

// Unfinished returns why the last destroy is not finished; nil if it is.
func (f *Files) Unfinished() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.cause
}

func (f *Files) noteUnfinished(cause error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cause = cause
}
