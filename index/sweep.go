package index

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/memory-tiered/memory"
)

// Scrub leaves in the database's files, and in memory, no byte of what is in no
// table any more. It writes the whole database anew, by way of memory: two
// seconds for each 100 MB. What stands in the way, a full disk or somebody
// reading, is unavailable, and the call can be made again.
func (db *DB) Scrub(ctx context.Context) error {
	if db.readOnly {
		return memory.Unavailable(nil, "the index was opened to read only")
	}
	if err := db.rewrite(ctx); err != nil {
		return failed("sweep index", err)
	}
	return failed("sweep index", db.lanes.renew(ctx, db))
}

// rewrite makes the keyword index anew, as merging it keeps words of deleted
// chunks, has SQLite write every page anew from the tables, which gives up what
// stood on free pages and between rows, and empties the log.
func (db *DB) rewrite(ctx context.Context) error {
	select {
	case <-db.write.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { db.write.turn <- struct{}{} }()
	// secure_delete first, so that pages that the file gives back are blank.
	for _, statement := range []string{"PRAGMA secure_delete = 1", "INSERT INTO memories_fts(memories_fts) VALUES ('rebuild')",
		"VACUUM", "PRAGMA secure_delete = 0"} {
		if _, err := db.write.conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return db.emptyLog(ctx)
}

// Who reads keeps the log from being emptied, for the milliseconds that a query
// takes; a backup of a large base takes longer.
const (
	logTries = 100
	logPause = 50 * time.Millisecond
)

func (db *DB) emptyLog(ctx context.Context) error {
	for try := 1; ; try++ {
		var busy, pages, moved int
		err := db.write.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
		if err != nil && !isCode(err, codeBusy) || err == nil && busy == 0 {
			return err
		}
		if try == logTries {
			return memory.Unavailable(err, "somebody is reading the index").WithHint("try again when no other memory command runs")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(logPause):
		}
	}
}

// renew reads everything anew where anything is loaded: a shelf remembers the
// words of what was taken down.
func (l *lanes) renew(ctx context.Context, db *DB) error {
	db.scan.forget()
	l.loading.Lock()
	defer l.loading.Unlock()
	if !l.loaded() {
		return nil
	}
	// Whoever writes meanwhile waits to be followed, and is told of nothing before.
	s, m, at, err := l.read(ctx, db)
	if err != nil {
		s = nil // the tables answer alone
	}
	l.model, l.revision = m, at
	l.publish(db, s)
	l.found(err)
	return err
}

func (s *scan) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loaded, s.vectors, s.owners, s.free, s.slots = false, nil, nil, nil, nil
}

// RawFiles shows the bytes of the database's files as they are on the disk: the
// database, its log, the log's index. Nobody else in this process may open them,
// as closing any of them gives SQLite's locks away where a process has one set
// for a file; so they stay open until the database is closed.
func (db *DB) RawFiles(look func(path string, r io.Reader) error) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		f, err := db.rawFile(db.path + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = look(db.path+suffix, io.NewSectionReader(f, 0, 1<<62))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (db *DB) rawFile(path string) (*os.File, error) {
	db.rawMu.Lock()
	defer db.rawMu.Unlock()
	if f := db.raw[path]; f != nil {
		// The log is another file once it has been removed and made anew.
		held, err := f.Stat()
		there, gone := os.Stat(path)
		if err == nil && gone == nil && os.SameFile(held, there) {
			return f, nil
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if old := db.raw[path]; old != nil {
		db.stale = append(db.stale, old)
	}
	if db.raw == nil {
		db.raw = map[string]*os.File{}
	}
	db.raw[path] = f
	return f, nil
}

// closeRaw comes when no connection is open any more.
func (db *DB) closeRaw() (err error) {
	db.rawMu.Lock()
	defer db.rawMu.Unlock()
	for _, f := range db.raw {
		err = errors.Join(err, f.Close())
	}
	for _, f := range db.stale {
		err = errors.Join(err, f.Close())
	}
	db.raw, db.stale = nil, nil
	return err
}
