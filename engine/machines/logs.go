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
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"
	"time"

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

	mu     sync.Mutex
	limits decay.Thresholds
	seen   string // the files and the index after the last merge
	faults []memory.Fault
}

// SetLimits sets when memories move to another tier.
func (l *Logs) SetLimits(t decay.Thresholds) {
	if l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.limits = t
	}
}

// Faults lists what could not be read or written.
func (l *Logs) Faults() []memory.Fault {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.faults)
}

func (l *Logs) fault(name string, line int, message string) {
	l.faults = append(l.faults, memory.Fault{Path: path.Join(Folder, name), Line: line, Message: message})
}

// Sync merges the logs of the other machines, and then writes that of this one. It does nothing if
// neither the files nor the index changed. An error is a fault too. The caller holds the turn to
// ingest.
func (l *Logs) Sync(ctx context.Context, now time.Time) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	root, err := os.OpenRoot(l.Dir)
	if err == nil {
		err = errors.Join(l.sync(ctx, root, now), root.Close())
	}
	if err != nil && ctx.Err() == nil {
		l.seen = ""
		l.fault("", 0, err.Error())
	}
	return err
}

func (l *Logs) sync(ctx context.Context, root *os.Root, now time.Time) error {
	files, before, err := l.read(ctx, root)
	if err != nil || before == l.seen {
		return err
	}
	l.faults = nil
	name, err := l.DB.Meta(ctx, nameKey)
	if err != nil {
		return err
	}
	if name, err = l.merge(ctx, files, name, now); err != nil {
		return err
	}
	log, err := l.DB.OwnLog(ctx, name, now)
	if err != nil {
		return err
	}
	if err := replace(root, name+extension, encode(log)); err != nil {
		return err
	}
	_, l.seen, err = l.read(ctx, root)
	return err
}

// nameKey is the key of the index's meta table with the name of this machine. It is random.
const nameKey = "machine"

const nameBytes = 4

// merge merges all logs, and returns the name of this machine. It gets a new one where another
// machine has written to its log. That one has a copy of the state folder.
func (l *Logs) merge(ctx context.Context, files []file, name string, now time.Time) (string, error) {
	if len(files) > maxFiles {
		l.fault("", 0, fmt.Sprintf("there are logs of more than %d machines; delete those that you have no more", maxFiles))
		files = files[:maxFiles]
	}
	for _, f := range files {
		log, damaged := decode(f.text, now)
		isOwn := f.name == name+extension
		if damaged > 0 && !isOwn {
			l.fault(f.name, damaged, "this line of another machine is not valid, so texts that the file restores stay hidden; delete the line")
		}
		if len(log) == 0 {
			continue
		}
		isNew := false
		err := l.DB.Update(ctx, now, func(tx *index.Tx) (err error) {
			isNew, err = tx.MergeMachine(log, l.limits, l.Zone)
			return err
		})
		if errors.Is(err, memory.ErrInvalid) {
			l.fault(f.name, 1, err.Error())
		} else if err != nil {
			return name, err
		}
		if isOwn && (isNew || log[0].Machine != name) {
			name = ""
		}
	}
	if name != "" {
		return name, nil
	}
	random := make([]byte, nameBytes)
	_, err := rand.Read(random)
	name = hex.EncodeToString(random)
	return name, errors.Join(err, l.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(nameKey, name) }))
}

// file is a log as it is on the disk.
type file struct {
	name string
	text []byte
}

// read reads the logs in the order of their names, and describes them and the index.
func (l *Logs) read(ctx context.Context, root *os.Root) (files []file, state string, err error) {
	revision, err := l.DB.Revision(ctx)
	listed, listErr := fs.ReadDir(root.FS(), Folder)
	if errors.Is(listErr, fs.ErrNotExist) {
		listErr = nil
	}
	hash := sha256.New()
	for _, f := range listed {
		if !f.Type().IsRegular() || path.Ext(f.Name()) != extension || err != nil {
			continue
		}
		opened, openErr := root.Open(path.Join(Folder, f.Name()))
		if err = openErr; err != nil {
			break
		}
		var text []byte
		text, err = io.ReadAll(io.LimitReader(opened, maxBytes))
		err = errors.Join(err, opened.Close())
		files = append(files, file{f.Name(), text})
		_, _ = fmt.Fprintf(hash, "%s %d %s", f.Name(), len(text), text) // never fails
	}
	return files, fmt.Sprintf("%d %x", revision, hash.Sum(nil)), errors.Join(err, listErr)
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
