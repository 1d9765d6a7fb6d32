package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/memory-tiered/memory"
)

// Stat looks at one path by the rules of Walk: false where it does not exist,
// is not indexable, or is another name of a file that is listed already. A file
// over the limit is a *TooLarge.
func (w *Workspace) Stat(name string) (File, bool, error) {
	if !w.readable(name) {
		return File{}, false, nil
	}
	root, err := w.open()
	if err != nil {
		return File{}, false, err
	}
	real, info, err := w.find(root, name)
	if absent(err) {
		return File{}, false, nil
	}
	if err != nil {
		return File{}, false, fmt.Errorf("look at %q: %w", name, err)
	}
	f := newFile(name, info, time.Now())
	switch {
	case real != name && w.Indexable(real), w.listedElsewhere(root, f, real):
		return File{}, false, nil
	case f.Size > w.max:
		return File{}, false, &TooLarge{name, f.Size, w.max}
	}
	return f, true, nil
}

// listedElsewhere says that the last scan chose another name for this file,
// which still leads to it.
func (w *Workspace) listedElsewhere(root *os.Root, f File, real string) bool {
	chosen, known := w.names.Load().lookup(real, f.id)
	if !known || chosen == f.Path || !w.Indexable(chosen) {
		return false
	}
	other, info, err := w.find(root, chosen)
	if err != nil {
		return false
	}
	return other == real || f.id != (identity{}) && newFile(chosen, info, time.Time{}).id == f.id
}

// readTries is how often a file is read again that was written meanwhile; the
// next event brings whoever reads it back anyway.
const readTries = 3

// Read gives a file's bytes, and the File as it was before they were read: a
// write in between shows as another stamp in the next look. A name that is
// gone or not indexable is fs.ErrNotExist, a file over the limit a *TooLarge.
func (w *Workspace) Read(name string) (text []byte, file File, err error) {
	if !w.readable(name) {
		return nil, File{}, missing(name)
	}
	root, err := w.open()
	if err != nil {
		return nil, File{}, err
	}
	f, _, err := w.openFile(root, name, os.O_RDONLY)
	if err != nil {
		return nil, File{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for range readTries {
		var steady bool
		if text, file, steady, err = w.readWhole(f, name); err != nil || steady {
			break
		}
	}
	return text, file, err
}

func missing(name string) error { return fmt.Errorf("read %q: %w", name, fs.ErrNotExist) }

// openTries is how often a file is looked for again that was replaced between
// the look and the opening: nobody saves so often for long.
const openTries = 10

// openFile opens the regular file that name leads to, and gives its real place.
// Opening never waits for the other end of a pipe put there in between.
func (w *Workspace) openFile(root *os.Root, name string, flag int) (*os.File, string, error) {
	for range openTries {
		f, real, same, err := w.tryOpen(root, name, flag)
		if same || err != nil {
			return f, real, err
		}
	}
	return nil, "", memory.Conflict("%s is replaced again and again", name).WithHint("try again when nothing else writes it")
}

// tryOpen opens what a look has found. Not same: there was another file by then.
func (w *Workspace) tryOpen(root *os.Root, name string, flag int) (f *os.File, real string, same bool, err error) {
	real, info, err := w.find(root, name)
	if absent(err) {
		return nil, "", false, missing(name)
	}
	if err != nil {
		return nil, "", false, fmt.Errorf("open %q: %w", name, err)
	}
	if f, err = root.OpenFile(real, flag|noWait, 0); absent(err) {
		return nil, "", false, nil // the next look says whether it is gone
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

func (w *Workspace) readWhole(f *os.File, name string) (text []byte, file File, steady bool, err error) {
	before, err := f.Stat()
	if err != nil {
		return nil, File{}, false, fmt.Errorf("read %q: %w", name, err)
	}
	if before.Size() > w.max {
		return nil, File{}, false, &TooLarge{name, before.Size(), w.max}
	}
	file = newFile(name, before, time.Now())
	text = make([]byte, 0, before.Size()+1)
	text, err = appendAll(text, io.NewSectionReader(f, 0, w.max+1))
	if err != nil {
		return nil, File{}, false, fmt.Errorf("read %q: %w", name, err)
	}
	if int64(len(text)) > w.max {
		return nil, File{}, false, &TooLarge{name, int64(len(text)), w.max}
	}
	after, err := f.Stat()
	if err != nil {
		return nil, File{}, false, fmt.Errorf("read %q: %w", name, err)
	}
	return text, file, newFile(name, after, time.Time{}).Version() == file.Version(), nil
}

// appendAll reads r to its end into text, whose capacity is a guess of the size.
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
