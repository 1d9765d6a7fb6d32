package query

import (
	"context"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// LeftOutByDate counts the memories that pass a predicate in everything but its dates.
// The in-memory index answers in about a millisecond for 100,000 memories, the tables
// in about a hundred times as long.
func (s *Searcher) LeftOutByDate(ctx context.Context, p memory.Predicate) (n int, err error) {
	if p.Since.IsZero() && p.Until.IsZero() && p.AsOf.IsZero() {
		return 0, nil
	}
	undated := p
	undated.Since, undated.Until, undated.AsOf = time.Time{}, time.Time{}, time.Time{}
	if !p.AsOf.IsZero() {
		undated.Now = p.AsOf
	}
	if n, done := s.leftOutInMemory(p, undated); done {
		return n, nil
	}
	f := compile(undated)
	f.addOutside(p)
	err = s.db.Read().One(ctx, "SELECT count(*) FROM "+f.view+" WHERE true"+f.and(), f.args, &n)
	return n, sqldb.Wrap("count memories", err)
}

// leftOutInMemory is LeftOutByDate on the in-memory index, without loading it. It
// reports false if that lacks memories that could count.
func (s *Searcher) leftOutInMemory(p, undated memory.Predicate) (int, bool) {
	s.live.mu.RLock()
	defer s.live.mu.RUnlock()
	x := s.live.index
	if x == nil || p.Missing != memory.Exclude || needsTables(p) {
		return 0, false
	}
	return x.Count(x.Compile(undated)) - x.Count(x.Compile(p)), true
}

// addOutside passes only what the dates of a predicate leave out.
func (f *sqlFilter) addOutside(p memory.Predicate) {
	var dates sqlFilter
	dates.addTimes(memory.Predicate{View: memory.View{AsOf: p.AsOf}, Since: p.Since, Until: p.Until})
	f.add("NOT ("+strings.Join(dates.conditions, " AND ")+")", dates.args...)
}
