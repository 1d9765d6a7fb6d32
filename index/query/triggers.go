package query

import (
	"context"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// SelectTriggered selects the memories with triggers. They have an index of their own.
const SelectTriggered = "SELECT places.memory_id, places.triggers FROM places WHERE places.triggers <> '[]'"

// Triggers returns the phrases of the memories that pass the predicate and that have any.
// The filter reads
// each by its id.
func (s *Searcher) Triggers(ctx context.Context, p memory.Predicate) (map[memory.ID][]string, error) {
	exist, err := s.triggered.Get(s.db, func() (exist bool, err error) {
		err = s.db.Read().One(ctx, "SELECT EXISTS ("+SelectTriggered+")", nil, &exist)
		return exist, err
	})
	if err != nil || !exist {
		return nil, sqldb.Wrap("read triggers", err)
	}
	f, found := compile(p), map[memory.ID][]string{}
	err = s.db.Read().Each(ctx, SelectTriggered+" AND EXISTS (SELECT 1 FROM "+f.view+" WHERE id = places.memory_id"+f.and()+")", f.args, func(scan func(...any) error) error {
		var id memory.ID
		var phrases string
		err := scan(&id, &phrases)
		found[id] = sqldb.ParseJSONList(phrases)
		return err
	})
	return found, sqldb.Wrap("read triggers", err)
}
