package index

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
)

// QuickCheck looks the whole file over (0.25 s for 40 MB). What it finds is
// unavailable, and mended by opening the database again.
func (db *DB) QuickCheck(ctx context.Context) error {
	var verdict string
	if err := db.queryRow(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return fmt.Errorf("check database: %w", err)
	}
	if verdict != "ok" {
		return fmt.Errorf("check database: %w: %s", errDamaged, verdict)
	}
	return nil
}

// errDamaged is what quick_check finds.
var errDamaged = errors.New("the database is damaged")

// Optimize merges the keyword index, which makes queries faster by a quarter
// after much was written, and lets SQLite look its statistics over.
func (db *DB) Optimize(ctx context.Context) error {
	return db.Update(ctx, time.Time{}, func(tx *Tx) error {
		return tx.run("INSERT INTO memories_fts(memories_fts) VALUES ('optimize')", "PRAGMA optimize")
	})
}

// Checkpoint moves what the write-ahead log holds into the database and
// shortens the log. While somebody reads it moves what it can, which is no
// error.
func (db *DB) Checkpoint(ctx context.Context) error {
	if db.readOnly {
		return nil
	}
	select {
	case <-db.write.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { db.write.turn <- struct{}{} }()
	_, err := db.write.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	if isCode(err, codeBusy) {
		return nil
	}
	return failed("checkpoint", err)
}

// backuper is what a connection of the driver can do beyond database/sql.
type backuper interface {
	NewBackup(uri string) (*sqlite.Backup, error)
}

// Backup writes a copy of the database as it is now to path (mode 0600), whole
// or not at all. Others read and write meanwhile.
func (db *DB) Backup(ctx context.Context, path string) (err error) {
	temp, err := os.CreateTemp(filepath.Dir(path), tempPrefix(path)+"*")
	if err != nil {
		return failed("back up", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp.Name())
		}
	}()
	if err := errors.Join(temp.Chmod(0o600), temp.Close()); err != nil {
		return failed("back up", err)
	}
	if err := db.copyTo(ctx, temp.Name()); err != nil {
		return failed("back up", err)
	}
	return failed("back up", os.Rename(temp.Name(), path))
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
