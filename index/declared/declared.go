// Package declared stores what the indexed files declare: the rows of files and the
// entries about memories. It merges several entries about one memory, and knows which
// entries a restore has revoked and which are in doubt. [memory.Resolve] decides what
// the declarations mean.
//
// The package writes only inside a transaction of its caller.
package declared

import (
	"encoding/json"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Reader reads what the indexed files of a database declare. It is safe for concurrent
// use.
type Reader struct {
	sql       *sqlite.DB
	faults    sqlite.Cache[[]memory.Fault]
	inherited sqlite.Cache[int]
}

// New returns what the files of a database declare.
func New(db *sqlite.DB) *Reader { return &Reader{sql: db} }

// Tx reads and writes inside a transaction.
type Tx struct{ sql *sqlite.Tx }

// In returns what the files declare inside a transaction.
func In(tx *sqlite.Tx) *Tx { return &Tx{tx} }

// JSON encodes a declaration or a list of faults. It fails on values that JSON
// cannot represent, such as a time after the year 9999.
func JSON(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

// Parse decodes what [JSON] made of a declaration.
func Parse(s string) (d memory.Declared, err error) {
	if s == "" || s == "{}" {
		return d, nil
	}
	err = json.Unmarshal([]byte(s), &d)
	return d, err
}
