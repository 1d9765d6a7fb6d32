package sqlite

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
)

// rawFiles are the database files that RawFiles has opened.
type rawFiles struct {
	mu       sync.Mutex
	open     map[string]*os.File // by path
	replaced []*os.File          // whose path has another file by now
}

// RawFiles passes the bytes on disk of each database file to read: the database,
// its write-ahead log and the log's index. No other code in this process may open
// them. On systems with POSIX locks, closing a file gives up every lock that the
// process has on it. So RawFiles keeps them open until the database is closed.
func (file *file) RawFiles(read func(path string, r io.Reader) error) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		f, err := file.files.get(file.path + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = read(file.path+suffix, io.NewSectionReader(f, 0, 1<<62))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *rawFiles) get(path string) (*os.File, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.open[path]; f != nil {
		// SQLite may have removed the log and created it again as another file.
		held, err := f.Stat()
		current, statErr := os.Stat(path)
		if err == nil && statErr == nil && os.SameFile(held, current) {
			return f, nil
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if old := r.open[path]; old != nil {
		r.replaced = append(r.replaced, old)
	}
	if r.open == nil {
		r.open = map[string]*os.File{}
	}
	r.open[path] = f
	return f, nil
}

// close must run after the last connection is closed.
func (r *rawFiles) close() (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.open {
		err = errors.Join(err, f.Close())
	}
	for _, f := range r.replaced {
		err = errors.Join(err, f.Close())
	}
	r.open, r.replaced = nil, nil
	return err
}
