// Package workspace is the only package that reads or writes Markdown on disk.
// It decides which files of a folder contain memories and what their location
// declares about them. It replaces a file only if the file has not changed since
// it was read.
//
// All access goes through an [os.Root]. Links, swapped folders and crafted names
// cannot make it read or write anything outside the workspace.
//
// Paths are relative to the workspace and separated by slashes. They are the
// bytes of the file system: a name may contain line breaks or invalid UTF-8.
package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/machine"
)

// defaultMaxBytes is the size limit of a file: 16 MiB is about 3,000 printed
// pages. Larger files are written by programs, and parsing one would delay all
// other files.
const defaultMaxBytes = 16 << 20

// ClientDocuments in place of a client makes a folder one of documents, which no answer has
// unless it is asked for.
const ClientDocuments = "documents"

// ClientTeam in place of a client makes a folder that of a team: what is new there is proposed on
// a branch.
const ClientTeam = "team"

// Options configure a workspace.
type Options struct {
	Globs    []Glob // more files than MEMORY.md, USER.md and memory/
	MaxBytes int64  // larger files are a [TooLarge]; 0: DefaultMaxBytes
	ReadOnly bool   // every write fails with ErrReadOnly

	// Documents reads text, HTML and PDF beside Markdown, and only files that match Globs.
	Documents bool
}

// Workspace is one folder of Markdown. It is safe for concurrent use; writes
// run one after another.
type Workspace struct {
	dir       string
	maxBytes  int64
	readOnly  bool
	documents bool
	includes  []include

	ignore  atomic.Pointer[ignoreRules] // .memoryignore as last read
	aliases atomic.Pointer[aliasTable]  // of the last scan

	writeMu sync.Mutex // held from the last check of a write to its rename

	rootMu   sync.Mutex
	root     *os.Root    // nil while the folder is missing
	rootInfo os.FileInfo // of the folder that root is open on
}

// Open opens the workspace in the folder dir. The folder may disappear and come
// back while the workspace is open. While it is missing, every method fails with
// memory.ErrUnavailable.
func Open(dir string, o Options) (*Workspace, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open workspace %s: %w", dir, err)
	}
	builtin := builtinGlobs
	if o.Documents {
		builtin = nil
	}
	include, err := compileGlobs(o.Globs, builtin)
	if err != nil {
		return nil, err
	}
	w := &Workspace{dir: abs, maxBytes: o.MaxBytes, readOnly: o.ReadOnly || o.Documents, documents: o.Documents, includes: include}
	if w.maxBytes <= 0 {
		w.maxBytes = defaultMaxBytes
	}
	w.ignore.Store(&ignoreRules{})
	w.aliases.Store(&aliasTable{})
	root, err := w.openRoot()
	if err != nil {
		return nil, err
	}
	if err := w.loadIgnore(root); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// SameFolder reports whether two paths lead to one folder. They may do so by a
// link, by another case where the file system ignores case, or by a bind mount. Of
// folders that are not there it compares the paths.
func SameFolder(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// CheckFolder returns an error if the folder of a workspace cannot be read.
func CheckFolder(dir string) error {
	w, err := Open(dir, Options{ReadOnly: true})
	if err != nil {
		return err
	}
	return w.Close()
}

// Check returns memory.ErrUnavailable if the folder cannot be read now.
func (w *Workspace) Check() error {
	_, err := w.openRoot()
	return err
}

// CheckWritable returns an error with [ErrReadOnly] if no file can be added to the
// folder now, although the workspace is not marked read-only. It writes nothing.
func (w *Workspace) CheckWritable() error {
	if w.readOnly {
		return nil
	}
	if err := machine.AccessFolder(w.dir); errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("the folder is %w (%w)", ErrReadOnly, err)
	}
	return nil
}

// Dir returns the absolute path of the workspace's folder.
func (w *Workspace) Dir() string { return w.dir }

// Close closes the folder.
func (w *Workspace) Close() error {
	w.rootMu.Lock()
	defer w.rootMu.Unlock()
	return w.closeRoot()
}

// openRoot returns the root of the folder that is at dir now. A root stays open on
// its folder when that is moved, so openRoot compares it with dir at every call.
func (w *Workspace) openRoot() (*os.Root, error) {
	w.rootMu.Lock()
	defer w.rootMu.Unlock()
	info, err := os.Stat(w.dir)
	if err == nil && w.root != nil && os.SameFile(info, w.rootInfo) {
		return w.root, nil
	}
	closeErr := w.closeRoot()
	if err == nil && !info.IsDir() {
		err = errors.New("not a folder")
	}
	if err != nil {
		return nil, w.missingError(err)
	}
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		return nil, w.missingError(err)
	}
	if info, err = root.Stat("."); err != nil {
		return nil, w.missingError(errors.Join(err, root.Close()))
	}
	w.root, w.rootInfo = root, info
	return root, closeErr
}

func (w *Workspace) closeRoot() error {
	if w.root == nil {
		return nil
	}
	root := w.root
	w.root, w.rootInfo = nil, nil
	return root.Close()
}

func (w *Workspace) missingError(cause error) error {
	return memory.Unavailable(cause, "the workspace folder %s is missing", w.dir).
		WithHint("create the folder, mount it, or use another one")
}
