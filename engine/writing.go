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

// writing brings what was decided into front matter, one write a file.
type writing struct {
	*space
	now   time.Time
	items []index.IntentItem

	progress func(memory.Progress)

	aside  map[memory.ID]string // kept in the index, and why
	failed map[memory.ID]error
}

// edit is what one file is to say of some memories.
type edit struct {
	home    []memory.ID // whose line stands here from now on
	changes []frontmatter.Change
}

// run writes every file, and again those that somebody else wrote meanwhile. It
// notes which memories failed; an error of its own means that it is not known
// what the files say.
func (w *writing) run(ctx context.Context) error {
	for try := 1; ; try++ {
		edits, err := w.edits(ctx)
		if err != nil {
			return err
		}
		clear(w.failed)
		again := false
		for i, path := range inOrder(edits) {
			w.progress(memory.Progress{Stage: "write", Done: i, Total: len(edits)})
			err := w.write(path, edits[path])
			again = again || err != nil && !errors.Is(err, memory.ErrUnavailable)
			if err != nil {
				w.settleFor(path, edits[path], err)
			}
		}
		if err := w.reread(ctx, w.now, slices.Sorted(maps.Keys(edits))); err != nil {
			return err
		}
		if !again || try == decideTries {
			return nil
		}
	}
}

// settleFor decides what becomes of memories whose file could not be written:
// what may not be written at all is kept in the index.
func (w *writing) settleFor(path string, e edit, err error) {
	for _, id := range e.ids() {
		if cause := readOnlyBecause(err); cause != "" && slices.Contains(e.home, id) {
			w.aside[id] = path + " " + cause
		} else if cause == "" {
			w.failed[id] = err
		}
	}
}

func (e edit) ids() (ids []memory.ID) {
	for _, c := range e.changes {
		ids = append(ids, c.ID)
	}
	return ids
}

// unwritable is a file whose front matter is read and never written.
type unwritable struct{ why string }

func (e unwritable) Error() string { return e.why }

func readOnlyBecause(err error) string {
	var u unwritable
	switch {
	case errors.As(err, &u):
		return "is not written to: " + u.why
	case errors.Is(err, workspace.ErrReadOnly):
		return "cannot be written"
	}
	return ""
}

// write edits one file, if it is still the one that is indexed.
func (w *writing) write(path string, e edit) error {
	d, err := w.onDisk()
	if err != nil {
		return err
	}
	src, want, err := readToWrite(d, path)
	if errors.Is(err, fs.ErrNotExist) {
		return changedMeanwhile(path)
	}
	if err != nil {
		return err
	}
	indexed, err := w.db.Hashes(context.Background(), []string{path})
	if err != nil {
		return err
	}
	if indexed[path] != want {
		return changedMeanwhile(path)
	}
	next, err := edited(path, src, w.Zone, e.changes)
	if err != nil || bytes.Equal(src, next) {
		return err
	}
	tail, err := d.Replace(path, want, next)
	w.hold(tail)
	return err
}

func changedMeanwhile(path string) error {
	return memory.Conflict("%s changed meanwhile", path).WithHint("try again when nothing else is writing it")
}

// notices says what could not be written into its file, a file once.
func (w *writing) notices() (list []string) {
	for _, item := range w.items {
		why := w.aside[item.ID]
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

// readToWrite reads a file that is to be written, with its hash. The one for
// decisions need not be there: it has no hash then.
func readToWrite(d *disk, path string) (src []byte, hash memory.Hash, err error) {
	src, _, err = d.Read(path)
	switch {
	case path == memory.DecisionsFile && errors.Is(err, fs.ErrNotExist):
		return []byte(decisionsHead), memory.Hash{}, nil
	case err != nil:
		return nil, hash, err
	}
	return src, sha256.Sum256(src), nil
}

// decisionsHead begins the file for decisions where it is made.
const decisionsHead = "# What was decided about single memories, one line a decision. Written by the memory program; edit it as you like.\n"

// edited is a file's text with the changes. Broken front matter is a conflict,
// what is merely not written to is unwritable.
func edited(path string, src []byte, zone *time.Location, changes []frontmatter.Change) ([]byte, error) {
	parse, set := frontmatter.Parse, frontmatter.Set
	if path == memory.DecisionsFile {
		parse, set = frontmatter.ParseDecisions, frontmatter.SetDecisions
	}
	m := parse(src, zone)
	if m.Unwritable != "" && !m.Broken && !m.Conflict {
		return nil, unwritable{m.Unwritable}
	}
	next, err := set(src, zone, changes)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return next, nil
}
