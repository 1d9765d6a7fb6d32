package plan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
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
	return readOnlyReason(err), err
}

// Without returns the change of a file that removes the lines of some memories. It refuses a
// removal that would change another memory.
func (f *Executor) Without(folder *workspace.Workspace, path string, memories []memory.Memory) (change FileChange, err error) {
	src, _, err := folder.Read(path)
	if err != nil {
		return change, err
	}
	change, n, err := f.WithoutBlocks(path, src, func(b memory.Block) bool {
		return slices.ContainsFunc(memories, func(m memory.Memory) bool { return m.LineStart == b.LineStart && m.Text == b.Text })
	})
	if err == nil && n != len(memories) {
		err = FileChanged(path)
	}
	return change, err
}

// WithoutBlocks returns the change of a file that removes some blocks, and their number.
func (f *Executor) WithoutBlocks(path string, src []byte, isGone func(memory.Block) bool) (change FileChange, n int, err error) {
	m := frontmatter.Parse(src, f.Zone)
	if m.HasConflict || m.Broken {
		return change, 0, notRemovable(path, unreadableHead)
	}
	var spans []frontmatter.Span
	var kept []memory.Block
	for _, b := range chunker.Blocks(src, m.BodyStart) {
		if isGone(b) {
			spans = append(spans, frontmatter.Span{Start: b.Start, End: b.End})
		} else {
			kept = append(kept, b)
		}
	}
	next := f.removeSpans(src, m, spans, func(after []memory.Block) bool { return sameBlocks(kept, after) })
	if next == nil {
		return change, 0, notRemovable(path, changesNeighbour)
	}
	return FileChange{path, src, next}, len(spans), nil
}

// Why a text cannot be removed from a file.
const (
	unreadableHead   = "its front matter cannot be read, or it has git's conflict markers"
	changesNeighbour = "without it, the text around it would become another memory"
)

func notRemovable(path, reason string) error {
	return memory.Conflict("the stored text cannot be removed from %s: %s", path, reason).
		WithHint("remove it from %s by hand; memory undo 2 reverses the command before it", path)
}

// removeSpans removes spans of a file and, where needed, inserts a separator. Two lists must not
// merge, nor a paragraph and an indented block below it; a rule must not become front matter.
// keeps reports whether the blocks that are left are right. Without a way, it returns nil.
func (f *Executor) removeSpans(src []byte, m frontmatter.Parsed, spans []frontmatter.Span, keeps func(after []memory.Block) bool) []byte {
	head := frontmatter.RemainingHead(src, m, spans)
	for _, gap := range frontmatter.RemovalGaps(src) {
		next := frontmatter.RemoveBlocks(src, m, spans, gap)
		after := frontmatter.Parse(next, f.Zone)
		if after.BodyStart == len(head) && bytes.HasPrefix(next, head) && keeps(chunker.Blocks(next, after.BodyStart)) {
			return next
		}
	}
	return nil
}

// sameBlocks reports whether blocks are equal but for their place.
func sameBlocks(a, b []memory.Block) bool {
	return slices.EqualFunc(a, b, func(x, y memory.Block) bool {
		x.Start, x.End, x.LineStart, x.LineEnd = y.Start, y.End, y.LineStart, y.LineEnd
		return reflect.DeepEqual(x, y)
	})
}
