// Package machines shares the uses, tiers and forgotten texts of a workspace between the machines
// of one person. Each machine keeps a log of its own in the folder, which git or another program
// carries, and reads the logs of the others. A log is a file of lines of JSON. They are merged as a
// set, so their order, copies and old versions of a file do no harm. Only a line decides something.
// The absence of a line or a file decides nothing. So a log has only what counts now, and each
// change replaces the file in one step.
package machines

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
	"github.com/memory-tiered/memory/index"
)

// Folder is where the logs of a workspace are.
const Folder = "memory/.machines"

// Logs are the logs of a workspace. The nil pointer has none.
type Logs struct {
	DB   *index.DB
	Dir  string // of the workspace
	Zone *time.Location
	Now  func() time.Time

	mu     sync.Mutex
	limits decay.Thresholds
	seen   string // the files and the index after the last merge
}

// SetLimits sets when memories move to another tier.
func (l *Logs) SetLimits(t decay.Thresholds) {
	if l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.limits = t
	}
}

// Sync merges the logs of the other machines, and then writes that of this one. It does nothing if
// neither the files nor the index changed. The caller holds the turn to ingest.
func (l *Logs) Sync(ctx context.Context) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.in(ctx, func(root *os.Root, files []file, state, name string) error {
		if state == l.seen {
			return nil
		}
		name, err := l.merge(ctx, files, name)
		if err != nil {
			return err
		}
		log, err := l.DB.OwnLog(ctx, name, l.Now())
		if err == nil {
			err = replace(root, name+extension, encode(log))
		}
		if err == nil {
			_, l.seen, err = l.read(ctx, root)
		}
		return err
	})
}

// Faults lists what is wrong in the logs of other machines.
func (l *Logs) Faults(ctx context.Context) (faults []memory.Fault, err error) {
	if l == nil {
		return nil, nil
	}
	add := func(name string, line int, message string) {
		faults = append(faults, memory.Fault{Path: path.Join(Folder, name), Line: line, Message: message})
	}
	err = l.in(ctx, func(_ *os.Root, files []file, _, own string) error {
		for i, f := range files {
			_, damaged := decode(f.text, l.Now())
			switch {
			case f.name == own+extension:
			case i >= maxFiles || f.isTooLarge:
				add(f.name, 0, "this log is not read: it is too large, or there are too many; delete those of machines that you have no more")
			case damaged > 0:
				add(f.name, damaged, "this line of another machine is not valid, so texts that the file restores stay hidden; delete the line")
			}
		}
		return nil
	})
	if err != nil && ctx.Err() == nil { // such as a link, or a file in place of the folder
		add("", 0, "the logs of your machines cannot be read: "+err.Error())
		err = nil
	}
	return faults, err
}

// in calls a function with the open folder of the workspace, its logs, what [Logs.read] returns as
// their state, and the name of this machine.
func (l *Logs) in(ctx context.Context, call func(root *os.Root, files []file, state, name string) error) error {
	root, err := os.OpenRoot(l.Dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // its files are closed
	name, err := l.DB.Meta(ctx, nameKey)
	if err != nil {
		return err
	}
	files, state, err := l.read(ctx, root)
	if err != nil {
		return err
	}
	return call(root, files, state, name)
}

// nameKey is the key of the index's meta table with the name of this machine. It is random.
const nameKey = "machine"

// merge merges all logs, and returns the name of this machine. It gets a new one where another
// machine has written to its log. That one has a copy of the state folder.
func (l *Logs) merge(ctx context.Context, files []file, name string) (string, error) {
	now, isOwn := l.Now(), name != ""
	for _, f := range files[:min(len(files), maxFiles)] {
		log, _ := decode(f.text, now)
		if len(log) == 0 {
			continue
		}
		isNew := false
		err := l.DB.Update(ctx, now, func(tx *index.Tx) (err error) {
			isNew, err = tx.MergeMachine(log, l.limits, l.Zone)
			return err
		})
		if err != nil {
			return "", err
		}
		isOwn = isOwn && (f.name != name+extension || log[0].Machine == name && !isNew)
	}
	if isOwn {
		return name, nil
	}
	name = uuid.NewString()[:2*nameBytes]
	return name, l.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(nameKey, name) })
}

// file is a log as it is on the disk.
type file struct {
	name       string
	text       []byte
	isTooLarge bool // the text is not read
}

// read reads the logs in the order of their names, and describes them and the index.
func (l *Logs) read(ctx context.Context, root *os.Root) (files []file, state string, err error) {
	revision, err := l.DB.Revision(ctx)
	if err != nil {
		return nil, "", err
	}
	listed, err := fs.ReadDir(root.FS(), Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	hash := sha256.New()
	for _, entry := range listed {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() || path.Ext(info.Name()) != extension {
			continue
		}
		f := file{name: info.Name(), isTooLarge: info.Size() > maxBytes}
		if !f.isTooLarge {
			if f.text, err = root.ReadFile(path.Join(Folder, f.name)); err != nil {
				return nil, "", err
			}
		}
		files = append(files, f)
		_, _ = fmt.Fprintf(hash, "%s %d %s", f.name, len(f.text), f.text) // never fails
	}
	return files, fmt.Sprintf("%d %x", revision, hash.Sum(nil)), nil
}

// replace replaces a log in one step, unless it has the text. It returns when the text is on the disk.
func replace(root *os.Root, name string, text []byte) error {
	name = path.Join(Folder, name)
	if current, err := root.ReadFile(name); err == nil && bytes.Equal(current, text) {
		return nil
	}
	if err := root.MkdirAll(Folder, 0o700); err != nil {
		return err
	}
	f, err := root.Create(name + ".new")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return root.Rename(name+".new", name)
}
