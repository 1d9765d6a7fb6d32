package sqldb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
)

// Backend is what a database system does in its own way.
type Backend interface {
	Dialect
	Upkeep
	Keywords

	// Distance returns the SQL of the cosine distance of a vector of some dimension from the upper
	// bytes of another one, a parameter. vector is the column of embeddings, with the name of the
	// table if it has one. The distance is off by about a thousandth.
	Distance(vector string, dim int) string

	// Optimize makes queries faster, in a quiet time. byVector tells that vectors are searched in
	// the tables.
	Optimize(tx *Tx, byVector bool) error
}

// Dialect is how a database system speaks.
type Dialect interface {
	// Translate returns a statement, or a script of several, in the SQL of the system. The
	// packages above write statements that most systems understand, and name parameters as
	// SQLite does (? or ?1). A statement that stays prepared is translated once.
	Translate(statement string) string

	// Fault classifies an error of the driver.
	Fault(err error) Fault

	// Begin returns the statements that begin a transaction that writes, and those that follow
	// its end. A durable transaction lasts through a loss of power.
	Begin(durable bool) (begin, after []string)

	// CommitFailed runs after a commit that failed. The disk may contain it whole, so a backend
	// may have to overwrite it. It has the turn to write.
	CommitFailed(w Writer)

	// Header reads the header of a database. A new one has the zero header.
	Header(ctx context.Context, q Querier) (Header, error)

	// Catalog returns a query for the columns of all tables in order: the table, the column,
	// whether it has texts, and whether it has booleans. Tables of the keyword index are not
	// among them.
	Catalog() string

	// SetHeader returns the statements that set the application and the version.
	SetHeader(application, version int) []string
}

// Upkeep is how the data of a database system are looked after. A backend returns an error
// of the kind [memory.ErrUnavailable], with a hint, for what its system has no way to do.
type Upkeep interface {
	// Path returns the path of the database file, or the name of the database on a server,
	// without a password.
	Path() string

	// OnServer reports whether a server has the data, which keeps its files and makes its backups.
	OnServer() bool

	// Size returns the number of bytes that the database has on disk.
	Size(ctx context.Context, q Querier) (int64, error)

	// Prepare makes a database ready to be written, once it is known to be the right one.
	Prepare(ctx context.Context, w Writer) error

	// QuickCheck looks for damage.
	QuickCheck(ctx context.Context, q Querier) error

	// Checkpoint writes what is only in a log into the database, as far as readers allow it.
	Checkpoint(ctx context.Context, w Writer) error

	// Backup writes a copy of the database to path, complete or not at all. See [DB.Backup].
	Backup(ctx context.Context, read *sql.DB, path string, check func(copied string) error) error

	// Rewrite executes the statements, and leaves no byte of a deleted row.
	Rewrite(ctx context.Context, w Writer, statements ...string) error

	// RawFiles passes the bytes of each file of the database to read. A server has none here.
	RawFiles(read func(path string, r io.Reader) error) error

	// IsLost reports whether what is written now goes nowhere.
	IsLost() bool

	// IsFree reports whether no process writes to a database that this one reads.
	IsFree(ctx context.Context, q Querier) (bool, error)

	// MarkDamaged marks the database as damaged for its next owner.
	MarkDamaged(err error)

	// FreeMemory gives up the caches of the connection that writes.
	FreeMemory(ctx context.Context, w Writer)

	// Close closes what the backend has opened, after the last connection.
	Close() error
}

// Header identifies a database: which program made it, with which version of the schema, and
// how many tables, indexes and views it has.
type Header struct {
	ApplicationID, UserVersion, Objects int
}

// Querier is a connection, or a pool of them.
type Querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Function is a deterministic SQL function that every connection needs.
type Function struct {
	Name string
	Args int32
	Call func(args []driver.Value) (driver.Value, error)
}
