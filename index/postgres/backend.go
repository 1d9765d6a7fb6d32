package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/memory-tiered/memory/index/sqldb"
)

// backend is a schema of a database as [sqldb.Backend].
type backend struct {
	schema, database, host string
	inserts                map[string]*insertForm // by the statement; of the connection that writes
}

var (
	_ sqldb.Backend  = (*backend)(nil)
	_ sqldb.Pipeline = (*backend)(nil)
)

// quoted returns the name of the schema as an identifier.
func (b *backend) quoted() string { return quote(b.schema) }

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// Path returns the host, the database and the schema.
func (b *backend) Path() string { return b.host + "/" + b.database + "/" + b.schema }

// OnServer returns true.
func (b *backend) OnServer() bool { return true }

// Translate returns a statement in the SQL of PostgreSQL.
func (b *backend) Translate(statement string) string { return translate(statement) }

// Begin returns the statements that begin a transaction. Connections that write do not wait for
// the disk by themselves.
func (b *backend) Begin(durable bool) (begin, after []string) {
	if durable {
		return []string{"BEGIN; SET LOCAL synchronous_commit = on"}, nil
	}
	return []string{"BEGIN"}, nil
}

// CommitFailed does nothing: the server keeps a commit or none.
func (b *backend) CommitFailed(sqldb.Writer) {}

// headerFormat is the comment of the schema, which has its header.
const headerFormat = "memory %d version %d"

// Header reads the comment of the schema.
func (b *backend) Header(ctx context.Context, q sqldb.Querier) (h sqldb.Header, err error) {
	var comment string
	err = q.QueryRowContext(ctx, `SELECT coalesce(obj_description(n.oid, 'pg_namespace'), ''),
			(SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid)
		FROM (SELECT to_regnamespace($1)::oid AS oid) n`, b.quoted()).Scan(&comment, &h.Objects)
	_, _ = fmt.Sscanf(comment, headerFormat, &h.ApplicationID, &h.UserVersion) // another comment is no header
	return h, err
}

// SetHeader returns the statement that writes the comment of the schema.
func (b *backend) SetHeader(application, version int) []string {
	return []string{"COMMENT ON SCHEMA " + b.quoted() + " IS '" + fmt.Sprintf(headerFormat, application, version) + "'"}
}

// Catalog returns a query for the columns of all tables. Generated columns are none of the program.
func (b *backend) Catalog() string {
	return `SELECT table_name, column_name, data_type = 'text', data_type = 'boolean' FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND is_generated = 'NEVER' AND table_name NOT LIKE 'memories\_fts%'
		ORDER BY table_name, ordinal_position`
}
