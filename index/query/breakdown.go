package query

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Breakdown counts the present memories by their attributes, forgotten ones included,
// and the sizes of what the index contains. Ages are those at now, to the hour. The caller
// adds the size of the vectors.
func (s *Searcher) Breakdown(ctx context.Context, now time.Time, of Counted) (b memory.Breakdown, err error) {
	all, err := s.countMemories(ctx, of)
	if b = all.breakdown(now); err == nil {
		b.UsesByDay, err = s.countUses(ctx, of)
	}
	if err == nil && of.isAll() { // the files tell of the other memories
		var files fileTotals
		files, err = s.countAllFiles(ctx)
		b.Sizes.FileBytes = files.bytes
	}
	return b, sqlite.Wrap("count memories", err)
}

// countUses counts the uses of each day, of a user if only the memories of one are counted.
// The table keeps them as long as the days in use_days.
func (s *Searcher) countUses(ctx context.Context, of Counted) (days memory.List[memory.DayUses], err error) {
	where, args := of.where()
	if where != "" {
		where = " WHERE memory_id IN (SELECT id FROM memories WHERE true" + where + ")"
	}
	if of.Users != nil {
		where, args = where+" AND user IN (SELECT value FROM json_each(?))", append(args, sqlite.JSONList(memory.OwnNames(of.Users)))
	}
	err = s.db.Read().Each(ctx, "SELECT day, count(DISTINCT memory_id || ' ' || session), count(DISTINCT memory_id) FROM uses"+where+" GROUP BY day ORDER BY day", args,
		func(scan func(...any) error) error {
			var u memory.DayUses
			err := scan(&u.Day, &u.Uses, &u.Memories)
			days = append(days, u)
			return err
		})
	return days, err
}
