// Package decisions writes decisions about memories into Markdown. It edits the front matter of
// their files, or the decisions file, so that a crash or a file that changes loses nothing. What
// cannot be written stays in the index until it can be.
package decisions

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// Files writes decisions about memories into the Markdown files of a workspace. It
// is not safe for concurrent use: the caller holds the lock of ingests.
type Files struct {
	DB   *index.DB
	Zone *time.Location // of times without a zone in the files
	Dir  string         // the folder of the workspace

	ReadOnly        bool // no file of the workspace may be written
	InDecisionsFile bool // entries belong into memory.DecisionsFile, not into their files
	Host            Host
}

// Host is what the files need of their workspace.
type Host interface {
	// Folder returns the open folder of the workspace.
	Folder() (*workspace.Workspace, error)
	// RefreshPaths indexes the present content of some files.
	RefreshPaths(ctx context.Context, now time.Time, paths []string) error
	// RefreshAll indexes the present content of all files.
	RefreshAll(ctx context.Context, now time.Time) error
	// WatchAppends carries over what is still appended to a file that was replaced.
	WatchAppends(*workspace.LateAppends)
	// ResumeDestroy continues an interrupted destroy.
	ResumeDestroy(ctx context.Context, now time.Time, intent index.Intent) error
	// StepDone is called after each step that a crash may interrupt.
	StepDone(step string) error
}

// CountText returns a number of memories, for a person.
func CountText(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}
