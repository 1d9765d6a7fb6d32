package index

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
)

// ForgottenTexts returns the texts that are forgotten in every copy.
func (db *DB) ForgottenTexts(ctx context.Context) (t ForgottenTexts, err error) {
	if t, err = db.newForgottenTexts(ctx); err != nil {
		return t, err
	}
	return t, sqldb.Wrap("read forgotten texts", t.AddAll(ctx, db.sql.Read()))
}

// Destroyed returns a function that reports whether the text of a block was destroyed. It
// is nil if no text was.
func (db *DB) Destroyed(ctx context.Context) (func(memory.Block) bool, error) {
	t, err := db.newForgottenTexts(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.AddDestroyed(ctx, db.sql.Read()); err != nil || t.IsEmpty() {
		return nil, sqldb.Wrap("read destroyed texts", err)
	}
	return t.HasBlock, nil
}

// TextsToDestroy returns the texts of some memories. It contains a text exactly
// if [DB.ExactCopies] would return a memory with that text.
func (db *DB) TextsToDestroy(ctx context.Context, ids []memory.ID) (t ForgottenTexts, err error) {
	if t, err = db.newForgottenTexts(ctx); err != nil {
		return t, err
	}
	err = db.sql.Read().Each(ctx, rows.SelectTexts+" WHERE m.id IN (SELECT value FROM json_each(?))",
		[]any{sqldb.JSONList(ids)}, func(scan func(...any) error) error {
			_, text, err := rows.ScanText(scan)
			t.AddExact(text)
			return err
		})
	return t, sqldb.Wrap("read texts to destroy", err)
}

// Redactions returns the blocks of some files that a view does not show.
func (db *DB) Redactions(ctx context.Context, v memory.View, paths []string) (Redactions, error) {
	hidden, err := db.Hidden(ctx, v)
	if err != nil {
		return Redactions{}, err
	}
	return marks.ReadRedactions(ctx, db.sql.Read(), hidden, v, paths)
}

// newForgottenTexts returns an empty set with the key of this database.
func (db *DB) newForgottenTexts(ctx context.Context) (ForgottenTexts, error) {
	key, err := db.Meta(ctx, marks.KeyName)
	if err != nil {
		return ForgottenTexts{}, err
	}
	return marks.NewSet(key)
}

// ForgottenFile returns the path of the file with the marks of forgotten texts, which
// belongs to the database at this path.
func ForgottenFile(database string) string { return marks.FilePath(database) }

// DeclarationsOfCopies returns the declarations of all memories with the same texts as these.
func (db *DB) DeclarationsOfCopies(ctx context.Context, ids []memory.ID) ([]Declarations, error) {
	found, err := db.Copies(ctx, ids)
	if err != nil {
		return nil, err
	}
	return db.Declarations(ctx, found)
}

// Memories leave the index by these methods, without what a view hides ([marks.Hidden]).

// Visible returns those of some memories that pass the predicate, in the order of the
// ids and each once.
func (db *DB) Visible(ctx context.Context, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error) {
	return db.AppendVisible(ctx, nil, ids, p)
}

// AppendVisible appends what Visible returns.
func (db *DB) AppendVisible(ctx context.Context, to []memory.Memory, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error) {
	all, err := db.Searcher.AppendVisible(ctx, to, ids, p)
	if err != nil {
		return to, err
	}
	if err := db.Show(ctx, p.View, all[len(to):]); err != nil {
		return to, err
	}
	return all, nil
}

// List returns a page of the memories that pass the predicate, and their number.
func (db *DB) List(ctx context.Context, p memory.Predicate, sort string, limit, offset int) ([]memory.Memory, int, error) {
	page, total, err := db.Searcher.List(ctx, p, sort, limit, offset)
	if err != nil {
		return nil, 0, err
	}
	return page, total, db.Show(ctx, p.View, page)
}

// Show changes memories to what a view shows of them: only the own uses, and nothing that is
// hidden. A model is not told the successor of a memory that it gets all the same.
func (db *DB) Show(ctx context.Context, v memory.View, memories []memory.Memory) error {
	for i := range memories {
		if v.Model {
			memories[i].SupersededBy = nil
		}
	}
	if err := db.showOwnUses(ctx, memories, v.Users); err != nil {
		return err
	}
	hidden, err := db.Hidden(ctx, v)
	for i := range memories {
		hidden.Memory(&memories[i])
	}
	return err
}

// FindByPrefix returns the memories of a view whose ids begin with a prefix. For a person,
// these may be forgotten or missing.
func (db *DB) FindByPrefix(ctx context.Context, v memory.View, prefix string) ([]memory.Memory, error) {
	found, err := db.Searcher.FindByPrefix(ctx, v, prefix)
	if err != nil {
		return nil, err
	}
	return found, db.Show(ctx, v, found)
}

// Hidden returns what a view leaves out of every string. It is read again after marks,
// memories or lines changed, and each time from a read-only database, because another
// process may change them.
func (db *DB) Hidden(ctx context.Context, v memory.View) (*marks.Hidden, error) {
	if db.sql.ReadOnly() {
		return db.readHidden(ctx, v)
	}
	return db.hidden.Get(v, func() (*marks.Hidden, error) { return db.readHidden(ctx, v) })
}

func (db *DB) readHidden(ctx context.Context, v memory.View) (*marks.Hidden, error) {
	forgotten, err := db.ForgottenTexts(ctx)
	if err != nil {
		return nil, err
	}
	return marks.ReadHidden(ctx, db.sql.Read(), v, forgotten, db.fingerprint)
}
