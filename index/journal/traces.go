package journal

import (
	"encoding/json"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// DeleteTraces deletes what the journal has about destroyed memories: the words of
// earlier decisions, and receipts that list them. The audit keeps the ids.
func (w *Writer) DeleteTraces(ids []memory.ID) error {
	if err := w.sql.Exec(`UPDATE memory_audit SET old = json_remove(old, '$.said'), new = json_remove(new, '$.said')
		WHERE memory_id IN (SELECT value FROM json_each(?))`, sqldb.JSONList(ids)); err != nil {
		return err
	}
	destroyed := make(map[string]bool, len(ids))
	for _, id := range ids {
		destroyed[string(id)] = true
	}
	var receipts []string
	err := w.sql.Each("SELECT id, body FROM receipts", nil, func(scan func(...any) error) error {
		var id, body string
		err := scan(&id, &body)
		if jsonContains(body, destroyed) {
			receipts = append(receipts, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	return w.sql.Exec("DELETE FROM receipts WHERE id IN (SELECT value FROM json_each(?))", sqldb.JSONList(receipts))
}

// jsonContains reports whether a JSON text contains one of some strings as a value
// or a key. It is true for invalid JSON, whose content is unknown.
func jsonContains(body string, wanted map[string]bool) bool {
	var v any
	if json.Unmarshal([]byte(body), &v) != nil {
		return true
	}
	var contains func(any) bool
	contains = func(v any) bool {
		switch v := v.(type) {
		case string:
			return wanted[v]
		case []any:
			for _, x := range v {
				if contains(x) {
					return true
				}
			}
		case map[string]any:
			for k, x := range v {
				if wanted[k] || contains(x) {
					return true
				}
			}
		}
		return false
	}
	return contains(v)
}
