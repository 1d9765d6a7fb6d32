package rows

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// selectInDoubt is a query for those of some memories that an entry without an exact
// match may be about, with what the entry declares.
const selectInDoubt = `SELECT d.value, e.declared FROM entries e, json_each(e.doubtful) d
	WHERE e.doubtful <> '[]' AND d.value IN (SELECT value FROM json_each(?))`

// doubt is how entries protect a memory that they may be about.
type doubt struct {
	Forgotten, Private bool
	Trust              memory.TrustTier // the lowest one; empty: the entries declare none
	User               string           // empty: the entries declare none
}

func (d doubt) add(e memory.Declared) doubt {
	d.Forgotten, d.Private = d.Forgotten || e.Forgets(), d.Private || e.IsPrivate()
	d.Trust = memory.LowerTrust(d.Trust, e.Trust)
	switch {
	case d.User == "":
		d.User = e.User
	case e.User != "" && e.User != d.User:
		d.User = memory.NobodyUser
	}
	return d
}

// InDoubt returns how entries protect those of some memories that they may be about.
func (tx *Tx) InDoubt(ids []memory.ID) (map[memory.ID]doubt, error) {
	found := map[memory.ID]doubt{}
	err := tx.sql.Each(selectInDoubt, []any{sqldb.JSONList(ids)}, func(scan func(...any) error) error {
		id, d, err := scanDoubt(scan)
		found[id] = found[id].add(d)
		return err
	})
	return found, err
}

func scanDoubt(scan func(...any) error) (id memory.ID, d memory.Declared, err error) {
	var text string
	if err := scan(&id, &text); err != nil {
		return id, d, err
	}
	d, err = ParseDeclared(text)
	return id, d, err
}

// readInDoubt sets which memories are forgotten only because an entry may be about
// them.
func readInDoubt(ctx context.Context, r sqldb.Reader, ids []memory.ID, found map[memory.ID]*Declarations) error {
	return r.Each(ctx, selectInDoubt, []any{sqldb.JSONList(ids)}, func(scan func(...any) error) error {
		id, declared, err := scanDoubt(scan)
		if d := found[id]; d != nil && declared.Forgets() {
			d.InDoubt = d.Own.Forgotten == nil
		}
		return err
	})
}

// DoubtfulLines returns, for those of some memories that an entry may be about, the
// line of the first such entry as PATH:LINE.
func (s *Reader) DoubtfulLines(ctx context.Context, ids []memory.ID) (map[memory.ID]string, error) {
	found := map[memory.ID]string{}
	err := s.sql.Read().Each(ctx, `SELECT d.value, e.path, e.line FROM entries e, json_each(e.doubtful) d
		WHERE e.doubtful <> '[]' AND d.value IN (SELECT value FROM json_each(?)) ORDER BY e.path, e.n`, []any{sqldb.JSONList(ids)},
		func(scan func(...any) error) error {
			var id memory.ID
			var path string
			var line int
			err := scan(&id, &path, &line)
			if found[id] == "" {
				found[id] = fmt.Sprintf("%s:%d", path, line)
			}
			return err
		})
	return found, sqldb.Wrap("read doubts", err)
}

// CountDoubts counts the entries without an exact match that may be about present
// memories, and these memories.
func (s *Reader) CountDoubts(ctx context.Context) (entries, memories int, err error) {
	err = s.sql.Read().One(ctx, `SELECT count(DISTINCT e.path || ':' || e.n), count(DISTINCT d.value)
		FROM entries e, json_each(e.doubtful) d JOIN places p ON p.memory_id = d.value WHERE e.doubtful <> '[]'`, nil, &entries, &memories)
	return entries, memories, sqldb.Wrap("count doubts", err)
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
		condition, args = " AND e.path IN (SELECT value FROM json_each(?))", []any{sqldb.JSONList(paths)}
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
	return sqldb.Wrap("read quotes", err)
}
