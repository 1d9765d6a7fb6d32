package marks

import (
	"encoding/json"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Export returns the marks with their key, as the file beside the database has them. It
// returns nil if no text is marked.
func (tx *Tx) Export() ([]byte, error) {
	f, err := tx.current()
	if err != nil || len(f.Marks) == 0 {
		return nil, err
	}
	return json.Marshal(f)
}

// HasKey reports whether marks that Export returned have the key of this database. A
// database without marks takes over their key first.
func (tx *Tx) HasKey(exported []byte) (bool, error) {
	f, err := parseExported(exported)
	if err != nil {
		return false, err
	}
	key, err := tx.meta.Meta(KeyName)
	if err != nil || key == f.Key {
		return err == nil, err
	}
	used := true
	err = tx.sql.One("SELECT EXISTS (SELECT 1 FROM forgotten) OR EXISTS (SELECT 1 FROM former_texts)", nil, &used)
	if err != nil || used {
		return false, err
	}
	return true, tx.meta.SetMeta(KeyName, f.Key)
}

// AddExported adds marks that Export returned. They have the key of this database.
func (tx *Tx) AddExported(exported []byte, at sqldb.Millis) error {
	f, err := parseExported(exported)
	if err != nil {
		return err
	}
	tx.changed = true
	return tx.addFile(f, at)
}

func parseExported(exported []byte) (f file, err error) {
	if json.Unmarshal(exported, &f) != nil || len(f.Key) != 64 || f.Sum != f.sum() {
		return f, memory.Invalid("marks", "the marks of forgotten texts are damaged").WithHint("export the memories again")
	}
	return f, nil
}
