package rows

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Declarations contains all that is declared about one memory, by layer. A new
// decision about the memory starts from it.
type Declarations struct {
	memory.Declarations             // its Memory is as answers show it
	WrittenText         string      // as the file has it: with comments that repeat a forgotten text
	Entries             []FileEntry // entries of its own file first, then by path and line
	Sidecar             memory.Declared
}

// FileEntry is an entry with the path of its file.
type FileEntry struct {
	Path  string
	Entry memory.Entry
}

// Declarations returns the declarations of some memories, in the order of ids. It
// leaves out unknown memories.
func (s *Reader) Declarations(ctx context.Context, ids []memory.ID) (all []Declarations, err error) {
	err = s.sql.Snapshot(ctx, func(r sqldb.Reader) error {
		found := map[memory.ID]*Declarations{}
		err := r.Each(ctx, "SELECT "+query.MemoryColumns+" FROM remembered WHERE id IN (SELECT value FROM json_each(?))",
			[]any{sqldb.JSONList(ids)}, func(scan func(...any) error) error {
				m, err := query.ScanMemory(scan)
				found[m.ID] = &Declarations{Declarations: memory.Declarations{Memory: m}, WrittenText: m.Text}
				return err
			})
		if err != nil {
			return err
		}
		if err := readFileEntries(ctx, r, ids, found); err != nil {
			return err
		}
		if err := readLayers(ctx, r, ids, found); err != nil {
			return err
		}
		if err := readInDoubt(ctx, r, ids, found); err != nil {
			return err
		}
		for _, id := range ids {
			if d := found[id]; d != nil {
				all = append(all, *d)
				delete(found, id) // once, even if ids repeats it
			}
		}
		return nil
	})
	return all, sqldb.Wrap("read declarations", err)
}

// readFileEntries adds the entries about the memories.
func readFileEntries(ctx context.Context, r sqldb.Reader, ids []memory.ID, found map[memory.ID]*Declarations) error {
	return r.Each(ctx, `SELECT path, id_prefix, quote, declared, line, about, about_path, doubtful, settled FROM entries
		WHERE about IN (SELECT value FROM json_each(?)) ORDER BY path, n`, []any{sqldb.JSONList(ids)}, func(scan func(...any) error) error {
		path, e, err := scanEntry(scan)
		if err != nil {
			return err
		}
		d := found[e.MatchedID]
		if d == nil {
			return nil
		}
		if path == d.Memory.Path {
			d.Entries = append([]FileEntry{{path, e}}, d.Entries...)
		} else {
			d.Entries = append(d.Entries, FileEntry{path, e})
		}
		return nil
	})
}

// readLayers adds the other layers and merges all of them.
func readLayers(ctx context.Context, r sqldb.Reader, ids []memory.ID, found map[memory.ID]*Declarations) error {
	return r.Each(ctx, `SELECT m.id, m.sidecar, m.inherited, coalesce(p.annotations, '{}'), coalesce(f.declared, '{}')
		FROM memories m LEFT JOIN places p ON p.memory_id = m.id LEFT JOIN files f ON f.path = p.path
		WHERE m.id IN (SELECT value FROM json_each(?))`, []any{sqldb.JSONList(ids)}, func(scan func(...any) error) error {
		var id memory.ID
		var texts [4]string
		if err := scan(&id, &texts[0], &texts[1], &texts[2], &texts[3]); err != nil {
			return err
		}
		var layers [4]memory.Declared
		for i, text := range texts {
			var err error
			if layers[i], err = ParseDeclared(text); err != nil {
				return err
			}
		}
		if d := found[id]; d != nil {
			d.Sidecar = layers[0]
			entries := entriesWithoutRevoked(d.entriesToMerge(), layers[0])
			d.Own = Merge(entries, d.Memory.Path).Over(layers[0]).Over(WithoutRevoked(layers[1], layers[0]))
			d.Inherited = layers[2].Over(layers[3])
		}
		return nil
	})
}

func (d Declarations) entriesToMerge() []Entry {
	var all []Entry
	for _, e := range d.Entries {
		all = append(all, Entry{Path: e.Path, AboutPath: e.Entry.Path, Declared: e.Entry.Declared})
	}
	return all
}
