package engine

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

// writer brings what was decided into front matter, one write a file.
type writer struct {
	*workspaceState
	now   time.Time
	items []index.IntentItem

	progress func(memory.Progress)

	sidecarOnly map[memory.ID]string // kept in the index, and why
	failed      map[memory.ID]error
}

// fileEdit is what one file is to say of some memories.
type fileEdit struct {
	entriesOf []memory.ID // whose line stands here from now on
	changes   []frontmatter.Change
}

// run writes every file, and again those that somebody else wrote meanwhile. It
// notes which memories failed; an error of its own means that it is not known
// what the files say.
func (w *writer) run(ctx context.Context) error {
	for try := 1; ; try++ {
		edits, err := w.planEdits(ctx)
		if err != nil {
			return err
		}
		clear(w.failed)
		again := false
		for i, path := range writeOrder(edits) {
			w.progress(memory.Progress{Stage: "write", Done: i, Total: len(edits)})
			err := w.writeFile(path, edits[path])
			again = again || err != nil && !errors.Is(err, memory.ErrUnavailable)
			if err != nil {
				w.recordFailure(path, edits[path], err)
			}
		}
		if err := w.refreshPaths(ctx, w.now, slices.Sorted(maps.Keys(edits))); err != nil {
			return err
		}
		if !again || try == maxWriteTries {
			return nil
		}
	}
}

// recordFailure decides what becomes of memories whose file could not be written:
// what may not be written at all is kept in the index.
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

// unwritableFile is a file whose front matter is read and never written.
type unwritableFile struct{ reason string }

func (e unwritableFile) Error() string { return e.reason }

func readOnlyReason(err error) string {
	var u unwritableFile
	switch {
	case errors.As(err, &u):
		return "is not written to: " + u.reason
	case errors.Is(err, workspace.ErrReadOnly):
		return "cannot be written"
	}
	return ""
}

// writeFile edits one file, if it is still the one that is indexed.
func (w *writer) writeFile(path string, e fileEdit) error {
	d, err := w.openFolder()
	if err != nil {
		return err
	}
	src, want, err := readForEdit(d, path)
	if errors.Is(err, fs.ErrNotExist) {
		return fileChanged(path)
	}
	if err != nil {
		return err
	}
	indexed, err := w.db.Hashes(context.Background(), []string{path})
	if err != nil {
		return err
	}
	if indexed[path] != want {
		return fileChanged(path)
	}
	next, err := applyChanges(path, src, w.Zone, e.changes)
	if err != nil || bytes.Equal(src, next) {
		return err
	}
	tail, err := d.Replace(path, want, next)
	w.watchAppends(tail)
	return err
}

func fileChanged(path string) error {
	return memory.Conflict("%s changed meanwhile", path).WithHint("try again when nothing else is writing it")
}

// notices says what could not be written into its file, a file once.
func (w *writer) notices() (list []string) {
	for _, item := range w.items {
		why := w.sidecarOnly[item.ID]
		if why == "" {
			continue
		}
		notice := why + "; what was decided is kept in the index"
		if !slices.Contains(list, notice) {
			list = append(list, notice)
		}
	}
	return list
}

// readForEdit reads a file that is to be written, with its hash. The one for
// decisions need not be there: it has no hash then.
func readForEdit(d *workspaceFolder, path string) (src []byte, hash memory.Hash, err error) {
	src, _, err = d.Read(path)
	switch {
	case path == memory.DecisionsFile && errors.Is(err, fs.ErrNotExist):
		return []byte(decisionsHeader), memory.Hash{}, nil
	case err != nil:
		return nil, hash, err
	}
	return src, sha256.Sum256(src), nil
}

// decisionsHeader begins the file for decisions where it is made.
const decisionsHeader = "# What was decided about single memories, one line a decision. Written by the memory program; edit it as you like.\n"

// applyChanges is a file's text with the changes. Broken front matter is a conflict,
// what is merely not written to is unwritable.
func applyChanges(path string, src []byte, zone *time.Location, changes []frontmatter.Change) ([]byte, error) {
	parse, set := frontmatter.Parse, frontmatter.Set
	if path == memory.DecisionsFile {
		parse, set = frontmatter.ParseDecisions, frontmatter.SetDecisions
	}
	m := parse(src, zone)
	if m.Unwritable != "" && !m.Broken && !m.Conflict {
		return nil, unwritableFile{m.Unwritable}
	}
	next, err := set(src, zone, changes)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return next, nil
}
