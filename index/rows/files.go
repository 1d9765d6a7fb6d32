package rows

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Files lists the indexed files by path, with their entries. With paths, it lists these and
// all with an entry.
func (s *Reader) Files(ctx context.Context, paths ...string) (files []memory.FileState, err error) {
	query, params := "SELECT path, hash, stamp, size, mod_time, declared, defaults, faults FROM files", []any(nil)
	if len(paths) > 0 {
		query, params = query+" WHERE path IN (SELECT value FROM json_each(?) UNION SELECT path FROM entries)", []any{sqldb.JSONList(paths)}
	}
	err = s.sql.Snapshot(ctx, func(r sqldb.Reader) error {
		entries, err := entriesByPath(ctx, r)
		if err != nil {
			return err
		}
		return r.Each(ctx, query+" ORDER BY path", params, func(scan func(...any) error) error {
			f, err := scanFile(scan)
			f.Entries = entries[f.Path]
			files = append(files, f)
			return err
		})
	})
	return files, sqldb.Wrap("read files", err)
}

// Blocks returns the indexed blocks of a file, by their ordinals.
func (s *Reader) Blocks(ctx context.Context, path string) (blocks []identity.IndexedBlock, err error) {
	err = s.sql.Read().Each(ctx, "SELECT memory_id, ordinal, span_start, line_start, hash FROM places WHERE path = ? ORDER BY ordinal", []any{path},
		func(scan func(...any) error) error {
			var b identity.IndexedBlock
			err := scan(&b.ID, &b.Ordinal, &b.Start, &b.LineStart, &b.Hash)
			blocks = append(blocks, b)
			return err
		})
	return blocks, sqldb.Wrap("read the blocks of a file", err)
}

// Faults lists the faults of all files, by path.
func (s *Reader) Faults(ctx context.Context) ([]memory.Fault, error) {
	all, err := s.faults.Get(s.sql, func() (all []memory.Fault, err error) {
		err = s.sql.Read().Each(ctx, "SELECT faults FROM files WHERE faults <> '[]' ORDER BY path", nil, func(scan func(...any) error) error {
			var list string
			var faults []memory.Fault
			err := scan(&list)
			if err == nil {
				err = json.Unmarshal([]byte(list), &faults)
			}
			all = append(all, faults...)
			return err
		})
		return all, err
	})
	return slices.Clone(all), sqldb.Wrap("read faults", err)
}

func scanFile(scan func(...any) error) (f memory.FileState, err error) {
	var h sqldb.Hash
	var modTime int64
	var declared, defaults, faults string
	if err := scan(&f.Path, &h, &f.Stamp, &f.Size, &modTime, &declared, &defaults, &faults); err != nil {
		return f, err
	}
	f.Hash = memory.Hash(h)
	if modTime != 0 {
		f.ModTime = time.Unix(0, modTime).UTC()
	}
	if f.Declared, err = ParseDeclared(declared); err != nil {
		return f, err
	}
	if f.Defaults, err = ParseDeclared(defaults); err != nil {
		return f, err
	}
	if faults != "[]" {
		err = json.Unmarshal([]byte(faults), &f.Faults)
	}
	return f, err
}

// Hashes returns the hashes of some files as they were indexed. It leaves out
// files that are not indexed, or only in part.
func (s *Reader) Hashes(ctx context.Context, paths []string) (map[string]memory.Hash, error) {
	found := map[string]memory.Hash{}
	err := s.sql.Read().Each(ctx, "SELECT path, hash FROM files WHERE path IN (SELECT value FROM json_each(?)) AND stamp <> ?",
		[]any{sqldb.JSONList(paths), memory.PartialStamp}, func(scan func(...any) error) error {
			var path string
			var h sqldb.Hash
			err := scan(&path, &h)
			found[path] = memory.Hash(h)
			return err
		})
	return found, sqldb.Wrap("read files", err)
}

// WriteFile writes the row of a file and adds its entries. The caller deletes the
// former entries first.
func (tx *Tx) WriteFile(f memory.FileState) error {
	var texts [3]string
	for i, v := range []any{f.Declared, f.Defaults, memory.List[memory.Fault](f.Faults)} {
		var err error
		if texts[i], err = EncodeJSON(v); err != nil {
			return err
		}
	}
	if err := tx.sql.Exec(`INSERT INTO files(path, hash, stamp, size, mod_time, declared, defaults, faults)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(path) DO UPDATE SET hash = excluded.hash, stamp = excluded.stamp,
		size = excluded.size, mod_time = excluded.mod_time, declared = excluded.declared,
		defaults = excluded.defaults, faults = excluded.faults`,
		f.Path, f.Hash[:], f.Stamp, f.Size, unixNanos(f.ModTime), texts[0], texts[1], texts[2]); err != nil {
		return err
	}
	for n, e := range f.Entries {
		if err := tx.insertEntry(f.Path, n, e); err != nil {
			return fmt.Errorf("line %d: %w", e.Line, err)
		}
	}
	return nil
}

// TouchFile writes the new stamp of a file whose content is the same.
func (tx *Tx) TouchFile(f memory.FileState) error {
	return tx.sql.Exec("UPDATE files SET stamp = ?, size = ?, mod_time = ? WHERE path = ?",
		f.Stamp, f.Size, unixNanos(f.ModTime), f.Path)
}

// CompleteFile notes that all blocks of a file are indexed, so that it need not be
// read again.
func (tx *Tx) CompleteFile(f memory.FileState) error {
	return tx.sql.Exec("UPDATE files SET hash = ?, stamp = ? WHERE path = ?", f.Hash[:], f.Stamp, f.Path)
}

// DeleteFile deletes the row of a file.
func (tx *Tx) DeleteFile(path string) error {
	return tx.sql.Exec("DELETE FROM files WHERE path = ?", path)
}

// unixNanos returns a modification time with the precision of file systems, or
// zero if it is unknown.
func unixNanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// fileLayers are the declarations that hold for all memories of a file.
type fileLayers struct {
	Declared memory.Declared // front matter
	Defaults memory.Declared // the configuration's, for the path
}

// fileLayers reads the declarations of some files, by path.
func (tx *Tx) fileLayers(paths []string) (map[string]fileLayers, error) {
	found := map[string]fileLayers{}
	err := tx.sql.Each("SELECT path, declared, defaults FROM files WHERE path IN (SELECT value FROM json_each(?))",
		[]any{sqldb.JSONList(paths)}, func(scan func(...any) error) (err error) {
			var path, declared, defaults string
			if err := scan(&path, &declared, &defaults); err != nil {
				return err
			}
			var l fileLayers
			if l.Declared, err = ParseDeclared(declared); err != nil {
				return err
			}
			l.Defaults, err = ParseDeclared(defaults)
			found[path] = l
			return err
		})
	return found, err
}
