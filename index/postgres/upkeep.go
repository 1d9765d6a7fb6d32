package postgres

import (
	"context"
	"database/sql"
	_ "embed" // for functions.sql and derived.sql
	"io"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

//go:embed functions.sql
var functions string

//go:embed derived.sql
var derived string

// Prepare creates the functions that statements call, those of this version of the program.
func (b *backend) Prepare(ctx context.Context, w sqldb.Writer) error {
	return w.Exec(ctx, functions)
}

// Size returns the bytes of all tables of the schema, with their indexes.
func (b *backend) Size(ctx context.Context, q sqldb.Querier) (n int64, err error) {
	err = q.QueryRowContext(ctx, `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
		WHERE relkind = 'r' AND relnamespace = to_regnamespace($1)`, b.quoted()).Scan(&n)
	return n, err
}

// QuickCheck reads one page of each table. The server checks what it reads.
func (b *backend) QuickCheck(ctx context.Context, q sqldb.Querier) error {
	var one int
	return q.QueryRowContext(ctx, "SELECT 1").Scan(&one)
}

// Checkpoint does nothing: the server decides when it writes its log into the tables.
func (b *backend) Checkpoint(context.Context, sqldb.Writer) error { return nil }

// Backup refuses: the server has better ways.
func (b *backend) Backup(context.Context, *sql.DB, string, func(string) error) error {
	return memory.Unavailable(nil, "the index is on a PostgreSQL server, which makes its own backups").
		WithHint("pg_dump --schema=%s %s", b.schema, b.database)
}

// Rewrite executes the statements, then writes every table and its statistics again. The
// write-ahead log of the server, its replicas and its backups keep deleted rows for longer.
func (b *backend) Rewrite(ctx context.Context, w sqldb.Writer, statements ...string) error {
	if err := w.Exec(ctx, statements...); err != nil {
		return err
	}
	var vacuum string
	err := w.One(ctx, `SELECT coalesce(string_agg(format('%I.%I', n.nspname, c.relname), ', '), '') FROM pg_class c
		JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() AND c.relkind = 'r'`, nil, &vacuum)
	if err != nil || vacuum == "" {
		return err
	}
	return w.Exec(ctx, "VACUUM (FULL, ANALYZE) "+vacuum)
}

// RawFiles passes nothing: the files are on the server.
func (b *backend) RawFiles(func(string, io.Reader) error) error { return nil }

// IsLost returns false: a write to a schema that somebody dropped fails by itself.
func (b *backend) IsLost() bool { return false }

// IsFree reports whether no connection has the lock of the schema.
func (b *backend) IsFree(ctx context.Context, q sqldb.Querier) (free bool, err error) {
	err = q.QueryRowContext(ctx, "SELECT NOT EXISTS ("+b.lockHolder("1")+")").Scan(&free)
	return free, err
}

// MarkDamaged does nothing: the server has to repair its own files.
func (b *backend) MarkDamaged(error) {}

// FreeMemory gives up the plans and the temporary memory of the writing connection.
func (b *backend) FreeMemory(ctx context.Context, w sqldb.Writer) {
	_ = w.Exec(ctx, "DISCARD PLANS") // it only saves memory
}

// Close has nothing to close besides the connections.
func (b *backend) Close() error { return nil }
