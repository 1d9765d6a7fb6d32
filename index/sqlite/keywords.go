package sqlite

import (
	"strings"

	"github.com/memory-tiered/memory/index/sqldb"
)

// AddWords adds chunks to FTS5, all at once: one statement per chunk takes it twice as long.
func (*file) AddWords(tx *sqldb.Tx, after, last int64) error {
	return tx.Exec("INSERT INTO memories_fts(rowid, text, context, parts) SELECT id, text, context, parts FROM chunks WHERE id > ? AND id <= ? ORDER BY id", after, last)
}

// DeleteWords takes chunks out of FTS5, in the order of the rows and before any other write. FTS5
// collects its changes in memory as long as the row numbers rise.
func (*file) DeleteWords(tx *sqldb.Tx, ids string) error {
	return tx.Exec(`INSERT INTO memories_fts(memories_fts, rowid, text, context, parts) SELECT 'delete', id, text, context, parts
		FROM chunks WHERE memory_id IN (SELECT value FROM json_each(?)) ORDER BY id`, ids)
}

// Matching returns a query for the chunks that match.
func (*file) Matching(m sqldb.Match) (query string, args []any) {
	return "SELECT group_concat(rowid) FROM memories_fts WHERE memories_fts MATCH ?", []any{MatchFTS5(m)}
}

// WithToken returns a query for the chunks that contain a token. MATCH would stem it again.
func (*file) WithToken(token string) (query string, args []any) {
	return "SELECT group_concat(DISTINCT doc) FROM memories_fts_places WHERE term = ?", []any{token}
}

// MatchFTS5 writes words in FTS5's query language. All of a user's text is quoted, so that it
// contains no operators.
func MatchFTS5(m sqldb.Match) string {
	match := `"` + strings.ReplaceAll(m.Text, `"`, `""`) + `"`
	if m.PartsOnly {
		match = "parts : " + match
	}
	if m.Prefix {
		match += " *"
	}
	return match
}

// Distance returns the SQL by which sqlite-vec compares the upper bytes of a vector.
func (*file) Distance(vector string, _ int) string {
	return "vec_distance_cosine(vec_int8(substr(" + vector + ", 1, length(" + vector + ") / 2)), vec_int8(?))"
}

// Optimize merges the keyword index into one part. sqlite-vec has no index.
func (*file) Optimize(tx *sqldb.Tx, _ bool) error {
	return tx.Run("INSERT INTO memories_fts(memories_fts) VALUES ('optimize')")
}
