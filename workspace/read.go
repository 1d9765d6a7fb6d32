package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/machine"
)

// Stat looks up one path by the rules of Walk. It returns false if the path does
// not exist, is not indexable, or is an alias of a listed file. A file over the
// limit is a *TooLarge.
func (w *Workspace) Stat(name string) (File, bool, error) {
	if !w.managed(name) {
		return File{}, false, nil
	}
	root, err := w.openRoot()
	if err != nil {
		return File{}, false, err
	}
	real, info, err := w.resolveFile(root, name)
	if isAbsent(err) {
		return File{}, false, nil
	}
	if err != nil {
		return File{}, false, fmt.Errorf("stat %q: %w", name, err)
	}
	f := newFile(name, info, time.Now())
	switch {
	case real != name && w.Indexable(real), w.listedByAlias(root, f, real):
		return File{}, false, nil
	case f.Size > w.maxBytes:
		return File{}, false, &TooLarge{name, f.Size, w.maxBytes}
	}
	return f, true, nil
}

// listedByAlias reports whether the last scan listed this file by another name
// that still leads to it.
func (w *Workspace) listedByAlias(root *os.Root, f File, real string) bool {
	chosen, known := w.aliases.Load().names[real]
	if !known || chosen == f.Path || !w.Indexable(chosen) {
		return false
	}
	other, _, err := w.resolveFile(root, chosen)
	return err == nil && other == real
}

// maxReads is how often a file is read that changes while it is read. After that
// the event of the change makes the caller read it again anyway.
const maxReads = 3

// Read returns the bytes of a file, and the File as it was before they were read.
// A write in between gives the file another stamp. A name that does not exist or is
// not indexable is fs.ErrNotExist, a file over the limit a *TooLarge.
func (w *Workspace) Read(name string) (text []byte, file File, err error) {
	if !w.managed(name) {
		return nil, File{}, notExistError(name)
	}
	root, err := w.openRoot()
	if err != nil {
		return nil, File{}, err
	}
	f, _, err := w.openFile(root, name, os.O_RDONLY)
	if err != nil {
		return nil, File{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for range maxReads {
		var unchanged bool
		if text, file, unchanged, err = w.readWhole(f, name); err != nil || unchanged {
			break
		}
	}
	return text, file, err
}

func notExistError(name string) error { return fmt.Errorf("read %q: %w", name, fs.ErrNotExist) }

// maxOpens is how often openFile tries to open a file that is replaced between
// the lookup and the opening. No program replaces a file so fast for long.
const maxOpens = 10

// openFile opens the regular file that name leads to, and returns its real path.
// If the file is replaced by a pipe meanwhile, opening does not wait for its writer.
func (w *Workspace) openFile(root *os.Root, name string, flag int) (*os.File, string, error) {
	for range maxOpens {
		f, real, same, err := w.tryOpen(root, name, flag)
		if same || err != nil {
			return f, real, err
		}
	}
	return nil, "", memory.Conflict("another program keeps replacing %s", name).WithHint("try again when no other program writes it")
}

// tryOpen opens the file that a lookup finds. same is false where the file was
// replaced in between.
func (w *Workspace) tryOpen(root *os.Root, name string, flag int) (f *os.File, real string, same bool, err error) {
	real, info, err := w.resolveFile(root, name)
	if isAbsent(err) {
		return nil, "", false, notExistError(name)
	}
	if err != nil {
		return nil, "", false, fmt.Errorf("open %q: %w", name, err)
	}
	if f, err = root.OpenFile(real, flag|machine.OpenNoWait, 0); isAbsent(err) {
		return nil, "", false, nil // the next lookup tells whether it is deleted
	}
	if err != nil {
		return nil, "", false, fmt.Errorf("open %q: %w", name, err)
	}
	opened, err := f.Stat()
	if err == nil && os.SameFile(info, opened) {
		return f, real, true, nil
	}
	return nil, "", false, errors.Join(err, f.Close())
}

// readWhole reads f; unchanged is false where it was written meanwhile.
func (w *Workspace) readWhole(f *os.File, name string) (text []byte, file File, unchanged bool, err error) {
	before, err := f.Stat()
	if err != nil {
		return nil, File{}, false, fmt.Errorf("read %q: %w", name, err)
	}
	if before.Size() > w.maxBytes {
		return nil, File{}, false, &TooLarge{name, before.Size(), w.maxBytes}
	}
	file = newFile(name, before, time.Now())
	text = make([]byte, 0, before.Size()+1)
	text, err = appendAll(text, io.NewSectionReader(f, 0, w.maxBytes+1))
	if err != nil {
		return nil, File{}, false, fmt.Errorf("read %q: %w", name, err)
	}
	if int64(len(text)) > w.maxBytes {
		return nil, File{}, false, &TooLarge{name, int64(len(text)), w.maxBytes}
	}
	after, err := f.Stat()
	if err != nil {
		return nil, File{}, false, fmt.Errorf("read %q: %w", name, err)
	}
	return text, file, newFile(name, after, time.Time{}).Version() == file.Version(), nil
}

// appendAll appends all of r to text, whose capacity is an estimate of the size.
func appendAll(text []byte, r io.Reader) ([]byte, error) {
	for {
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
		n, err := r.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		if errors.Is(err, io.EOF) {
			return text, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
