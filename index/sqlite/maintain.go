package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"time"

	"modernc.org/sqlite"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// QuickCheck checks the whole file for damage (0.25 s for 40 MB). [IsCorrupt]
// reports whether it found any.
func (db *DB) QuickCheck(ctx context.Context) error {
	return db.NoteDamage(check(ctx, db.read, "PRAGMA quick_check(1)"))
}

// FullCheck is [DB.QuickCheck], and compares each index with its table (twice the time).
func (db *DB) FullCheck(ctx context.Context) error {
	return db.NoteDamage(check(ctx, db.read, "PRAGMA integrity_check(1)"))
}

func check(ctx context.Context, q rowQuerier, pragma string) error {
	var verdict string
	if err := q.QueryRowContext(ctx, pragma).Scan(&verdict); err != nil {
		return fmt.Errorf("check database: %w", err)
	}
	if verdict != "ok" {
		return fmt.Errorf("check database: %w: %s", ErrDamaged, verdict)
	}
	return nil
}

// Checkpoint moves the content of the write-ahead log into the database and
// truncates the log. While another connection reads, it moves what it can, which
// is no error. A read-only database has nothing to do.
func (db *DB) Checkpoint(ctx context.Context) error {
	if db.write == nil {
		return nil
	}
	if err := db.write.acquire(ctx); err != nil {
		return err
	}
	defer db.write.release()
	err := Writer{db.write.conn}.withoutWaiting(ctx, func() error {
		_, err := db.write.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		return err
	})
	if isCode(err, codeBusy) {
		return nil
	}
	return Wrap("checkpoint", db.NoteDamage(err))
}

// withoutWaiting runs fn with a connection that fails at once where it would wait for
// a lock. A checkpoint would else hold the turn to write for five seconds, while
// another connection reads. The caller holds the turn.
func (w Writer) withoutWaiting(ctx context.Context, fn func() error) error {
	if _, err := w.conn.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil {
		return err
	}
	err := fn()
	_, restoreErr := w.conn.ExecContext(context.WithoutCancel(ctx), fmt.Sprintf("PRAGMA busy_timeout = %d", busyTimeout.Milliseconds()))
	return errors.Join(err, restoreErr)
}

// backuper is the backup method of the driver's connection. database/sql has none.
type backuper interface {
	NewBackup(uri string) (*sqlite.Backup, error)
}

// Backup writes a copy of the database to path (mode 0600), complete or not at
// all. Reading and writing go on meanwhile. If check is not nil, it gets the path of
// the copy first; its error keeps the file at path as it is.
func (db *DB) Backup(ctx context.Context, path string, check func(copied string) error) (err error) {
	temp, err := atomicfile.CreateTemporary(path)
	if err != nil {
		return Wrap("back up", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp.Name())
			_ = os.Remove(temp.Name() + damageSuffix) // of the copy that was checked
		}
		err = db.NoteDamage(err)
	}()
	if err := errors.Join(temp.Chmod(0o600), temp.Close()); err != nil {
		return Wrap("back up", err)
	}
	if err := db.copyTo(ctx, temp.Name()); err != nil {
		return Wrap("back up", err)
	}
	if check != nil {
		if err := check(temp.Name()); err != nil {
			return Wrap("check the backup", err)
		}
	}
	return Wrap("back up", os.Rename(temp.Name(), path))
}

func (db *DB) copyTo(ctx context.Context, path string) error {
	conn, err := db.read.Conn(ctx)
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
func (db *DB) Rewrite(ctx context.Context, statements ...string) error {
	return db.WithWriter(ctx, func(w Writer) error {
		for _, run := range [][]string{
			{"PRAGMA secure_delete = 1"}, // first, so that freed pages are blank
			statements,
			{"VACUUM", "PRAGMA secure_delete = 0"},
		} {
			if err := w.Exec(ctx, run...); err != nil {
				return err
			}
		}
		return w.emptyLog(ctx)
	})
}

// A reader keeps the log from being emptied for the milliseconds that its query
// takes. A backup of a large database takes longer.
const (
	logTries = 100
	logPause = 50 * time.Millisecond
)

func (w Writer) emptyLog(ctx context.Context) error {
	return w.withoutWaiting(ctx, func() error { return w.tryToEmptyLog(ctx) })
}

func (w Writer) tryToEmptyLog(ctx context.Context) error {
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
