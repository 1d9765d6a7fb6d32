package query

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// GitNoteFound is the git_note of a memory whose commit was found.
const GitNoteFound = "found"

// LinesOf is a memory with the lines that it has in its file, 1-based and inclusive.
type LinesOf struct {
	ID       memory.ID
	From, To int
}

// UndatedFile returns the file with memories whose commit was not searched for yet,
// the one that was modified last, except some. It returns "" if there is none.
// Dated notes do not need a commit.
func (s *Searcher) UndatedFile(ctx context.Context, except []string) (path string, err error) {
	err = s.db.Read().Each(ctx, `SELECT p.path FROM memories m INDEXED BY idx_memories_not_searched
		JOIN places p ON p.memory_id = m.id JOIN files f ON f.path = p.path
		WHERE m.git_note = '' AND m.date_named IS NULL AND p.path NOT IN (SELECT value FROM json_each(?))
		ORDER BY f.mod_time DESC, p.path LIMIT 1`, []any{sqldb.JSONList(except)},
		func(scan func(...any) error) error { return scan(&path) })
	return path, sqldb.Wrap("find undated memories", err)
}

// UndatedMemories lists the memories of a file whose commit was not searched for
// yet, in order.
func (s *Searcher) UndatedMemories(ctx context.Context, path string) (list []LinesOf, err error) {
	err = s.db.Read().Each(ctx, `SELECT m.id, p.line_start, p.line_end FROM places p JOIN memories m ON m.id = p.memory_id
		WHERE p.path = ? AND m.git_note = '' ORDER BY p.ordinal`, []any{path}, func(scan func(...any) error) error {
		var l LinesOf
		err := scan(&l.ID, &l.From, &l.To)
		list = append(list, l)
		return err
	})
	return list, sqldb.Wrap("read undated memories", err)
}

// DateSource returns where the date of a memory comes from, and why git has no date
// for it. The reason is empty if git was not asked yet.
func (s *Searcher) DateSource(ctx context.Context, id memory.ID) (from memory.DateSource, note string, err error) {
	err = s.db.Read().Each(ctx, "SELECT created_from, git_note FROM memories WHERE id = ?", []any{id},
		func(scan func(...any) error) error { return scan(&from, &note) })
	if note == GitNoteFound {
		note = ""
	}
	return from, note, sqldb.Wrap("read the source of a date", err)
}
