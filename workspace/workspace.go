// Package workspace is the only package that reads or writes Markdown on disk.
// It says which files of a folder hold memories, what the folder's layout
// declares about them, and it replaces a file only if nobody changed it since.
//
// Everything goes through an [os.Root]: whatever a link, a swapped folder or a
// crafted name may point to, nothing outside the workspace is read or written.
//
// Paths are relative to the workspace and separated by slashes, in the bytes
// that the file system has: a name may hold line breaks or invalid UTF-8.
package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/memory-tiered/memory"
)

// DefaultMaxBytes is how large a file may be: 16 MiB is some 3,000 printed
// pages. What is larger was written by a program, and parsing it would hold up
// every other file.
const DefaultMaxBytes = 16 << 20

// Options say what a workspace holds beside MEMORY.md, USER.md and memory/.
type Options struct {
	Globs    []Glob
	MaxBytes int64 // a file above it is a [TooLarge]; 0: DefaultMaxBytes
	ReadOnly bool  // every write is refused with ErrReadOnly
}

// Workspace is one folder of Markdown. Its methods may be called from several
// goroutines at once; writes are done one after another.
type Workspace struct {
	dir      string
	max      int64
	readOnly bool
	include  []include

	ignored atomic.Pointer[ignoreRules] // .memoryignore as the last look found it
	names   atomic.Pointer[nameTable]   // which of a file's several names the last scan chose

	writing sync.Mutex // held from a write's last check to its rename

	mu   sync.Mutex
	root *os.Root    // nil while the folder is not there
	info os.FileInfo // of the folder that root holds
}

// Open makes ready to read dir. The folder may vanish and come back while the
// workspace is open: until then every method fails with memory.ErrUnavailable.
func Open(dir string, o Options) (*Workspace, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open workspace %s: %w", dir, err)
	}
	include, err := compileIncludes(o.Globs)
	if err != nil {
		return nil, err
	}
	w := &Workspace{dir: abs, max: o.MaxBytes, readOnly: o.ReadOnly, include: include}
	if w.max <= 0 {
		w.max = DefaultMaxBytes
	}
	w.ignored.Store(&ignoreRules{})
	w.names.Store(&nameTable{})
	root, err := w.open()
	if err != nil {
		return nil, err
	}
	if err := w.loadIgnore(root); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// Dir is the workspace's folder, absolute.
func (w *Workspace) Dir() string { return w.dir }

// Close lets go of the folder.
func (w *Workspace) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.drop()
}

// open gives the root of the folder that now stands at dir. A root holds on to
// the folder that it was opened on, wherever that is moved to; so one look at
// dir each time tells whether another stands there now.
func (w *Workspace) open() (*os.Root, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	info, err := os.Stat(w.dir)
	if err == nil && w.root != nil && os.SameFile(info, w.info) {
		return w.root, nil
	}
	closeErr := w.drop()
	if err == nil && !info.IsDir() {
		err = errors.New("not a folder")
	}
	if err != nil {
		return nil, w.gone(err)
	}
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		return nil, w.gone(err)
	}
	if info, err = root.Stat("."); err != nil {
		return nil, w.gone(errors.Join(err, root.Close()))
	}
	w.root, w.info = root, info
	return root, closeErr
}

func (w *Workspace) drop() error {
	if w.root == nil {
		return nil
	}
	root := w.root
	w.root, w.info = nil, nil
	return root.Close()
}

func (w *Workspace) gone(cause error) error {
	return memory.Unavailable(cause, "workspace %s is not there", w.dir).
		WithHint("create the folder, mount it, or name another one")
}
