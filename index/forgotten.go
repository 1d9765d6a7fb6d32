package index

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/declared"
	"github.com/memory-tiered/memory/index/marks"
	"github.com/memory-tiered/memory/index/sqlite"
)

// ForgottenTexts returns the texts that are forgotten in every copy.
func (db *DB) ForgottenTexts(ctx context.Context) (t ForgottenTexts, err error) {
	if t, err = db.newForgottenTexts(ctx); err != nil {
		return t, err
	}
	return t, sqlite.Wrap("read forgotten texts", t.AddAll(ctx, db.sql.Read()))
}

// Destroyed returns a function that reports whether the text of a block was destroyed. It
// is nil if no text was.
func (db *DB) Destroyed(ctx context.Context) (func(memory.Block) bool, error) {
	t, err := db.newForgottenTexts(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.AddDestroyed(ctx, db.sql.Read()); err != nil || t.IsEmpty() {
		return nil, sqlite.Wrap("read destroyed texts", err)
	}
	return t.HasBlock, nil
}

// TextsToDestroy returns the texts of some memories. It contains a text exactly
// if [DB.ExactCopies] would return a memory with that text.
func (db *DB) TextsToDestroy(ctx context.Context, ids []memory.ID) (t ForgottenTexts, err error) {
	if t, err = db.newForgottenTexts(ctx); err != nil {
		return t, err
	}
	err = db.sql.Read().Each(ctx, `SELECT m.fingerprint, m.text, coalesce(p.heading, m.last_heading)
		FROM memories m LEFT JOIN places p ON p.memory_id = m.id WHERE m.id IN (SELECT value FROM json_each(?))`,
		[]any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
			var f sqlite.Hash
			var text, heading string
			err := scan(&f, &text, &heading)
			t.AddExact(f, text, heading)
			return err
		})
	return t, sqlite.Wrap("read texts to destroy", err)
}

// Redactions returns the blocks of some files that must not be given to a model at now.
func (db *DB) Redactions(ctx context.Context, now time.Time, readable Readable, paths []string) (Redactions, error) {
	forgotten, err := db.ForgottenTexts(ctx)
	if err != nil {
		return Redactions{}, err
	}
	return marks.ReadRedactions(ctx, db.sql.Read(), forgotten, now, readable, paths)
}

// newForgottenTexts returns an empty set with the key of this database.
func (db *DB) newForgottenTexts(ctx context.Context) (ForgottenTexts, error) {
	key, err := db.Meta(ctx, marks.KeyName)
	if err != nil {
		return ForgottenTexts{}, err
	}
	return marks.NewSet(key)
}

// ReadForgottenTexts returns the texts that are forgotten in every copy, from the file
// beside the database at this path. Another process may have the database open.
func ReadForgottenTexts(database string) (ForgottenTexts, error) {
	return marks.ReadSet(marks.FilePath(database))
}

// ForgottenFile returns the path of the file with the marks of forgotten texts, which
// belongs to the database at this path.
func ForgottenFile(database string) string { return marks.FilePath(database) }

// A heading, a tag, a scope, a source or a comment is no memory, and it may repeat a
// forgotten text. These methods answer as those of the parts of DB do, without that.

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
	if err := db.showFor(ctx, all[len(to):], p); err != nil {
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
	return page, total, db.showFor(ctx, page, p)
}

// showFor changes memories to what a predicate shows of them: only the own uses, and no
// forgotten text beside them. A successor is not shown where the request may not get it.
func (db *DB) showFor(ctx context.Context, memories []memory.Memory, p memory.Predicate) error {
	for i := range memories {
		if p.Model {
			memories[i].SupersededBy = nil
		}
	}
	if err := db.ShowOwnUses(ctx, memories, p.Users); err != nil {
		return err
	}
	return db.hideForgotten(ctx, memories)
}

// FindByPrefix returns the memories whose ids begin with a prefix, forgotten and
// missing ones included.
func (db *DB) FindByPrefix(ctx context.Context, prefix string) ([]memory.Memory, error) {
	found, err := db.Searcher.FindByPrefix(ctx, prefix)
	if err != nil {
		return nil, err
	}
	return found, db.hideForgotten(ctx, found)
}

// Breakdown counts the present memories by their attributes.
func (db *DB) Breakdown(ctx context.Context, now time.Time, of Counted) (memory.Breakdown, error) {
	b, err := db.Searcher.Breakdown(ctx, now, of)
	if err != nil {
		return b, err
	}
	scopes := slices.Sorted(maps.Keys(b.Scopes))
	shown := make([]memory.Memory, len(scopes))
	for i, scope := range scopes {
		shown[i].Scope = scope
	}
	err = db.hideForgotten(ctx, shown)
	counts := map[memory.Scope]int{}
	for i, m := range shown {
		counts[m.Scope] += b.Scopes[scopes[i]]
	}
	b.Scopes = counts
	return b, err
}

// Versions returns the memories that one replaced, and those that replaced it.
func (db *DB) Versions(ctx context.Context, id memory.ID) (older, newer []memory.Memory, err error) {
	if older, newer, err = db.Searcher.Versions(ctx, id); err != nil {
		return nil, nil, err
	}
	if err := db.hideForgotten(ctx, older); err != nil {
		return nil, nil, err
	}
	return older, newer, db.hideForgotten(ctx, newer)
}

// Declarations returns the declarations of some memories, in the order of ids. It
// leaves out unknown memories.
func (db *DB) Declarations(ctx context.Context, ids []memory.ID) ([]declared.Declarations, error) {
	all, err := db.Reader.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	memories := make([]memory.Memory, len(all))
	for i := range all {
		memories[i] = all[i].Memory
	}
	err = db.hideForgotten(ctx, memories)
	for i := range all {
		all[i].Memory = memories[i]
	}
	return all, err
}

// hideForgotten removes from memories what repeats a forgotten text beside them.
func (db *DB) hideForgotten(ctx context.Context, memories []memory.Memory) error {
	found, err := db.hasMarks.Get(db.sql, func() (bool, error) { return marks.Any(ctx, db.sql.Read()) })
	if err != nil {
		return err
	}
	gone, err := db.goneTexts(ctx)
	if err != nil || !found && gone.IsEmpty() {
		return err
	}
	forgotten, err := db.newForgottenTexts(ctx)
	if err == nil {
		err = marks.HideParts(ctx, db.sql.Read(), forgotten, gone, db.fingerprint, memories)
	}
	if err != nil {
		return sqlite.Wrap("find forgotten parts", err)
	}
	return db.hideHeadings(ctx, memories)
}

// hideHeadings replaces the headings that repeat a forgotten text.
func (db *DB) hideHeadings(ctx context.Context, memories []memory.Memory) error {
	if !slices.ContainsFunc(memories, func(m memory.Memory) bool { return len(m.Heading) > 0 }) {
		return nil
	}
	err := db.headingCache().Hide(memories, func(paths [][]string) ([][]string, error) {
		gone, err := db.goneTexts(ctx)
		if err != nil {
			return nil, err
		}
		forgotten, err := db.newForgottenTexts(ctx)
		if err != nil {
			return nil, err
		}
		return marks.ShownHeadings(ctx, db.sql.Read(), forgotten, gone, db.fingerprint, paths)
	})
	return sqlite.Wrap("find forgotten headings", err)
}

// goneTexts returns the forgotten texts that are in no file any more.
func (db *DB) goneTexts(ctx context.Context) (marks.Gone, error) {
	gone, err := db.headingCache().Gone(func() (marks.Gone, error) { return marks.ReadGone(ctx, db.sql.Read()) })
	return gone, sqlite.Wrap("read forgotten texts that are gone", err)
}

// headingCache returns the headings as answers show them. A read-only database keeps
// none, because another process may change the marks.
func (db *DB) headingCache() *marks.Headings {
	if db.sql.ReadOnly() {
		return &marks.Headings{}
	}
	return &db.headings
}
