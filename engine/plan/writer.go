package plan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// writer writes decisions into front matter, each file once.
type writer struct {
	*Executor
	now   time.Time
	items []index.IntentItem

	progress func(memory.Progress)

	sidecarOnly map[memory.ID]string // kept in the index only, with the reason
	failed      map[memory.ID]error
	unsynced    error // a file has its new content, and the disk did not confirm it
}

func newWriter(f *Executor, now time.Time, items []index.IntentItem) *writer {
	return &writer{Executor: f, now: now, items: items, progress: func(memory.Progress) {}, sidecarOnly: map[memory.ID]string{}, failed: map[memory.ID]error{}}
}

// fileEdit is the change of one file.
type fileEdit struct {
	entriesOf []memory.ID // memories whose entry file this is
	changes   []frontmatter.Change
	refreshed []frontmatter.Change // of other entries: their quotes, where the file is written anyway
}

// run writes every file, and tries again where another program changed one
// meanwhile. It records which memories failed. It returns an error only where the
// content of the files is unknown.
func (w *writer) run(ctx context.Context) error {
	for try := 1; ; try++ {
		edits, err := w.planEdits(ctx)
		if err != nil {
			return err
		}
		clear(w.failed)
		retry := false
		for i, path := range writeOrder(edits) {
			w.progress(memory.Progress{Stage: "write", Done: i, Total: len(edits)})
			err := w.writeFile(path, edits[path])
			retry = retry || err != nil && !errors.Is(err, memory.ErrUnavailable)
			switch {
			case errors.Is(err, workspace.ErrUnsynced):
				w.unsynced = err
			case err != nil:
				w.recordFailure(path, edits[path], err)
			}
		}
		if err := w.Host.RefreshPaths(ctx, w.now, slices.Sorted(maps.Keys(edits))); err != nil {
			return err
		}
		if !retry || try == maxWriteTries {
			return nil
		}
	}
}

// recordFailure records the outcome for memories whose file could not be written.
// Where the file may not be written at all, their decisions stay in the index.
func (w *writer) recordFailure(path string, e fileEdit, err error) {
	for _, id := range e.ids() {
		if cause := readOnlyReason(err); cause != "" && slices.Contains(e.entriesOf, id) {
			w.sidecarOnly[id] = path + " " + cause
		} else if cause == "" {
			w.failed[id] = err
		}
	}
}

func (e fileEdit) ids() (ids []memory.ID) {
	for _, c := range e.changes {
		ids = append(ids, c.ID)
	}
	return ids
}

// unwritableFile is the error for a file whose front matter is read but never
// written.
type unwritableFile struct{ reason string }

func (e unwritableFile) Error() string { return e.reason }

// readOnlyReason returns why a write failed that no later try can do, such as "cannot be
// written". It is empty for any other error and for none.
func readOnlyReason(err error) string {
	var u unwritableFile
	switch {
	case errors.As(err, &u):
		return "is never edited: " + u.reason
	case errors.Is(err, workspace.ErrReadOnly):
		return "cannot be written"
	case errors.Is(err, workspace.ErrLinked):
		return "has several hard links, which a write would separate"
	}
	return ""
}

// writeFile edits one file, provided that it is unchanged since it was indexed.
func (w *writer) writeFile(path string, e fileEdit) error {
	folder, err := w.Host.Folder()
	if err != nil {
		return err
	}
	src, hash, err := ReadForEdit(folder, path)
	if errors.Is(err, fs.ErrNotExist) {
		return FileChanged(path)
	}
	if err != nil {
		return err
	}
	indexed, err := w.DB.Hashes(context.Background(), []string{path})
	if err != nil {
		return err
	}
	if indexed[path] != hash {
		return FileChanged(path)
	}
	changes := slices.Concat(e.changes, e.refreshed)
	next, err := applyChanges(path, src, w.Zone, changes)
	if err != nil { // perhaps a quote is the cause; the decision goes without
		changes = e.changes
		next, err = applyChanges(path, src, w.Zone, changes)
	}
	if err != nil || bytes.Equal(src, next) {
		return err
	}
	if next, err = w.keepForm(context.Background(), w.now, path, src, next, changes); err != nil {
		return err
	}
	appends, err := folder.Replace(path, hash, next)
	w.Host.WatchAppends(appends)
	return err
}

// FileChanged returns the error for a file that another program changed meanwhile.
func FileChanged(path string) error {
	return memory.Conflict("%s changed meanwhile", path).WithHint("try again when no other program writes to it")
}

// notices reports, once a file, which decisions are kept in the index only.
func (w *writer) notices() (list []string) {
	for _, item := range w.items {
		reason := w.sidecarOnly[item.ID]
		if reason == "" {
			continue
		}
		notice := reason + "; the decision is kept in the index"
		if !slices.Contains(list, notice) {
			list = append(list, notice)
		}
	}
	return list
}

// ReadForEdit returns a file's text and hash. The decisions file may be absent: it
// then has the header as text and no hash.
func ReadForEdit(folder *workspace.Workspace, path string) (src []byte, hash memory.Hash, err error) {
	src, _, err = folder.Read(path)
	switch {
	case path == memory.DecisionsFile && errors.Is(err, fs.ErrNotExist):
		return []byte(decisionsHeader), memory.Hash{}, nil
	case err != nil:
		return nil, hash, err
	}
	return src, sha256.Sum256(src), nil
}

// decisionsHeader is the first line of a new decisions file.
const decisionsHeader = "# What was decided about single memories, one line a decision. Written by the memory program; edit it as you like.\n"

// applyChanges returns a file's text with the changes applied. Broken front matter
// is a conflict; other front matter that must not be written is an unwritableFile.
func applyChanges(path string, src []byte, zone *time.Location, changes []frontmatter.Change) ([]byte, error) {
	parse, set := frontmatter.Parse, frontmatter.Set
	if path == memory.DecisionsFile {
		parse, set = frontmatter.ParseDecisions, frontmatter.SetDecisions
	}
	m := parse(src, zone)
	if m.ReadOnlyReason != "" && !m.Broken && !m.HasConflict {
		return nil, unwritableFile{m.ReadOnlyReason}
	}
	next, err := set(src, zone, changes)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return next, nil
}

// ReadOnlyError returns the error, of some kind, for writing to a workspace that the
// configuration marks as read-only.
func ReadOnlyError(workspace string, kind error) *memory.Error {
	return &memory.Error{Kind: kind, Message: fmt.Sprintf("the workspace %s is read-only; nothing was changed", workspace),
		Hint: fmt.Sprintf("the setting workspaces.%s.readOnly makes it so; memory config set workspaces.%s.readOnly false allows to write", workspace, workspace)}
}
