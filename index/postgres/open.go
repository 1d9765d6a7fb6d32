// Package postgres opens a schema of a PostgreSQL database as a [sqldb.DB]. It owns the
// connections, the lock, the translation of statements, the kinds of errors, the keyword index
// and upkeep. Each workspace has a schema of its own with the same tables.
//
// One process writes to a schema, by an advisory lock that its writing connection holds.
// Others open it with [Options].ReadOnly.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Options configures [Open].
type Options struct {
	URL      string // of the database, as libpq reads it: postgres://user@host/name
	Schema   string // of the workspace
	ReadOnly bool   // another process owns the schema; never write to it
	Readers  int    // reading connections; 0: one per processor
}

// lockTimeout is how long a connection waits for a lock of another one, as with SQLite.
const lockTimeout = "5s"

// Open opens the schema of a workspace, and creates a missing one, except with ReadOnly.
func Open(ctx context.Context, o Options) (*sqldb.DB, error) {
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		return nil, memory.Invalid("index.url", "it is no URL of a PostgreSQL database").WithHint("postgres://user@host/database")
	}
	b := &backend{schema: o.Schema, database: config.Database, host: config.Host, inserts: map[string]*insertForm{}}
	db, err := b.open(ctx, config, o)
	if err != nil {
		return nil, sqldb.Wrap("open "+b.Path(), sqldb.Classify(b, err))
	}
	return db, nil
}

func (b *backend) open(ctx context.Context, config *pgx.ConnConfig, o Options) (db *sqldb.DB, err error) {
	var read, write *sql.DB
	defer func() {
		if err != nil {
			err = errors.Join(err, closePools(read, write))
		}
	}()
	if !o.ReadOnly {
		write = b.pool(config, b.takeLock, "application_name="+writerName(), "lock_timeout="+lockTimeout, "synchronous_commit=off")
		write.SetMaxOpenConns(1)
		if err := b.create(ctx, write); err != nil {
			return nil, err
		}
	}
	read = b.pool(config, nil, "default_transaction_read_only=on", "default_transaction_isolation=repeatable read",
		"hnsw.iterative_scan=strict_order", "hnsw.ef_search=100")
	n := o.Readers
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	read.SetMaxOpenConns(n)
	read.SetMaxIdleConns(n)
	if err := read.PingContext(ctx); err != nil {
		return nil, err
	}
	return sqldb.New(ctx, b, read, write)
}

func closePools(pools ...*sql.DB) error {
	var errs []error
	for _, p := range pools {
		if p != nil {
			errs = append(errs, p.Close())
		}
	}
	return errors.Join(errs...)
}

// pool returns connections with these settings. Each connection looks for names in the
// workspace's schema first: the functions there are like SQLite's where PostgreSQL's of the
// same name are not. A dead client loses its connection, and with it the lock, in a minute.
func (b *backend) pool(config *pgx.ConnConfig, connected func(context.Context, *pgx.Conn) error, settings ...string) *sql.DB {
	config = config.Copy()
	settings = append(settings, "application_name=memory "+b.schema, "tcp_keepalives_idle=30", "tcp_keepalives_interval=10", "tcp_keepalives_count=3")
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		if config.RuntimeParams[name] == "" { // the URL may set it
			config.RuntimeParams[name] = value
		}
	}
	config.RuntimeParams["search_path"] = b.quoted() + ", pg_catalog, public"
	var options []stdlib.OptionOpenDB
	if connected != nil {
		options = append(options, stdlib.OptionAfterConnect(connected))
	}
	return stdlib.OpenDB(*config, options...)
}

// Drop deletes the schema of a workspace with all that is in it.
func Drop(ctx context.Context, url, schema string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "DROP SCHEMA IF EXISTS "+quote(schema)+" CASCADE")
	return errors.Join(err, conn.Close(ctx))
}

// create creates a missing schema, and the extension for vectors. A role that may not do so
// needs them to be there.
func (b *backend) create(ctx context.Context, write *sql.DB) error {
	for _, object := range []struct{ exists, create string }{
		{"SELECT oid FROM (SELECT to_regnamespace('" + b.quoted() + "')::oid) n(oid) WHERE oid IS NOT NULL", "CREATE SCHEMA IF NOT EXISTS " + b.quoted()},
		{"SELECT 1 FROM pg_extension WHERE extname = 'vector'", "CREATE EXTENSION IF NOT EXISTS vector SCHEMA public"},
	} {
		var one int
		err := write.QueryRowContext(ctx, object.exists).Scan(&one)
		if errors.Is(err, sql.ErrNoRows) {
			_, err = write.ExecContext(ctx, object.create)
		}
		if isPrivilege(err) {
			return memory.Unavailable(err, "open %s: the role may not create what it needs", b.Path()).
				WithHint("run as an administrator: %s", object.create)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
