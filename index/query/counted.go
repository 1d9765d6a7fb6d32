package query

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
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
	return " AND user IN (SELECT value FROM json_each(?))", []any{sqlite.JSONList(c.Users)}
}

// CountedIDs returns the memories that are counted, missing ones included; nil means all.
func (s *Searcher) CountedIDs(ctx context.Context, of Counted) (ids map[memory.ID]bool, err error) {
	if of.isAll() {
		return nil, nil
	}
	condition, args := of.whereUser()
	if of.Model {
		condition, args = of.where()
	}
	ids = map[memory.ID]bool{}
	err = s.db.Read().Each(ctx, "SELECT id FROM memories WHERE true"+condition, args, func(scan func(...any) error) error {
		var id memory.ID
		err := scan(&id)
		ids[id] = true
		return err
	})
	return ids, sqlite.Wrap("list the memories that are counted", err)
}
