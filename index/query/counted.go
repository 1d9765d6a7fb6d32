package query

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Counted is the part of the memories that are counted. The zero value counts all.
type Counted struct{ memory.View }

func (c Counted) isAll() bool { return len(c.Users) == 0 && !c.Model }

// where returns the conditions for a WHERE clause that has one already. It fits the table
// memories and its views.
func (c Counted) where() (condition string, args []any) {
	if c.isAll() {
		return "", nil
	}
	f := compile(memory.Predicate{View: c.View, Archive: true, Forgotten: memory.Include})
	return " AND id IN (" + f.ids() + ")", f.args
}

// whereUser is where for missing memories, which no prompt gets.
func (c Counted) whereUser() (condition string, args []any) {
	if len(c.Users) == 0 {
		return "", nil
	}
	return " AND user IN (SELECT value FROM json_each(?))", []any{sqldb.JSONList(c.Users)}
}
