package index

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Declarations is everything that is said of one memory, layer by layer, for who is
// about to decide something about it.
type Declarations struct {
	memory.Declarations
	Entries []FileEntry // its entries: its own file's first, then by path and line
	Sidecar memory.Declared
}

// FileEntry is an entry and the file that holds it.
type FileEntry struct {
	Path  string
	Entry memory.Entry
}

// Declarations gives what is said of some memories, in their order. One that is not
// there is left out.
func (db *DB) Declarations(ctx context.Context, ids []memory.ID) (stances []Declarations, err error) {
	err = db.sql.Snapshot(ctx, func(q sqlite.Reader) error {
		found := map[memory.ID]*Declarations{}
		err := q.Each(ctx, "SELECT "+memoryColumns+" FROM remembered WHERE id IN (SELECT value FROM json_each(?))",
			[]any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
				m, err := scanMemory(scan)
				found[m.ID] = &Declarations{Declarations: memory.Declarations{Memory: m}}
				return err
			})
		if err != nil {
			return err
		}
		if err := readFileEntries(ctx, q, ids, found); err != nil {
			return err
		}
		if err := readLayers(ctx, q, ids, found); err != nil {
			return err
		}
		for _, id := range ids {
			if s := found[id]; s != nil {
				stances = append(stances, *s)
				delete(found, id) // once, even where it was asked for twice
			}
		}
		return nil
	})
	return stances, sqlite.Wrap("read what is said of memories", err)
}

// readLayers reads what is said besides the lines, and lays it all together.
func readLayers(ctx context.Context, q sqlite.Reader, ids []memory.ID, found map[memory.ID]*Declarations) error {
	return q.Each(ctx, `SELECT m.id, m.sidecar, m.inherited, coalesce(p.annotations, '{}'), coalesce(f.declared, '{}')
		FROM memories m LEFT JOIN places p ON p.memory_id = m.id LEFT JOIN files f ON f.path = p.path
		WHERE m.id IN (SELECT value FROM json_each(?))`, []any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
		var id memory.ID
		var texts [4]string
		if err := scan(&id, &texts[0], &texts[1], &texts[2], &texts[3]); err != nil {
			return err
		}
		var layers [4]memory.Declared
		for i, text := range texts {
			var err error
			if layers[i], err = declared(text); err != nil {
				return err
			}
		}
		if s := found[id]; s != nil {
			s.Sidecar = layers[0]
			s.Own = mergeEntries(s.entries(), s.Memory.Path).Over(layers[0]).Over(layers[1])
			s.Inherited = layers[2].Over(layers[3])
		}
		return nil
	})
}

func readFileEntries(ctx context.Context, q sqlite.Reader, ids []memory.ID, found map[memory.ID]*Declarations) error {
	return q.Each(ctx, `SELECT path, id_prefix, quote, declared, line, about, about_path FROM entries
		WHERE about IN (SELECT value FROM json_each(?)) ORDER BY path, n`, []any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
		var l FileEntry
		var said string
		err := scan(&l.Path, &l.Entry.IDPrefix, &l.Entry.Quote, &said, &l.Entry.Line, &l.Entry.MatchedID, &l.Entry.Path)
		if err != nil {
			return err
		}
		if l.Entry.Declared, err = declared(said); err != nil {
			return err
		}
		s := found[l.Entry.MatchedID]
		if s == nil {
			return nil
		}
		if l.Path == s.Memory.Path {
			s.Entries = append([]FileEntry{l}, s.Entries...)
		} else {
			s.Entries = append(s.Entries, l)
		}
		return nil
	})
}

func (s Declarations) entries() []entry {
	var all []entry
	for _, l := range s.Entries {
		all = append(all, entry{l.Path, l.Entry.Declared})
	}
	return all
}
