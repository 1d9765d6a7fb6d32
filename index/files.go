package index

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// writeFiles writes what the batch says of its files, and notes whose entries come
// and go.
func (cs *changeSet) writeFiles() error {
	for _, path := range cs.batch.Removed {
		if err := cs.deleteEntries(path); err != nil {
			return err
		}
		if err := cs.tx.sql.Exec("DELETE FROM files WHERE path = ?", path); err != nil {
			return err
		}
	}
	for _, f := range cs.batch.Files {
		if err := cs.writeFile(f); err != nil {
			return fmt.Errorf("write file %s: %w", f.Path, err)
		}
	}
	for _, f := range cs.batch.Rematched {
		if err := cs.writeFile(f); err != nil {
			return fmt.Errorf("write file %s: %w", f.Path, err)
		}
		if err := cs.touchSelected("SELECT memory_id FROM places WHERE path = ?", f.Path); err != nil {
			return err
		}
	}
	for _, f := range cs.batch.Touched {
		if err := cs.tx.sql.Exec("UPDATE files SET stamp = ?, size = ?, mod_time = ? WHERE path = ?",
			f.Stamp, f.Size, unixNanos(f.ModTime), f.Path); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes one file's row and entries.
func (cs *changeSet) writeFile(f memory.FileState) error {
	if err := cs.deleteEntries(f.Path); err != nil {
		return err
	}
	var texts [3]string
	for i, v := range []any{f.Declared, f.Defaults, memory.List[memory.Fault](f.Faults)} {
		var err error
		if texts[i], err = toJSON(v); err != nil {
			return err
		}
	}
	if err := cs.tx.sql.Exec(`INSERT INTO files(path, hash, stamp, size, mod_time, declared, defaults, faults)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(path) DO UPDATE SET hash = excluded.hash, stamp = excluded.stamp,
		size = excluded.size, mod_time = excluded.mod_time, declared = excluded.declared,
		defaults = excluded.defaults, faults = excluded.faults`,
		f.Path, f.Hash[:], f.Stamp, f.Size, unixNanos(f.ModTime), texts[0], texts[1], texts[2]); err != nil {
		return err
	}
	return cs.writeEntries(f)
}

func (cs *changeSet) writeEntries(f memory.FileState) error {
	if slices.ContainsFunc(f.Entries, func(e memory.Entry) bool { return isForgetting(e.Declared) }) {
		if err := cs.tx.SetMeta(branchKey(f.Path), cs.batch.Branch); err != nil {
			return err
		}
	}
	for n, e := range f.Entries {
		said, err := toJSON(e.Declared)
		if err != nil {
			return fmt.Errorf("line %d: %w", e.Line, err)
		}
		if err := cs.tx.sql.Exec(`INSERT INTO entries(path, n, id_prefix, quote, declared, line, about, about_path)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, f.Path, n, e.IDPrefix, e.Quote, said, e.Line, e.MatchedID, e.Path); err != nil {
			return err
		}
		if e.MatchedID != "" {
			cs.touched[e.MatchedID], cs.addedEntries[e.MatchedID] = true, true
		}
	}
	return nil
}

// deleteEntries takes a file's entries away and remembers whom they were about.
func (cs *changeSet) deleteEntries(path string) error {
	forgets := false
	err := cs.tx.sql.Each("SELECT about, declared FROM entries WHERE path = ? AND about <> ''", []any{path},
		func(scan func(...any) error) error {
			var id memory.ID
			var said string
			if err := scan(&id, &said); err != nil {
				return err
			}
			d, err := declared(said)
			cs.touched[id] = true
			cs.removedEntries[id] = append(cs.removedEntries[id], entry{path, d})
			forgets = forgets || isForgetting(d)
			return err
		})
	if err == nil && forgets {
		err = cs.compareBranch(path)
	}
	if err != nil {
		return err
	}
	return cs.tx.sql.Exec("DELETE FROM entries WHERE path = ?", path)
}

func isForgetting(d memory.Declared) bool { return d.Forgotten != nil && *d.Forgotten }

func (cs *changeSet) touchSelected(query string, args ...any) error {
	return cs.tx.sql.Each(query, args, func(scan func(...any) error) error {
		var id memory.ID
		err := scan(&id)
		cs.touched[id] = true
		return err
	})
}

// unixNanos keeps a file's time as exactly as file systems tell it; zero if unknown.
func unixNanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// Files gives every file that the index knows, by path, with its entries.
func (db *DB) Files(ctx context.Context) (files []memory.FileState, err error) {
	err = db.sql.Snapshot(ctx, func(q sqlite.Reader) error {
		entries, err := entriesByPath(ctx, q)
		if err != nil {
			return err
		}
		return q.Each(ctx, `SELECT path, hash, stamp, size, mod_time, declared, defaults, faults FROM files ORDER BY path`,
			nil, func(scan func(...any) error) error {
				f, err := scanFile(scan)
				f.Entries = entries[f.Path]
				files = append(files, f)
				return err
			})
	})
	return files, sqlite.Wrap("read files", err)
}

func scanFile(scan func(...any) error) (f memory.FileState, err error) {
	var h sqlite.Hash
	var at int64
	var said, defaults, faults string
	if err := scan(&f.Path, &h, &f.Stamp, &f.Size, &at, &said, &defaults, &faults); err != nil {
		return f, err
	}
	f.Hash = memory.Hash(h)
	if at != 0 {
		f.ModTime = time.Unix(0, at).UTC()
	}
	if f.Declared, err = declared(said); err != nil {
		return f, err
	}
	if f.Defaults, err = declared(defaults); err != nil {
		return f, err
	}
	if faults != "[]" {
		err = json.Unmarshal([]byte(faults), &f.Faults)
	}
	return f, err
}

func entriesByPath(ctx context.Context, q sqlite.Reader) (map[string][]memory.Entry, error) {
	found := map[string][]memory.Entry{}
	err := q.Each(ctx, `SELECT path, id_prefix, quote, declared, line, about, about_path FROM entries ORDER BY path, n`,
		nil, func(scan func(...any) error) error {
			var path, said string
			var e memory.Entry
			if err := scan(&path, &e.IDPrefix, &e.Quote, &said, &e.Line, &e.MatchedID, &e.Path); err != nil {
				return err
			}
			var err error
			e.Declared, err = declared(said)
			found[path] = append(found[path], e)
			return err
		})
	return found, err
}
