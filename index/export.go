package index

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/journal"
	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
)

// transferredTables are the durable tables with rows about single memories, which an
// export takes along. key is the column with the id. memory_audit has its own field in an
// export, and the marks of forgotten texts have a file.
var transferredTables = []struct{ name, key string }{
	{"memories", "id"},
	{"past_fingerprints", memoryID}, {"past_places", memoryID}, {"former_texts", memoryID}, {"uses", memoryID}, {"reviewed", memoryID}, {"feedback", memoryID},
}

const memoryID = "memory_id"

// derivedColumns are the columns of memories that an index makes itself, of the text and its
// place. They are in no export.
var derivedColumns = strings.Fields(`text fingerprint wording source_hidden lang entity_refs date_named detected_type detected_category
	missing_since last_path last_ordinal last_line_start last_line_end last_heading last_block_id chunks_hash`)

// exportPage is the number of memories that are read at once, so that an export of any
// size needs little memory.
const exportPage = 500

// Export passes the memories that a predicate selects to row, ordered by path and place.
// begin gets their number first. Everything is of one moment. onlyState leaves out all tables
// but the one of memories.
func (db *DB) Export(ctx context.Context, p memory.Predicate, onlyState bool, begin func(memories int) error, row func(memory.ExportRow) error) error {
	return db.sql.Snapshot(ctx, func(r sqldb.Reader) error {
		ids, err := query.OrderedIDs(ctx, r, p)
		if err == nil {
			err = begin(len(ids))
		}
		if err != nil {
			return err
		}
		catalog, err := db.sql.Catalog(ctx)
		if err != nil {
			return err
		}
		columns, tables := map[string][]string{}, transferredTables
		if onlyState {
			tables = tables[:1]
		}
		for _, t := range tables {
			columns[t.name] = slices.DeleteFunc(catalog.Columns(t.name), func(name string) bool { return t.name == "memories" && slices.Contains(derivedColumns, name) })
		}
		for page := range slices.Chunk(ids, exportPage) {
			e := exportReader{r: r, ids: page, columns: columns, rows: map[memory.ID]*memory.ExportRow{}}
			if err := e.read(ctx); err != nil {
				return sqldb.Wrap("export memories", err)
			}
			for _, id := range page {
				if err := row(*e.rows[id]); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// exportReader reads one page of an export.
type exportReader struct {
	r       sqldb.Reader
	ids     []memory.ID
	columns map[string][]string // of the tables
	rows    map[memory.ID]*memory.ExportRow
}

func (e *exportReader) read(ctx context.Context) error {
	for _, part := range []func(context.Context, string) error{e.readMemories, e.readBlocks, e.readEntries, e.readAudit, e.readTables} {
		if err := part(ctx, sqldb.JSONList(e.ids)); err != nil {
			return err
		}
	}
	return nil
}

func (e *exportReader) readMemories(ctx context.Context, ids string) error {
	return e.r.Each(ctx, "SELECT "+query.MemoryColumns+" FROM remembered WHERE id IN (SELECT value FROM json_each(?))", []any{ids},
		func(scan func(...any) error) error {
			m, err := query.ScanMemory(scan)
			text := m.Text
			e.rows[m.ID] = &memory.ExportRow{Memory: memory.Exported{Memory: m, Text: &text},
				Fingerprint: hex.EncodeToString(m.Fingerprint[:]), Tables: memory.TableRows{}, Audit: []memory.AuditRow{}}
			return err
		})
}

func (e *exportReader) readBlocks(ctx context.Context, ids string) error {
	return e.r.Each(ctx, `SELECT p.memory_id, p.span_start, p.span_end, f.hash, f.declared FROM places p JOIN files f ON f.path = p.path
		WHERE p.ordinal >= 0 AND p.memory_id IN (SELECT value FROM json_each(?))`, []any{ids}, func(scan func(...any) error) error {
		var id memory.ID
		var span memory.ExportSpan
		var hash sqldb.Hash
		var text string
		if err := scan(&id, &span.Start, &span.End, &hash, &text); err != nil {
			return err
		}
		span.FileHash = memory.Hash(hash)
		file, err := rows.ParseDeclared(text)
		e.rows[id].Block, e.rows[id].File = &span, file
		return err
	})
}

func (e *exportReader) readEntries(ctx context.Context, ids string) error {
	entries := map[memory.ID][]rows.Entry{}
	err := e.r.Each(ctx, "SELECT about, path, about_path, declared FROM entries WHERE about IN (SELECT value FROM json_each(?)) ORDER BY path, n", []any{ids},
		func(scan func(...any) error) error {
			var one rows.Entry
			var text string
			err := scan(&one.About, &one.Path, &one.AboutPath, &text)
			if err == nil {
				one.Declared, err = rows.ParseDeclared(text)
			}
			entries[one.About] = append(entries[one.About], one)
			return err
		})
	for id, list := range entries {
		e.rows[id].Declared = rows.Merge(list, e.rows[id].Memory.Path)
	}
	return err
}

func (e *exportReader) readAudit(ctx context.Context, ids string) error {
	return e.r.Each(ctx, "SELECT "+journal.AuditColumns+` FROM memory_audit
		WHERE memory_id IN (SELECT value FROM json_each(?)) ORDER BY seq`, []any{ids}, func(scan func(...any) error) error {
		row, err := journal.ScanAudit(scan)
		if err == nil {
			e.rows[row.ID].Audit = append(e.rows[row.ID].Audit, row)
		}
		return err
	})
}

func (e *exportReader) readTables(ctx context.Context, ids string) error {
	for _, t := range transferredTables {
		columns := e.columns[t.name]
		if columns == nil {
			continue
		}
		list := strings.Join(columns, ", ")
		err := e.r.Each(ctx, "SELECT "+list+" FROM "+t.name+" WHERE "+t.key+" IN (SELECT value FROM json_each(?)) ORDER BY "+list, []any{ids},
			func(scan func(...any) error) error {
				values, err := scanValues(scan, columns)
				id, _ := values[t.key].(string)
				if row := e.rows[memory.ID(id)]; row != nil {
					row.Tables[t.name] = append(row.Tables[t.name], values)
				}
				return err
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// scanValues scans a row of any table. A BLOB becomes a text, and a boolean 0 or 1.
func scanValues(scan func(...any) error, columns []string) (map[string]any, error) {
	values, pointers := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		pointers[i] = &values[i]
	}
	err := scan(pointers...)
	byName := make(map[string]any, len(columns))
	for i, name := range columns {
		switch value := values[i].(type) {
		case nil:
		case []byte:
			byName[name] = "x'" + hex.EncodeToString(value) + "'"
		case bool:
			if byName[name] = int64(0); value {
				byName[name] = int64(1)
			}
		default:
			byName[name] = value
		}
	}
	return byName, err
}

// RedactExport removes the text of a memory from its row, and all that repeats words of it.
func RedactExport(row *memory.ExportRow) {
	m := &row.Memory
	m.Text, m.Memory.Text, m.Heading, m.Entities, row.Markdown = nil, "", nil, nil, nil
	delete(row.Tables, "former_texts")
	delete(row.Tables, "feedback") // has questions
}

// KeepDecisions removes from a row all that is not decided or audited. Declared becomes all
// that is declared about the memory alone, also what is only in this database.
func KeepDecisions(row *memory.ExportRow) error {
	RedactExport(row)
	columns := row.Tables["memories"][0]
	text, _ := columns["sidecar"].(string)
	sidecar, err := rows.ParseDeclared(text)
	if err != nil {
		return err
	}
	text, _ = columns["inherited"].(string)
	inherited, err := rows.ParseDeclared(text)
	row.Declared = rows.WithoutRevoked(row.Declared, sidecar).Over(sidecar).Over(rows.WithoutRevoked(inherited, sidecar))
	row.Declared.Revoked = ""
	return err
}

// ExportMarks returns the marks of the texts that are forgotten or were destroyed here, with
// their key; nil: there are none.
func (db *DB) ExportMarks(ctx context.Context) (exported []byte, err error) {
	err = db.Update(ctx, time.Time{}, func(tx *Tx) error {
		exported, err = tx.changes.Marks.Export()
		return err
	})
	return exported, err
}
