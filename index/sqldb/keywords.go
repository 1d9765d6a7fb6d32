package sqldb

// Keywords is the keyword index over the table chunks. Each database system has its own.
type Keywords interface {
	// AddWords adds the chunks with ids in (after, last].
	AddWords(tx *Tx, after, last int64) error

	// DeleteWords takes out the chunks of memories, which the table still has. ids is a JSON array.
	DeleteWords(tx *Tx, ids string) error

	// Matching returns a query for the chunks that match: their ids as one text with commas.
	Matching(m Match) (query string, args []any)

	// WithToken returns such a query for the chunks that contain a token.
	WithToken(token string) (query string, args []any)
}

// Match is a word, or several in a row in one column.
type Match struct {
	Text      string   // as written
	Tokens    []string // of Text; never empty
	Prefix    bool     // the last token may be the beginning of a longer one
	PartsOnly bool     // in the column of parts alone
}

// Keywords returns the keyword index.
func (db *DB) Keywords() Keywords { return db.backend }

// Keywords returns the keyword index.
func (tx *Tx) Keywords() Keywords { return tx.w.backend }

// Distance returns the SQL of the distance of a stored vector of some dimension from a parameter.
func (db *DB) Distance(vector string, dim int) string { return db.backend.Distance(vector, dim) }

// Optimize makes queries faster. byVector tells that vectors are searched in the tables.
func (tx *Tx) Optimize(byVector bool) error { return tx.w.backend.Optimize(tx, byVector) }
