package rows

import (
	"context"
	"encoding/json"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Entry is a decision about one memory in the front matter of a file.
type Entry struct {
	About     memory.ID
	Path      string
	AboutPath string // in a decisions file: the file of the memory
	Declared  memory.Declared
}

// Entries reads the entries about some memories, ordered by path and line.
func (tx *Tx) Entries(ids []memory.ID) (map[memory.ID][]Entry, error) {
	found := map[memory.ID][]Entry{}
	all, err := tx.entries("about IN (SELECT value FROM json_each(?))", sqldb.JSONList(ids))
	for _, e := range all {
		found[e.About] = append(found[e.About], e)
	}
	return found, err
}

// entries reads the entries that a condition selects, ordered by path and line.
func (tx *Tx) entries(condition string, args ...any) (found []Entry, err error) {
	err = tx.sql.Each("SELECT about, path, about_path, declared FROM entries WHERE "+condition+" ORDER BY path, n", args,
		func(scan func(...any) error) error {
			var e Entry
			var text string
			if err := scan(&e.About, &e.Path, &e.AboutPath, &text); err != nil {
				return err
			}
			var err error
			e.Declared, err = ParseDeclared(text)
			found = append(found, e)
			return err
		})
	return found, err
}

// DeleteEntries deletes the entries of a file. It returns those that are about a
// memory, and the memories that entries were doubtful about.
func (tx *Tx) DeleteEntries(path string) (deleted []Entry, inDoubt []memory.ID, err error) {
	if inDoubt, err = tx.IDs(`SELECT d.value FROM entries e, json_each(e.doubtful) d WHERE e.path = ? AND e.doubtful <> '[]'`, path); err != nil {
		return nil, nil, err
	}
	if deleted, err = tx.entries("path = ? AND about <> ''", path); err != nil {
		return nil, nil, err
	}
	return deleted, inDoubt, tx.sql.Exec("DELETE FROM entries WHERE path = ?", path)
}

func (tx *Tx) insertEntry(path string, n int, e memory.Entry) error {
	text, err := EncodeJSON(e.Declared)
	if err != nil {
		return err
	}
	return tx.sql.Exec(`INSERT INTO entries(path, n, id_prefix, quote, declared, line, about, about_path, doubtful, settled)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, path, n, e.IDPrefix, e.Quote, text, e.Line, e.MatchedID, e.Path,
		sqldb.JSONList(e.Doubtful), e.Settled)
}

func entriesByPath(ctx context.Context, r sqldb.Reader) (map[string][]memory.Entry, error) {
	found := map[string][]memory.Entry{}
	err := r.Each(ctx, `SELECT path, id_prefix, quote, declared, line, about, about_path, doubtful, settled FROM entries ORDER BY path, n`,
		nil, func(scan func(...any) error) error {
			path, e, err := scanEntry(scan)
			found[path] = append(found[path], e)
			return err
		})
	return found, err
}

func scanEntry(scan func(...any) error) (path string, e memory.Entry, err error) {
	var declared, doubtful string
	if err := scan(&path, &e.IDPrefix, &e.Quote, &declared, &e.Line, &e.MatchedID, &e.Path, &doubtful, &e.Settled); err != nil {
		return path, e, err
	}
	if doubtful != "[]" {
		if err := json.Unmarshal([]byte(doubtful), &e.Doubtful); err != nil {
			return path, e, err
		}
	}
	e.Declared, err = ParseDeclared(declared)
	return path, e, err
}

// HasProtected reports whether some files have memories that are forgotten, private, a
// user's or less than trusted, or lines that make others so.
func (s *Reader) HasProtected(ctx context.Context, paths []string) (found bool, err error) {
	err = s.sql.Read().One(ctx, `SELECT EXISTS (SELECT 1 FROM places p JOIN memories m ON m.id = p.memory_id
		WHERE p.path IN (SELECT value FROM json_each(?1))
		AND (m.do_not_inject OR m.private OR m.user <> '' OR m.trust_tier <> 'trusted'))
		OR EXISTS (SELECT 1 FROM entries WHERE path IN (SELECT value FROM json_each(?1)) AND coalesce(json_extract(declared, '$.forgotten'),
			json_extract(declared, '$.private'), json_extract(declared, '$.trust'), json_extract(declared, '$.user')) IS NOT NULL)`, []any{sqldb.JSONList(paths)}, &found)
	return found, sqldb.Wrap("read protected memories", err)
}

// MisplacedEntries lists the present memories with entries in the wrong place.
// They are in front matter although inFile puts decisions into the decisions
// file, or the other way round.
func (s *Reader) MisplacedEntries(ctx context.Context, inFile bool) (ids []memory.ID, err error) {
	ids, err = sqldb.Column[memory.ID](ctx, s.sql.Read(), `SELECT DISTINCT e.about FROM entries e JOIN places p ON p.memory_id = e.about
		WHERE (e.path = ?) <> ? ORDER BY e.about`, memory.DecisionsFile, inFile)
	return ids, sqldb.Wrap("read places of decisions", err)
}
