package rows

import (
	"encoding/json"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Reader reads what the indexed files of a database declare. It is safe for concurrent
// use.
type Reader struct {
	sql       *sqldb.DB
	faults    sqldb.Cache[[]memory.Fault]
	inherited sqldb.Cache[int]
}

// NewReader returns what the files of a database declare.
func NewReader(db *sqldb.DB) *Reader { return &Reader{sql: db} }

// EncodeJSON encodes a declaration or a list of faults. It fails on values that JSON
// cannot represent, such as a time after the year 9999.
func EncodeJSON(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

// ParseDeclared decodes what [EncodeJSON] made of a declaration.
func ParseDeclared(s string) (d memory.Declared, err error) {
	if s == "" || s == "{}" {
		return d, nil
	}
	err = json.Unmarshal([]byte(s), &d)
	return d, err
}
