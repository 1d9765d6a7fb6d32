package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"time"

	"modernc.org/sqlite"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// QuickCheck checks the whole file for damage (0.25 s for 40 MB).
func (*file) QuickCheck(ctx context.Context, q sqldb.Querier) error {
	return check(ctx, q, "PRAGMA quick_check(1)")
}

// FullCheck is [sqldb.DB.QuickCheck], and compares each index with its table (twice the time).
func (db *DB) FullCheck(ctx context.Context) error {
	return db.NoteDamage(check(ctx, db.read, "PRAGMA integrity_check(1)"))
}

func check(ctx context.Context, q sqldb.Querier, pragma string) error {
	var verdict string
	if err := q.QueryRowContext(ctx, pragma).Scan(&verdict); err != nil {
		return fmt.Errorf("check database: %w", err)
	}
	if verdict != "ok" {
		return fmt.Errorf("check database: %w: %s", sqldb.ErrDamaged, verdict)
	}
	return nil
}

// Checkpoint moves the content of the write-ahead log into the database and
// truncates the log. While another connection reads, it moves what it can, which
// is no error.
func (*file) Checkpoint(ctx context.Context, w sqldb.Writer) error {
	err := withoutWaiting(ctx, w, func() error { return w.Exec(ctx, "PRAGMA wal_checkpoint(TRUNCATE)") })
	if isCode(err, codeBusy) {
		return nil
	}
	return err
}

// withoutWaiting runs fn with a connection that fails at once where it would wait for
// a lock. A checkpoint would else hold the turn to write for five seconds, while
// another connection reads.
func withoutWaiting(ctx context.Context, w sqldb.Writer, fn func() error) error {
	if err := w.Exec(ctx, "PRAGMA busy_timeout = 0"); err != nil {
		return err
	}
	err := fn()
	return errors.Join(err, w.Exec(context.WithoutCancel(ctx), fmt.Sprintf("PRAGMA busy_timeout = %d", busyTimeout.Milliseconds())))
}

// backuper is the backup method of the driver's connection. database/sql has none.
type backuper interface {
	NewBackup(uri string) (*sqlite.Backup, error)
}

// Backup writes a copy of the database to path (mode 0600), complete or not at
// all. Reading and writing go on meanwhile. If check is not nil, it gets the path of
// the copy first; its error keeps the file at path as it is.
func (*file) Backup(ctx context.Context, read *sql.DB, path string, check func(copied string) error) (err error) {
	temp, err := atomicfile.CreateTemporary(path)
	if err != nil {
		return wrap("back up", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp.Name())
			_ = os.Remove(temp.Name() + damageSuffix) // of the copy that was checked
		}
	}()
	if err := errors.Join(temp.Chmod(0o600), temp.Close()); err != nil {
		return wrap("back up", err)
	}
	if err := copyTo(ctx, read, temp.Name()); err != nil {
		return wrap("back up", err)
	}
	if check != nil {
		if err := check(temp.Name()); err != nil {
			return wrap("check the backup", err)
		}
	}
	return wrap("back up", os.Rename(temp.Name(), path))
}

func copyTo(ctx context.Context, read *sql.DB, path string) error {
	conn, err := read.Conn(ctx)
	if err != nil {
		return err
	}
	copied := conn.Raw(func(c any) error {
		b, err := c.(backuper).NewBackup(dsn(path, "rw"))
		if err != nil {
			return err
		}
		_, err = b.Step(-1)
		return errors.Join(err, b.Finish())
	})
	if errors.Is(copied, driver.ErrBadConn) {
		copied = fmt.Errorf("copy database: %w", copied)
	}
	return errors.Join(copied, conn.Close())
}

// Rewrite executes the statements, then writes every page again from the tables.
// Afterwards the files have no byte of a deleted row: free pages and gaps between
// rows are gone, and the log is empty. A full disk or a reader that keeps the log
// busy is [memory.ErrUnavailable], and the call can be repeated.
func (*file) Rewrite(ctx context.Context, w sqldb.Writer, statements ...string) error {
	for _, run := range [][]string{
		{"PRAGMA secure_delete = 1"}, // first, so that freed pages are blank
		statements,
		{"VACUUM", "PRAGMA secure_delete = 0"},
	} {
		if err := w.Exec(ctx, run...); err != nil {
			return err
		}
	}
	return emptyLog(ctx, w)
}

// A reader keeps the log from being emptied for the milliseconds that its query
// takes. A backup of a large database takes longer.
const (
	logTries = 100
	logPause = 50 * time.Millisecond
)

func emptyLog(ctx context.Context, w sqldb.Writer) error {
	return withoutWaiting(ctx, w, func() error { return tryToEmptyLog(ctx, w) })
}

func tryToEmptyLog(ctx context.Context, w sqldb.Writer) error {
	for try := 1; ; try++ {
		var busy, pages, moved int
		err := w.One(ctx, "PRAGMA wal_checkpoint(TRUNCATE)", nil, &busy, &pages, &moved)
		if err != nil && !isCode(err, codeBusy) || err == nil && busy == 0 {
			return err
		}
		if try == logTries {
			return memory.Unavailable(err, "the index is being read").WithHint("try again when no other memory command runs")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(logPause):
		}
	}
}
