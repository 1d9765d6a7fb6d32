// Package decisions writes decisions about memories into Markdown. It edits the front matter of
// their files, or the decisions file, so that a crash or a file that changes loses nothing. What
// cannot be written stays in the index until it can be.
package decisions

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/frontmatter"
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

// Apply carries out a plan, unless it is a preview, and returns what it
// changes.
func (f *Files) Apply(ctx context.Context, now time.Time, p *plan.Plan, r memory.DecideRequest) (memory.DecideAnswer, error) {
	a := memory.DecideAnswer{Action: memory.Action(p.Action), Unchanged: p.Unchanged, Preview: r.Preview}
	if !r.Preview && len(p.Rows) > 0 {
		notices, err := f.Commit(ctx, now, p.Intent, ProgressOf(r))
		if err != nil {
			return memory.DecideAnswer{}, err
		}
		a.Notices, a.Batch = notices, p.Batch
		declarations, err := f.DB.Declarations(ctx, p.IDs)
		if err != nil {
			return memory.DecideAnswer{}, err
		}
		p.After = map[memory.ID]memory.Memory{}
		for _, decl := range declarations {
			p.After[decl.Memory.ID] = decl.Memory
		}
	}
	for _, id := range p.IDs {
		a.Changed = append(a.Changed, p.After[id])
	}
	return a, nil
}

// ProgressOf returns what a request reports its progress to.
func ProgressOf(r memory.DecideRequest) func(memory.Progress) {
	if r.Progress == nil {
		return func(memory.Progress) {}
	}
	return r.Progress
}

// metaEmptyHead, with a path after it, is the meta key of the empty front matter
// that a file had before it got its first entry.
const metaEmptyHead = "empty_head:"

// keepEmptyHead gives a file its empty front matter back when it loses its last
// entry. It notes the empty front matter before the file gets its first one.
func (f *Files) keepEmptyHead(ctx context.Context, now time.Time, path string, src, next []byte) ([]byte, error) {
	if path == memory.DecisionsFile {
		return next, nil
	}
	noted, err := f.DB.Meta(ctx, metaEmptyHead+path)
	if err != nil {
		return nil, err
	}
	if noted != "" && frontmatter.HasHead(src) && !frontmatter.HasHead(next) {
		return frontmatter.WithHead(next, []byte(noted)), nil
	}
	head := string(frontmatter.EmptyHead(src))
	if head == noted || head == "" && frontmatter.HasHead(src) {
		return next, nil
	}
	return next, f.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(metaEmptyHead+path, head) })
}
