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

// writeFiles writes the batch's files, and notes whose entries come and go.
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

// writeFile writes the row of a file and its entries.
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

// entry is a decision about one memory in the front matter of a file.
type entry struct {
	path      string
	aboutPath string // in a decisions file: the file of the memory
	declared  memory.Declared
}

func (cs *changeSet) writeEntries(f memory.FileState) error {
	if slices.ContainsFunc(f.Entries, func(e memory.Entry) bool { return isForgetting(e.Declared) }) {
		if err := cs.tx.SetMeta(branchKey(f.Path), cs.batch.Branch); err != nil {
			return err
		}
	}
	for n, e := range f.Entries {
		text, err := toJSON(e.Declared)
		if err != nil {
			return fmt.Errorf("line %d: %w", e.Line, err)
		}
		if err := cs.tx.sql.Exec(`INSERT INTO entries(path, n, id_prefix, quote, declared, line, about, about_path, doubtful)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, f.Path, n, e.IDPrefix, e.Quote, text, e.Line, e.MatchedID, e.Path,
			sqlite.JSONList(e.Doubtful)); err != nil {
			return err
		}
		if e.MatchedID != "" {
			cs.touched[e.MatchedID], cs.addedEntries[e.MatchedID] = true, true
		}
		for _, id := range e.Doubtful {
			cs.touched[id] = true
		}
	}
	return nil
}

// deleteEntries deletes the entries of a file and notes them with their memories.
func (cs *changeSet) deleteEntries(path string) error {
	forgets := false
	if err := cs.touchSelected(`SELECT d.value FROM entries e, json_each(e.doubtful) d
		WHERE e.path = ? AND e.doubtful <> '[]'`, path); err != nil {
		return err
	}
	err := cs.tx.sql.Each("SELECT about, declared FROM entries WHERE path = ? AND about <> ''", []any{path},
		func(scan func(...any) error) error {
			var id memory.ID
			var text string
			if err := scan(&id, &text); err != nil {
				return err
			}
			d, err := parseDeclared(text)
			cs.touched[id] = true
			cs.removedEntries[id] = append(cs.removedEntries[id], entry{path: path, declared: d})
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

// unixNanos returns a modification time with the precision of file systems, or
// zero if it is unknown.
func unixNanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// readEntries reads the entries about some memories, ordered by path and line.
func (tx *Tx) readEntries(ids []memory.ID) (map[memory.ID][]entry, error) {
	found := map[memory.ID][]entry{}
	err := tx.sql.Each(`SELECT about, path, about_path, declared FROM entries WHERE about IN (SELECT value FROM json_each(?))
		ORDER BY path, n`, []any{sqlite.JSONList(ids)}, func(scan func(...any) error) error {
		var id memory.ID
		var e entry
		var text string
		if err := scan(&id, &e.path, &e.aboutPath, &text); err != nil {
			return err
		}
		var err error
		e.declared, err = parseDeclared(text)
		found[id] = append(found[id], e)
		return err
	})
	return found, err
}

// Files lists all indexed files by path, with their entries.
func (db *DB) Files(ctx context.Context) (files []memory.FileState, err error) {
	err = db.sql.Snapshot(ctx, func(r sqlite.Reader) error {
		entries, err := entriesByPath(ctx, r)
		if err != nil {
			return err
		}
		return r.Each(ctx, `SELECT path, hash, stamp, size, mod_time, declared, defaults, faults FROM files ORDER BY path`,
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
	var modTime int64
	var declared, defaults, faults string
	if err := scan(&f.Path, &h, &f.Stamp, &f.Size, &modTime, &declared, &defaults, &faults); err != nil {
		return f, err
	}
	f.Hash = memory.Hash(h)
	if modTime != 0 {
		f.ModTime = time.Unix(0, modTime).UTC()
	}
	if f.Declared, err = parseDeclared(declared); err != nil {
		return f, err
	}
	if f.Defaults, err = parseDeclared(defaults); err != nil {
		return f, err
	}
	if faults != "[]" {
		err = json.Unmarshal([]byte(faults), &f.Faults)
	}
	return f, err
}

func entriesByPath(ctx context.Context, r sqlite.Reader) (map[string][]memory.Entry, error) {
	found := map[string][]memory.Entry{}
	err := r.Each(ctx, `SELECT path, id_prefix, quote, declared, line, about, about_path, doubtful FROM entries ORDER BY path, n`,
		nil, func(scan func(...any) error) error {
			path, e, err := scanEntry(scan)
			found[path] = append(found[path], e)
			return err
		})
	return found, err
}

func scanEntry(scan func(...any) error) (path string, e memory.Entry, err error) {
	var declared, doubtful string
	if err := scan(&path, &e.IDPrefix, &e.Quote, &declared, &e.Line, &e.MatchedID, &e.Path, &doubtful); err != nil {
		return path, e, err
	}
	if doubtful != "[]" {
		if err := json.Unmarshal([]byte(doubtful), &e.Doubtful); err != nil {
			return path, e, err
		}
	}
	e.Declared, err = parseDeclared(declared)
	return path, e, err
}

// Hashes returns the hashes of some files as they were indexed. It leaves out
// files that are not indexed.
func (db *DB) Hashes(ctx context.Context, paths []string) (map[string]memory.Hash, error) {
	found := map[string]memory.Hash{}
	err := db.sql.Read().Each(ctx, "SELECT path, hash FROM files WHERE path IN (SELECT value FROM json_each(?))",
		[]any{sqlite.JSONList(paths)}, func(scan func(...any) error) error {
			var path string
			var h sqlite.Hash
			err := scan(&path, &h)
			found[path] = memory.Hash(h)
			return err
		})
	return found, sqlite.Wrap("read files", err)
}

// ForgottenByEntries lists the memories that the indexed entries of some files
// forget.
func (db *DB) ForgottenByEntries(ctx context.Context, paths []string) (ids []memory.ID, err error) {
	err = db.sql.Read().Each(ctx, `SELECT about FROM entries WHERE path IN (SELECT value FROM json_each(?))
		AND about <> '' AND json_extract(declared, '$.forgotten')`, []any{sqlite.JSONList(paths)}, func(scan func(...any) error) error {
		var id memory.ID
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, sqlite.Wrap("read entries", err)
}

// HasForgettingEntries reports whether any file has an entry that forgets a memory.
func (db *DB) HasForgettingEntries(ctx context.Context) (found bool, err error) {
	err = db.sql.Read().Each(ctx, "SELECT EXISTS (SELECT 1 FROM entries WHERE json_extract(declared, '$.forgotten'))", nil,
		func(scan func(...any) error) error { return scan(&found) })
	return found, sqlite.Wrap("read entries", err)
}

// MisplacedEntries lists the present memories with entries in the wrong place:
// in front matter although inFile puts decisions into the decisions file, or the
// other way round.
func (db *DB) MisplacedEntries(ctx context.Context, inFile bool) (ids []memory.ID, err error) {
	err = db.sql.Read().Each(ctx, `SELECT DISTINCT e.about FROM entries e JOIN places p ON p.memory_id = e.about
		WHERE (e.path = ?) <> ? ORDER BY e.about`, []any{memory.DecisionsFile, inFile}, func(scan func(...any) error) error {
		var id memory.ID
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, sqlite.Wrap("read places of decisions", err)
}
