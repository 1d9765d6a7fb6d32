package declared

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// selectInDoubt is a query for those of some memories that a forgetting entry may be
// about.
const selectInDoubt = `SELECT DISTINCT d.value FROM entries e, json_each(e.doubtful) d
	WHERE e.doubtful <> '[]' AND d.value IN (SELECT value FROM json_each(?))`

// InDoubt returns which of some memories an entry may be about.
func (tx *Tx) InDoubt(ids []memory.ID) (map[memory.ID]bool, error) {
	found := map[memory.ID]bool{}
	err := tx.sql.Each(selectInDoubt, []any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
		var id memory.ID
		err := scan(&id)
		found[id] = true
		return err
	})
	return found, err
}

// readInDoubt sets which memories are forgotten only because an entry may be about
// them.
func readInDoubt(ctx context.Context, r sqlite.Reader, ids []memory.ID, found map[memory.ID]*Declarations) error {
	return r.Each(ctx, selectInDoubt, []any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
		var id memory.ID
		err := scan(&id)
		if d := found[id]; d != nil {
			d.InDoubt = d.Own.Forgotten == nil
		}
		return err
	})
}

// Quoted is an entry with a quote about a present memory.
type Quoted struct {
	Path  string // the file of the entry
	About memory.ID
	Quote string
	Text  string // of the memory
}

// VisitQuotes calls visit with each entry about a present memory, in some files or,
// without paths, in all.
func (s *Reader) VisitQuotes(ctx context.Context, paths []string, visit func(Quoted)) error {
	condition, args := "", []any(nil)
	if len(paths) > 0 {
		condition, args = " AND e.path IN (SELECT value FROM json_each(?))", []any{sqlite.JSONList(paths)}
	}
	err := s.sql.Read().Each(ctx, `SELECT e.path, e.about, e.quote, m.text FROM entries e JOIN places p ON p.memory_id = e.about
		JOIN memories m ON m.id = e.about WHERE e.quote <> ''`+condition+" ORDER BY e.path, e.n", args, func(scan func(...any) error) error {
		var q Quoted
		if err := scan(&q.Path, &q.About, &q.Quote, &q.Text); err != nil {
			return err
		}
		visit(q)
		return nil
	})
	return sqlite.Wrap("read quotes", err)
}
