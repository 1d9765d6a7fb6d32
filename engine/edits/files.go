// Package edits changes lines of Markdown for a command of a person, and takes the change back.
// The other memories of the file stay as they are.
package edits

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// Files changes the Markdown files of a workspace. It is not safe for concurrent use: the caller
// holds the lock of ingests.
type Files struct {
	DB        *index.DB
	Decisions *decisions.Files
	Zone      *time.Location // of times without a zone in the files
	ReadOnly  bool           // no file of the workspace may be written
	Host      Host

	editing *lineEdit // the edit that is being indexed
}

// Host is what the edits need of their workspace.
type Host interface {
	// Folder returns the open folder of the workspace.
	Folder() (*workspace.Workspace, error)
	// RefreshPaths indexes the present content of some files.
	RefreshPaths(ctx context.Context, now time.Time, paths []string) error
	// WatchAppends carries over what is still appended to a file that was replaced.
	WatchAppends(*workspace.LateAppends)
}

// Change is a change of the lines of one memory.
type Change struct {
	Memory     memory.Memory
	Was, Lines string // Was is how the caller knows the lines; empty lines are deleted
	OneMemory  bool   // the new lines may hold one memory only
}

// Replace replaces the lines of a memory. The other memories of the file stay as
// they are; lines that would change them are refused. The former lines are kept under
// batch.
func (f *Files) Replace(ctx context.Context, now time.Time, batch string, change Change) error {
	m := change.Memory
	folder, err := f.Host.Folder()
	if err != nil {
		return err
	}
	src, err := f.ReadIndexed(ctx, m.Path)
	if err != nil {
		return err
	}
	start, end := lineSpan(src, m.LineStart, m.LineEnd)
	if UnixLines(string(src[start:end])) != UnixLines(change.Was) {
		return LinesChanged(m.Path, m.LineStart)
	}
	if end <= frontmatter.Parse(src, f.Zone).BodyStart {
		return memory.Invalid("new_lines", "the lines are front matter").WithHint("edit the file with your editor: memory open %s", m.ID.Short())
	}
	after := asInFile(src[start:end], src, change.Lines)
	next := bytes.Join([][]byte{src[:start], after, src[end:]}, nil)
	left, err := checkOtherBlocks(src, next, start, end, len(after) > 0)
	if err != nil {
		return err
	}
	if len(left) > 1 && change.OneMemory {
		return memory.Invalid("new_lines", "the new lines hold %d memories, and a decision protects one only", len(left)).
			WithHint("make one memory of them, or edit the file with your editor: memory open %s", m.ID.Short())
	}
	if len(left) == 1 {
		f.editing = &lineEdit{m.ID, left[0].Fingerprint}
		defer func() { f.editing = nil }()
	}
	if err := f.refuseUnwritable(folder, m.Path); err != nil {
		return err
	}
	above, below := bytes.LastIndexByte(src[:max(start-1, 0)], '\n')+1, nextLine(src, end)
	former := index.FormerLines{Path: m.Path, Start: start, Before: src[start:end], After: after, Above: src[above:start], Below: src[end:below]}
	if err := f.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.AddFormerLines(batch, []index.FormerLines{former}) }); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	if err := f.replaceFile(ctx, now, folder, m.Path, src, next); err != nil {
		if errors.Is(err, workspace.ErrUnsynced) {
			return err
		}
		return errors.Join(err, f.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.DropFormerLines(batch) }))
	}
	return nil
}

// lineEdit is an edit of the lines of one memory: what they say now is this memory.
type lineEdit struct {
	id   memory.ID
	text memory.Fingerprint
}

// Edited returns the text that the lines of a memory have now, while an edit of them is indexed.
func (f *Files) Edited(id memory.ID) (text memory.Fingerprint, ok bool) {
	if f.editing == nil || f.editing.id != id {
		return text, false
	}
	return f.editing.text, true
}

// LinesChanged is the error for lines that are not what a person was shown.
func LinesChanged(path string, line int) error {
	return memory.Conflict("%s changed meanwhile at line %d", path, line).WithHint("look at it again: memory review")
}

func (f *Files) refuseUnwritable(folder *workspace.Workspace, path string) error {
	err := folder.WriteObstacle(path)
	reason := decisions.ReadOnlyReason(err)
	if f.ReadOnly {
		reason = "belongs to a read-only workspace"
	}
	if reason != "" {
		return memory.Conflict("%s %s", path, reason).WithHint("make it writable, then try again; nothing was changed")
	}
	return err
}

// replaceFile writes a file, provided that it still has the bytes src, and indexes it.
func (f *Files) replaceFile(ctx context.Context, now time.Time, folder *workspace.Workspace, path string, src, next []byte) error {
	appends, err := folder.Replace(path, sha256.Sum256(src), next)
	f.Host.WatchAppends(appends)
	if err != nil && !errors.Is(err, workspace.ErrUnsynced) {
		return err
	}
	return errors.Join(err, f.Host.RefreshPaths(ctx, now, []string{path}))
}

// ReadIndexed returns the content of a file, or nothing if it is not the indexed one.
func (f *Files) ReadIndexed(ctx context.Context, path string) ([]byte, error) {
	folder, err := f.Host.Folder()
	if err != nil {
		return nil, err
	}
	indexed, err := f.DB.Hashes(ctx, []string{path})
	if err != nil {
		return nil, err
	}
	src, hash, err := decisions.ReadForEdit(folder, path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && indexed[path] != hash {
		return nil, nil
	}
	return src, err
}
