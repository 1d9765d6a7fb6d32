package engine

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	items []index.Intended

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

// edits works out, from what the index knows, which lines of which files have
// to change. Where nothing has to, nothing is written.
func (w *writing) edits(ctx context.Context) (map[string]edit, error) {
	var ids []memory.ID
	said := map[memory.ID]memory.Declared{}
	for _, item := range w.items {
		ids, said[item.ID] = append(ids, item.ID), item.Said
	}
	stances, err := w.db.Stances(ctx, ids)
	if err != nil {
		return nil, err
	}
	edits := map[string]edit{}
	for _, st := range stances {
		id := st.Memory.ID
		if _, aside := w.aside[id]; aside {
			continue
		}
		home := w.homeOf(st)
		if home == "" {
			w.aside[id] = ""
			continue
		}
		for _, path := range linePaths(st, home) {
			if change, needed := w.change(st, path, home, said[id]); needed {
				e := edits[path]
				e.changes = append(e.changes, change)
				if path == home {
					e.home = append(e.home, id)
				}
				edits[path] = e
			}
		}
	}
	return edits, nil
}

// inOrder puts the files that say something from now on before those that only
// say it no more: what is said of a memory stands somewhere at any moment.
func inOrder(edits map[string]edit) []string {
	paths := slices.Sorted(maps.Keys(edits))
	slices.SortStableFunc(paths, func(a, b string) int {
		return cmp.Compare(min(1, len(edits[b].home)), min(1, len(edits[a].home)))
	})
	return paths
}

// homeOf is the file that speaks of a memory: its own, or the one for decisions
// where the workspace has that; of one that is missing, the one that does already.
func (s *space) homeOf(st index.Stance) string {
	if s.DecisionsFile {
		return memory.DecisionsFile
	}
	if !st.Memory.Missing {
		return st.Memory.Path
	}
	if len(st.Lines) > 0 {
		return st.Lines[0].Path
	}
	return ""
}

// linePaths are the files with lines about a memory, its home first.
func linePaths(st index.Stance, home string) []string {
	paths := []string{home}
	for _, l := range st.Lines {
		if !slices.Contains(paths, l.Path) {
			paths = append(paths, l.Path)
		}
	}
	return paths
}

func (w *writing) change(st index.Stance, path, home string, said memory.Declared) (c frontmatter.Change, needed bool) {
	c = frontmatter.Change{ID: st.Memory.ID, Quote: frontmatter.Quote(st.Memory.Text), Declared: said}
	if path == memory.DecisionsFile {
		c.Path = st.Memory.Path
	}
	if path != home {
		c.Declared, c.Remove = memory.Declared{}, true
	}
	var here []memory.Entry
	for _, l := range st.Lines {
		if l.Path == path {
			here = append(here, l.Entry)
			if !strings.HasPrefix(st.Memory.ID.InFile(), l.Entry.IDPrefix) || len(l.Entry.IDPrefix) < len(st.Memory.ID.InFile()) {
				c.Was = &l.Entry
			}
		}
	}
	switch {
	case len(here) == 0:
		return c, !isNothing(c.Declared, w.Zone)
	case len(here) == 1 && !c.Remove:
		return c, !sameLine(here[0].Declared, said, w.Zone)
	}
	return c, true
}

// isNothing and sameLine ask what a line would say: the same words are the same
// line, whatever the index kept beside them.
func isNothing(d memory.Declared, zone *time.Location) bool {
	return sameLine(d, memory.Declared{}, zone)
}

func sameLine(a, b memory.Declared, zone *time.Location) bool {
	return lineOf(a, zone) == lineOf(b, zone)
}

func lineOf(d memory.Declared, zone *time.Location) string {
	change := frontmatter.Change{ID: memory.NewID(memory.Fingerprint{}, 0), Quote: "x", Declared: d}
	text, err := frontmatter.Set(nil, zone, []frontmatter.Change{change})
	if err != nil {
		return err.Error()
	}
	return string(text)
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

// canBegin refuses, before anything is changed, what could not be carried out:
// front matter that is broken, and a line that says the opposite in a file that
// cannot be written.
func (s *space) canBegin(ctx context.Context, in index.Intent) error {
	w := writing{space: s, items: in.Items, aside: map[memory.ID]string{}}
	edits, err := w.edits(ctx)
	if err != nil {
		return err
	}
	d, err := s.onDisk()
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		src, _, err := readToWrite(d, path)
		if err != nil {
			return err
		}
		_, err = edited(path, src, s.Zone, edits[path].changes)
		locked := readOnlyBecause(err)
		if locked == "" && err != nil {
			return err
		}
		if s.Options.ReadOnly {
			locked = "belongs to a read-only workspace"
		} else if info, err := os.Stat(filepath.Join(s.Dir, filepath.FromSlash(path))); err == nil && info.Mode().Perm()&0o222 == 0 {
			locked = "cannot be written"
		}
		if locked == "" {
			continue
		}
		if err := s.contradicted(ctx, path, locked, edits[path], in.Items); err != nil {
			return err
		}
	}
	return nil
}

// contradicted finds a line in a file that is not written to that would still
// say the opposite of what was decided.
func (s *space) contradicted(ctx context.Context, path, locked string, e edit, items []index.Intended) error {
	stances, err := s.db.Stances(ctx, e.ids())
	if err != nil {
		return err
	}
	for _, st := range stances {
		i := slices.IndexFunc(items, func(it index.Intended) bool { return it.ID == st.Memory.ID })
		for _, l := range st.Lines {
			if l.Path == path && !sameLine(l.Entry.Declared.Over(items[i].Said), items[i].Said, s.Zone) {
				return memory.Conflict("%s:%d says otherwise, and %s %s", path, l.Entry.Line, path, locked).
					WithHint("take the line out by hand, then try again")
			}
		}
	}
	return nil
}
