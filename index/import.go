package index

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/rows"
	"github.com/memory-tiered/memory/index/sqldb"
)

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
	seen := map[memory.ID]sqldb.Millis{}
	err = db.sql.Read().Each(ctx, `SELECT id, lower(hex(fingerprint)), first_seen, missing_since IS NULL FROM memories
		WHERE id IN (SELECT value FROM json_each(?1)) OR fingerprint IN (SELECT unhex(value) FROM json_each(?2)) ORDER BY id`,
		[]any{sqldb.JSONList(ids), sqldb.JSONList(fingerprints)}, func(scan func(...any) error) error {
			var s ImportedState
			var print string
			var firstSeen sqldb.Millis
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
	return found, sqldb.Wrap("look for imported memories", err)
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
		[]any{sqldb.JSONList(refs)}, func(scan func(...any) error) error {
			var ref string
			err := scan(&ref)
			known[ref] = true
			return err
		})
	return known, sqldb.Wrap("look for source references", err)
}

// memoryColumns returns a copy of what a row has for the table memories; nil: nothing.
func memoryColumns(row memory.ExportRow) map[string]any {
	list := row.Tables["memories"]
	if len(list) != 1 {
		return nil
	}
	values := maps.Clone(list[0])
	maps.DeleteFunc(values, func(name string, _ any) bool { return slices.Contains(derivedColumns, name) })
	return values
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

// Import adds the memory of a row as a missing one, with its state. As soon as a file has
// its text, it is that memory. What hides it holds before.
func (tx *Tx) Import(row memory.ExportRow) error {
	values := memoryColumns(row)
	if values == nil {
		return memory.Invalid("", "the row of the memory is missing")
	}
	heading := sqldb.JSONList(row.Memory.Heading)
	inherited, err := rows.EncodeJSON(row.Declared)
	if err != nil {
		return err
	}
	text, m := *row.Memory.Text, row.Memory
	values["id"], values["text"], values["fingerprint"] = string(m.ID), text, "x'"+row.Fingerprint+"'"
	values["wording"], values["inherited"] = rows.WordingKey(text), inherited
	values["missing_since"], values["last_path"], values["last_ordinal"] = int64(max(1, sqldb.ToMillis(tx.Now))), m.Path, int64(row.N)
	values["last_line_start"], values["last_line_end"], values["last_heading"] = m.LineStart, m.LineEnd, heading
	if err := tx.changes.Delete(row.Memory.ID, ""); err != nil { // one that was missing here
		return err
	}
	if err := tx.insertTransferred("memories", "INSERT", values); err != nil {
		return err
	}
	if row.Memory.Forgotten && !row.Declared.Only {
		cs, err := tx.changes.SelectIDs([]memory.ID{row.Memory.ID})
		if err != nil {
			return err
		}
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
	delete(values, "id")
	columns, all, err := tx.knownColumns("memories", values)
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
	for i, name := range columns {
		if name != "inherited" || cs.Rows[id].Inherited == "{}" {
			set, args = append(set, name+" = ?"), append(args, all[i])
		}
	}
	if before := cs.Rows[id]; len(set) > 0 {
		if err := tx.sql.Exec("UPDATE memories SET "+strings.Join(set, ", ")+" WHERE id = ?", append(args, string(id))...); err != nil {
			return err
		}
		if cs, err = tx.changes.SelectIDs([]memory.ID{id}); err != nil {
			return err
		}
		tx.changes.NoteSource(before, cs.Rows[id])
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
func (tx *Tx) keepForgotten(cs *rows.Set, row memory.ExportRow, id memory.ID) error {
	r := cs.Rows[id]
	kept, err := rows.ParseDeclared(r.Sidecar)
	if err != nil {
		return err
	}
	if kept.Forgotten == nil {
		kept.Forgotten, kept.ForgottenAt, kept.Only = new(true), tx.Now, row.Declared.Only
		if !row.Declared.ForgottenAt.IsZero() {
			kept.ForgottenAt = row.Declared.ForgottenAt
		}
		if r.Sidecar, err = rows.EncodeJSON(kept); err != nil {
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
		before, err := rows.EncodeJSON(a.Old)
		after, afterErr := rows.EncodeJSON(a.New)
		if err != nil || afterErr != nil {
			return memory.Invalid("audit", "the audit cannot be read")
		}
		err = tx.sql.Exec(`INSERT INTO memory_audit(at, action, memory_id, source, old, new, batch) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
			WHERE NOT EXISTS (SELECT 1 FROM memory_audit WHERE memory_id = ?3 AND at = ?1 AND action = ?2 AND batch = ?7)`,
			sqldb.ToMillis(a.At), a.Action, id, a.Source, before, after, a.Batch)
		if err != nil {
			return err
		}
	}
	return nil
}

// insertTransferred inserts a row whose columns a table here must have.
func (tx *Tx) insertTransferred(table, verb string, values map[string]any) error {
	columns, args, err := tx.knownColumns(table, values)
	if err != nil || len(columns) == 0 {
		return err
	}
	return tx.sql.Exec(fmt.Sprintf("%s INTO %s(%s) VALUES (%s)", verb, table, strings.Join(columns, ", "),
		strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")), args...)
}

// knownColumns returns the columns of a row in order, and their values as the table has them. A
// column that the table does not have is an error: it may hide the memory.
func (tx *Tx) knownColumns(table string, values map[string]any) (columns []string, args []any, err error) {
	if tx.catalog == nil {
		if tx.catalog, err = tx.sql.Catalog(); err != nil {
			return nil, nil, err
		}
	}
	own := tx.catalog.Columns(table)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(own, name) {
			return nil, nil, memory.Invalid("tables", "the column %s of %s is not known", name, table).WithHint("a newer version of memory wrote the export: update this one")
		}
	}
	for _, c := range tx.catalog {
		v, ok := values[c.Name]
		if c.Table != table || !ok {
			continue
		}
		if c.IsBoolean {
			v = integer(v) != 0
		}
		value, err := sqlValue(v)
		if err != nil {
			return nil, nil, err
		}
		columns, args = append(columns, c.Name), append(args, value)
	}
	return columns, args, nil
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
	case int64, int, float64, sqldb.Millis, bool, nil:
		return v, nil
	}
	return nil, memory.Invalid("tables", "a value of a table is neither a number nor a text")
}

// ImportMarks adds the marks of an export. It reports false if marks of this database have
// another key: those of the export mean nothing here then.
func (tx *Tx) ImportMarks(exported []byte) (bool, error) {
	same, err := tx.changes.Marks.HasKey(exported)
	if err != nil || !same {
		return false, err
	}
	return true, tx.changes.Marks.AddExported(exported, max(1, sqldb.ToMillis(tx.Now)))
}
