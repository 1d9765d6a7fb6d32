package index

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/changes"
	"github.com/memory-tiered/memory/index/declared"
	"github.com/memory-tiered/memory/index/query"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqlite"
)

// transferredTables are the durable tables with rows about single memories, which an
// export takes along. key is the column with the id. memory_audit has its own field in an
// export, and the marks of forgotten texts have a file.
var transferredTables = []struct{ name, key string }{
	{"memories", "id"},
	{"fingerprints", memoryID}, {"past_places", memoryID}, {"former_texts", memoryID}, {"uses", memoryID}, {"reviewed", memoryID}, {"feedback", memoryID},
}

const memoryID = "memory_id"

// textColumns are the columns of memories that repeat words of the text.
var textColumns = strings.Split("text, wording, bare, entity_refs, last_heading", ", ")

// exportPage is the number of memories that are read at once, so that an export of any
// size needs little memory.
const exportPage = 500

// Export passes the memories that a predicate selects to row, ordered by path and place.
// begin gets their number first. Everything is of one moment.
func (db *DB) Export(ctx context.Context, p memory.Predicate, begin func(memories int) error, row func(memory.ExportRow) error) error {
	return db.sql.Snapshot(ctx, func(r sqlite.Reader) error {
		ids, err := query.OrderedIDs(ctx, r, p)
		if err == nil {
			err = begin(len(ids))
		}
		if err != nil {
			return err
		}
		columns := map[string][]string{}
		for _, t := range transferredTables {
			if columns[t.name], err = sqlite.Column[string](ctx, r, "SELECT name FROM pragma_table_info(?)", t.name); err != nil {
				return err
			}
		}
		for page := range slices.Chunk(ids, exportPage) {
			e := exportReader{r: r, ids: page, columns: columns, rows: map[memory.ID]*memory.ExportRow{}}
			if err := e.read(ctx); err != nil {
				return sqlite.Wrap("export memories", err)
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
	r       sqlite.Reader
	ids     []memory.ID
	columns map[string][]string // of the tables
	rows    map[memory.ID]*memory.ExportRow
}

func (e *exportReader) read(ctx context.Context) error {
	for _, part := range []func(context.Context, string) error{e.readMemories, e.readBlocks, e.readEntries, e.readAudit, e.readTables} {
		if err := part(ctx, sqlite.JSONList(e.ids)); err != nil {
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
		var hash sqlite.Hash
		var text string
		if err := scan(&id, &span.Start, &span.End, &hash, &text); err != nil {
			return err
		}
		span.FileHash = memory.Hash(hash)
		file, err := declared.Parse(text)
		e.rows[id].Block, e.rows[id].File = &span, file
		return err
	})
}

func (e *exportReader) readEntries(ctx context.Context, ids string) error {
	entries := map[memory.ID][]declared.Entry{}
	err := e.r.Each(ctx, "SELECT about, path, about_path, declared FROM entries WHERE about IN (SELECT value FROM json_each(?)) ORDER BY path, n", []any{ids},
		func(scan func(...any) error) error {
			var one declared.Entry
			var text string
			err := scan(&one.About, &one.Path, &one.AboutPath, &text)
			if err == nil {
				one.Declared, err = declared.Parse(text)
			}
			entries[one.About] = append(entries[one.About], one)
			return err
		})
	for id, list := range entries {
		e.rows[id].Declared = declared.Merge(list, e.rows[id].Memory.Path)
	}
	return err
}

func (e *exportReader) readAudit(ctx context.Context, ids string) error {
	return e.r.Each(ctx, `SELECT at, action, memory_id, source, old, new, batch FROM memory_audit
		WHERE memory_id IN (SELECT value FROM json_each(?)) ORDER BY seq`, []any{ids}, func(scan func(...any) error) error {
		var row memory.AuditRow
		var at sqlite.Millis
		var before, after string
		err := scan(&at, &row.Action, &row.ID, &row.Source, &before, &after, &row.Batch)
		if err == nil {
			err = json.Unmarshal([]byte(before), &row.Old)
		}
		if err == nil {
			err = json.Unmarshal([]byte(after), &row.New)
		}
		row.At = at.Time()
		e.rows[row.ID].Audit = append(e.rows[row.ID].Audit, row)
		return err
	})
}

func (e *exportReader) readTables(ctx context.Context, ids string) error {
	for _, t := range transferredTables {
		columns := e.columns[t.name]
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

// scanValues scans a row of any table. A BLOB becomes a text.
func scanValues(scan func(...any) error, columns []string) (map[string]any, error) {
	values, pointers := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		pointers[i] = &values[i]
	}
	err := scan(pointers...)
	byName := make(map[string]any, len(columns))
	for i, name := range columns {
		if name == "chunks_hash" { // of what a search finds, which is made again
			continue
		}
		if blob, ok := values[i].([]byte); ok {
			byName[name] = "x'" + hex.EncodeToString(blob) + "'"
		} else if values[i] != nil {
			byName[name] = values[i]
		}
	}
	return byName, err
}

// RedactExport removes the text of a memory from its row, and all that repeats words of it.
func RedactExport(row *memory.ExportRow) {
	m := &row.Memory
	m.Text, m.Memory.Text, m.Heading, m.Entities, row.Markdown = nil, "", nil, nil, nil
	for _, values := range row.Tables["memories"] {
		for _, name := range textColumns {
			delete(values, name)
		}
	}
	delete(row.Tables, "former_texts")
	delete(row.Tables, "feedback") // has questions
}

// ImportedState is what the index has of a memory of an export.
type ImportedState struct {
	ID      memory.ID // of the memory here: the one with the id, or with the text
	Present bool      // it is in a file
	Newer   bool      // it was first seen here later than there: the state of the export counts
}

// FindImported looks for the memories of some rows. With byText, the text counts where the
// id is not known. Each memory is found once.
func (db *DB) FindImported(ctx context.Context, list []memory.ExportRow, byText bool) (found []ImportedState, err error) {
	var ids, fingerprints []string
	for _, row := range list {
		ids, fingerprints = append(ids, string(row.Memory.ID)), append(fingerprints, row.Fingerprint)
	}
	byID, byPrint := map[memory.ID]ImportedState{}, map[string][]ImportedState{}
	seen := map[memory.ID]sqlite.Millis{}
	err = db.sql.Read().Each(ctx, `SELECT id, lower(hex(fingerprint)), first_seen, missing_since IS NULL FROM memories
		WHERE id IN (SELECT value FROM json_each(?1)) OR fingerprint IN (SELECT unhex(value) FROM json_each(?2)) ORDER BY id`,
		[]any{sqlite.JSONList(ids), sqlite.JSONList(fingerprints)}, func(scan func(...any) error) error {
			var s ImportedState
			var print string
			var firstSeen sqlite.Millis
			err := scan(&s.ID, &print, &firstSeen, &s.Present)
			byID[s.ID], seen[s.ID] = s, firstSeen
			if s.Present {
				byPrint[print] = append(byPrint[print], s)
			}
			return err
		})
	taken := map[memory.ID]bool{}
	for _, row := range list {
		taken[row.Memory.ID] = true
	}
	for _, row := range list {
		s, known := byID[row.Memory.ID]
		if same := byPrint[row.Fingerprint]; byText && !s.Present {
			if i := slices.IndexFunc(same, func(s ImportedState) bool { return !taken[s.ID] }); i >= 0 {
				s, known = same[i], true
				taken[s.ID] = true
			}
		}
		if known {
			s.Newer = int64(seen[s.ID]) > integer(memoryColumns(row)["first_seen"])
		}
		found = append(found, s)
	}
	return found, sqlite.Wrap("look for imported memories", err)
}

// KnownSourceRefs returns those source references of some rows that a memory in a file has.
func (db *DB) KnownSourceRefs(ctx context.Context, list []memory.ExportRow) (map[string]bool, error) {
	var refs []string
	for _, row := range list {
		refs = append(refs, row.Declared.SourceRef)
	}
	known := map[string]bool{}
	err := db.sql.Read().Each(ctx, `SELECT source_ref FROM memories
		WHERE missing_since IS NULL AND source_ref <> '' AND source_ref IN (SELECT value FROM json_each(?))`,
		[]any{sqlite.JSONList(refs)}, func(scan func(...any) error) error {
			var ref string
			err := scan(&ref)
			known[ref] = true
			return err
		})
	return known, sqlite.Wrap("look for source references", err)
}

func memoryColumns(row memory.ExportRow) map[string]any {
	if list := row.Tables["memories"]; len(list) == 1 {
		return list[0]
	}
	return nil
}

func integer(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	case json.Number:
		n, _ := v.Int64() // any other value is no time
		return n
	}
	return 0
}

// localColumns are the columns of memories that only the index itself can know.
var localColumns = strings.Split("id, text, fingerprint, wording, bare, lang, entity_refs, parent_id, missing_since, last_path, last_ordinal, last_line_start, last_line_end, last_heading, last_block_id, chunks_hash, date_named, detected_type, detected_category", ", ")

// Import adds the memory of a row as a missing one, with its state. As soon as a file has
// its text, it is that memory. What hides it holds before.
func (tx *Tx) Import(row memory.ExportRow) error {
	values := maps.Clone(memoryColumns(row))
	if values == nil {
		return memory.Invalid("", "the row of the memory is missing")
	}
	heading := sqlite.JSONList(row.Memory.Heading)
	inherited, err := declared.JSON(row.Declared)
	if err != nil {
		return err
	}
	text, m := *row.Memory.Text, row.Memory
	values["id"], values["text"], values["fingerprint"] = string(m.ID), text, "x'"+row.Fingerprint+"'"
	values["wording"], values["bare"], values["inherited"] = rows.WordingKey(text), rows.BareKey(text), inherited
	values["missing_since"], values["last_path"], values["last_ordinal"] = int64(max(1, sqlite.ToMillis(tx.Now))), m.Path, int64(row.N)
	values["last_line_start"], values["last_line_end"], values["last_heading"] = m.LineStart, m.LineEnd, heading
	if err := tx.changes.Delete(row.Memory.ID, ""); err != nil { // one that was missing here
		return err
	}
	if err := tx.insertTransferred("memories", "INSERT", values); err != nil {
		return err
	}
	cs, err := tx.changes.SelectIDs([]memory.ID{row.Memory.ID})
	if err != nil {
		return err
	}
	tx.changes.Rows.CountNew(cs.Rows[row.Memory.ID])
	if row.Memory.Forgotten && !row.Declared.Only {
		if _, err := cs.AddMarks(row.Memory.ID); err != nil {
			return err
		}
	}
	if err := tx.changes.Note(row.Memory.ID); err != nil {
		return err
	}
	return tx.importTables(row, row.Memory.ID)
}

// ImportState gives a memory that is here the state of a row. id is its id here.
func (tx *Tx) ImportState(row memory.ExportRow, id memory.ID) error {
	values := memoryColumns(row)
	columns, err := tx.knownColumns("memories", values)
	if err != nil {
		return err
	}
	cs, err := tx.changes.SelectIDs([]memory.ID{id})
	if err != nil || cs.Rows[id] == nil {
		return err
	}
	wasForgotten := cs.Rows[id].Forgotten
	var set []string
	var args []any
	for _, name := range columns {
		if !slices.Contains(localColumns, name) && (name != "inherited" || cs.Rows[id].Inherited == "{}") {
			value, err := sqlValue(values[name])
			if err != nil {
				return err
			}
			set, args = append(set, name+" = ?"), append(args, value)
		}
	}
	if len(set) > 0 {
		tx.changes.Rows.CountGone(cs.Rows[id])
		if err := tx.sql.Exec("UPDATE memories SET "+strings.Join(set, ", ")+" WHERE id = ?", append(args, string(id))...); err != nil {
			return err
		}
		if cs, err = tx.changes.SelectIDs([]memory.ID{id}); err != nil {
			return err
		}
		tx.changes.Rows.CountNew(cs.Rows[id])
	}
	if row.Memory.Forgotten && !wasForgotten {
		if err := tx.keepForgotten(cs, row, id); err != nil {
			return err
		}
	}
	if err := cs.Save(); err != nil {
		return err
	}
	if err := tx.changes.Note(id); err != nil {
		return err
	}
	return tx.importTables(row, id)
}

// keepForgotten forgets a memory that the export has as forgotten, although no line of a
// file here says so.
func (tx *Tx) keepForgotten(cs *changes.Set, row memory.ExportRow, id memory.ID) error {
	r := cs.Rows[id]
	kept, err := declared.Parse(r.Sidecar)
	if err != nil {
		return err
	}
	if kept.Forgotten == nil {
		yes := true
		kept.Forgotten, kept.ForgottenAt, kept.Only = &yes, tx.Now, row.Declared.Only
		if !row.Declared.ForgottenAt.IsZero() {
			kept.ForgottenAt = row.Declared.ForgottenAt
		}
		if r.Sidecar, err = declared.JSON(kept); err != nil {
			return err
		}
	}
	if row.Declared.Only {
		return nil
	}
	_, err = cs.AddMarks(id)
	return err
}

// importTables adds the rows of the other tables, and the audit.
func (tx *Tx) importTables(row memory.ExportRow, id memory.ID) error {
	for _, t := range transferredTables[1:] {
		for _, values := range row.Tables[t.name] {
			values = maps.Clone(values)
			values[t.key] = string(id)
			if err := tx.insertTransferred(t.name, "INSERT OR IGNORE", values); err != nil {
				return err
			}
		}
	}
	for _, a := range row.Audit {
		before, err := declared.JSON(a.Old)
		after, afterErr := declared.JSON(a.New)
		if err != nil || afterErr != nil {
			return memory.Invalid("audit", "the audit cannot be read")
		}
		err = tx.sql.Exec(`INSERT INTO memory_audit(at, action, memory_id, source, old, new, batch) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
			WHERE NOT EXISTS (SELECT 1 FROM memory_audit WHERE memory_id = ?3 AND at = ?1 AND action = ?2 AND batch = ?7)`,
			sqlite.ToMillis(a.At), a.Action, id, a.Source, before, after, a.Batch)
		if err != nil {
			return err
		}
	}
	return nil
}

// insertTransferred inserts a row whose columns a table here must have.
func (tx *Tx) insertTransferred(table, verb string, values map[string]any) error {
	columns, err := tx.knownColumns(table, values)
	if err != nil || len(columns) == 0 {
		return err
	}
	var args []any
	for _, name := range columns {
		value, err := sqlValue(values[name])
		if err != nil {
			return err
		}
		args = append(args, value)
	}
	return tx.sql.Exec(fmt.Sprintf("%s INTO %s(%s) VALUES (%s)", verb, table, strings.Join(columns, ", "),
		strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")), args...)
}

// knownColumns returns the columns of a row in order. One that the table does not have is an
// error: it may hide the memory.
func (tx *Tx) knownColumns(table string, values map[string]any) ([]string, error) {
	own, err := tx.columnsOf(table)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(own, name) {
			return nil, memory.Invalid("tables", "the column %s of %s is not known", name, table).WithHint("a newer version of memory wrote the export: update this one")
		}
	}
	return slices.DeleteFunc(own, func(name string) bool { _, ok := values[name]; return !ok }), nil
}

func (tx *Tx) columnsOf(table string) (columns []string, err error) {
	if known := tx.columns[table]; known != nil {
		return slices.Clone(known), nil
	}
	err = tx.sql.Each("SELECT name FROM pragma_table_info(?)", []any{table}, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		columns = append(columns, name)
		return err
	})
	if tx.columns == nil {
		tx.columns = map[string][]string{}
	}
	tx.columns[table] = slices.Clone(columns)
	return columns, err
}

// sqlValue returns a value of an export as the tables have it.
func sqlValue(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, nil
		}
		return v.Float64()
	case string:
		digits, isBlob := strings.CutPrefix(v, "x'")
		if digits, closed := strings.CutSuffix(digits, "'"); isBlob && closed {
			if blob, err := hex.DecodeString(digits); err == nil {
				return blob, nil
			}
		}
		return v, nil
	case int64, int, float64, sqlite.Millis, nil:
		return v, nil
	}
	return nil, memory.Invalid("tables", "a value of a table is neither a number nor a text")
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

// ImportMarks adds the marks of an export. It reports false if marks of this database have
// another key: those of the export mean nothing here then.
func (tx *Tx) ImportMarks(exported []byte) (bool, error) {
	same, err := tx.changes.Marks.HasKey(exported)
	if err != nil || !same {
		return false, err
	}
	return true, tx.changes.Marks.AddExported(exported, max(1, sqlite.ToMillis(tx.Now)))
}
