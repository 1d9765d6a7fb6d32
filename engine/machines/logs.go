package machines

import (
	"bytes"
	"context"
	"crypto/rand"
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

// nameKey is the key of the index's meta table with the name of this machine.
const nameKey = "machine"

// extension ends the name of a log.
const extension = ".jsonl"

// maxDead is the number of lines that no longer count from which a log is written anew.
const maxDead = 2000

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

// Faults lists the lines that could not be read.
func (l *Logs) Faults() []memory.Fault {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.faults)
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
// neither the files nor the index changed. An error is a fault too. The caller holds the turn to
// ingest.
func (l *Logs) Sync(ctx context.Context, now time.Time) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.syncChanged(ctx, now)
	if err != nil && ctx.Err() == nil {
		l.seen = ""
		l.fault("", 0, err.Error())
	}
	return err
}

func (l *Logs) syncChanged(ctx context.Context, now time.Time) error {
	root, err := os.OpenRoot(l.Dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // it was only read, or its files were synced
	before, err := l.state(ctx, root)
	if err != nil || before == l.seen {
		return err
	}
	l.faults = nil
	if err := l.sync(ctx, root, now); err != nil {
		return err
	}
	l.seen, err = l.state(ctx, root)
	return err
}

// state describes the files and the index.
func (l *Logs) state(ctx context.Context, root *os.Root) (string, error) {
	names, err := list(root)
	if err != nil {
		return "", err
	}
	revision, err := l.DB.Revision(ctx)
	state := fmt.Sprint(revision)
	for _, name := range names {
		if info, err := root.Stat(path.Join(Folder, name)); err == nil {
			state += fmt.Sprint(" ", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return state, err
}

// list returns the names of the logs, in order.
func list(root *os.Root) (names []string, err error) {
	files, err := fs.ReadDir(root.FS(), Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range files {
		if f.Type().IsRegular() && path.Ext(f.Name()) == extension {
			names = append(names, f.Name())
		}
	}
	return names, err
}

func (l *Logs) sync(ctx context.Context, root *os.Root, now time.Time) error {
	name, err := l.DB.Meta(ctx, nameKey)
	if err != nil {
		return err
	}
	own, err := l.DB.OwnLog(ctx, name, now)
	if err != nil {
		return err
	}
	if isOwn, err := l.isOwn(ctx, root, own, now); err != nil || !isOwn {
		if err == nil {
			name, err = l.rename(ctx, now)
		}
		if err != nil {
			return err
		}
	}
	if err := l.merge(ctx, root, name+extension, now); err != nil {
		return err
	}
	if own, err = l.DB.OwnLog(ctx, name, now); err != nil {
		return err
	}
	return write(root, path.Join(Folder, name+extension), own, now)
}

// isOwn reports whether this machine has a name, and wrote all of its log. A copy of the state
// folder on another machine has the name too, until one of them reads a line of the other.
func (l *Logs) isOwn(ctx context.Context, root *os.Root, own index.MachineLog, now time.Time) (bool, error) {
	if own.Machine == "" {
		return false, nil
	}
	src, err := read(root, own.Machine+extension)
	if err != nil || len(src) == 0 {
		return err == nil, err
	}
	written, _ := decode(src, now)
	if len(written.Lines) > 0 && !bytes.Equal(written.Key, own.Key) {
		return false, nil
	}
	return l.DB.IsOwnLog(ctx, own, written.Lines, now)
}

// rename gives this machine a new name.
func (l *Logs) rename(ctx context.Context, now time.Time) (string, error) {
	random := make([]byte, nameBytes)
	if _, err := rand.Read(random); err != nil {
		return "", err
	}
	name := hex.EncodeToString(random)
	return name, l.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.SetMeta(nameKey, name) })
}

// merge merges all logs but that of this machine.
func (l *Logs) merge(ctx context.Context, root *os.Root, own string, now time.Time) error {
	names, err := list(root)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == own })
	if len(names) > maxFiles {
		l.fault("", 0, fmt.Sprintf("there are logs of more than %d machines; delete those that you have no more", maxFiles))
		names = names[:maxFiles]
	}
	for _, name := range names {
		src, err := read(root, name)
		if err != nil {
			return err
		}
		log, damaged := decode(src, now)
		if damaged > 0 {
			l.fault(name, damaged, "this line of another machine is not valid, so texts that the file restores stay hidden; delete the line")
		} else if len(src) >= maxBytes {
			l.fault(name, 0, "this log of another machine is too large; its end is not read")
		}
		if len(log.Lines) == 0 {
			continue
		}
		err = l.DB.Update(ctx, now, func(tx *index.Tx) error { return tx.MergeMachine(log, l.limits, l.Zone) })
		if errors.Is(err, memory.ErrInvalid) {
			l.fault(name, 1, err.Error())
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (l *Logs) fault(name string, line int, message string) {
	l.faults = append(l.faults, memory.Fault{Path: path.Join(Folder, name), Line: line, Message: message})
}

// read returns the bytes of a log, up to a limit. A missing one has none.
func read(root *os.Root, name string) (src []byte, err error) {
	f, err := root.Open(path.Join(Folder, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(f, maxBytes))
}

// write brings the log of this machine up to date. It appends the lines that are missing, or
// replaces the file in one step where it lacks its beginning, is torn, or has many old lines.
func write(root *os.Root, name string, log index.MachineLog, now time.Time) error {
	lines, err := encode(log)
	if err != nil {
		return err
	}
	src, err := read(root, path.Base(name))
	if err != nil {
		return err
	}
	written := map[string]bool{}
	for _, line := range split(src) {
		written[string(line)] = true
	}
	_, damaged := decode(src, now.AddDate(1000, 0, 0))
	isTorn := damaged > 0 || !bytes.HasSuffix(src, []byte("\n")) || !bytes.HasPrefix(src, append(lines[0], '\n'))
	var missing []byte
	for _, line := range lines {
		if !written[string(line)] {
			missing = append(append(missing, line...), '\n')
		}
		delete(written, string(line))
	}
	switch {
	case isTorn || len(written) > maxDead:
		return replace(root, name, append(bytes.Join(lines, []byte("\n")), '\n'))
	case len(missing) == 0:
		return nil
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	return finish(f, missing)
}

func replace(root *os.Root, name string, src []byte) error {
	if err := root.MkdirAll(Folder, 0o700); err != nil {
		return err
	}
	temporary := name + ".new"
	f, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := finish(f, src); err != nil {
		return err
	}
	return root.Rename(temporary, name)
}

// finish writes to a file, and returns when the bytes are on the disk.
func finish(f *os.File, src []byte) error {
	_, err := f.Write(src)
	return errors.Join(err, f.Sync(), f.Close())
}
