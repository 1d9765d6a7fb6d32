package query

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// ages are the groups of a breakdown by age, in days. The last one has no end.
var ages = []struct {
	name string
	days int
}{{"day", 1}, {"week", 7}, {"month", 30}, {"quarter", 91}, {"year", 365}, {"older", 0}}

// Breakdown counts the present memories by their attributes, forgotten ones included,
// and the sizes of what the index contains. Ages are those at now.
func (s *Searcher) Breakdown(ctx context.Context, now time.Time, of Counted) (b memory.Breakdown, err error) {
	err = s.db.Snapshot(ctx, func(q sqlite.Reader) error {
		for _, count := range []func(context.Context, sqlite.Reader, Counted, *memory.Breakdown) error{countWords, countScopes, countUses, countSizes} {
			if err := count(ctx, q, of, &b); err != nil {
				return err
			}
		}
		return countAges(ctx, q, now, of, &b)
	})
	return b, sqlite.Wrap("count memories", err)
}

// counter builds one query that counts the rows of several conditions in one pass.
type counter struct {
	query string
	args  []any
	to    []any
}

func (c *counter) add(condition string, to *int, args ...any) {
	c.query += ", count(*) FILTER (WHERE " + condition + ")"
	c.args, c.to = append(c.args, args...), append(c.to, to)
}

func (c *counter) run(ctx context.Context, q sqlite.Reader, of Counted) error {
	var total int
	where, args := of.where()
	return q.One(ctx, "SELECT count(*)"+c.query+" FROM memories WHERE missing_since IS NULL"+where, append(c.args, args...), append([]any{&total}, c.to...)...)
}

// countEach counts the memories with each word in a column.
func countEach[W ~string](c *counter, column string, words []W) map[W]*int {
	counts := map[W]*int{}
	for _, w := range words {
		counts[w] = new(int)
		c.add(column+" = ?", counts[w], string(w))
	}
	return counts
}

func values[W comparable](counts map[W]*int) map[W]int {
	out := make(map[W]int, len(counts))
	for w, n := range counts {
		out[w] = *n
	}
	return out
}

// countWords counts the attributes with a fixed list of values, and what is unknown.
func countWords(ctx context.Context, q sqlite.Reader, of Counted, b *memory.Breakdown) error {
	var c counter
	categories, labels := countEach(&c, "category", memory.Categories), countEach(&c, "importance_label", memory.ImportanceLabels)
	sources, trust := countEach(&c, "source", memory.Sources), countEach(&c, "trust_tier", memory.TrustTiers)
	var total int
	unknown := map[string]*int{"scope": new(int), "category": new(int), "importance_label": new(int), "lang": new(int)}
	c.add("true", &total)
	c.add("scope = ''", unknown["scope"])
	c.add("category = 'other'", unknown["category"])
	c.add("importance_label = 'unknown'", unknown["importance_label"])
	c.add("lang = ''", unknown["lang"])
	if err := c.run(ctx, q, of); err != nil {
		return err
	}
	b.Categories, b.ImportanceLabels, b.Sources, b.TrustTiers = values(categories), values(labels), values(sources), values(trust)
	b.Unknown = map[string]float64{}
	for name, n := range unknown {
		b.Unknown[name] = float64(*n) / float64(max(1, total))
	}
	return nil
}

// countScopes counts by scope. Memories without one are not read again.
func countScopes(ctx context.Context, q sqlite.Reader, of Counted, b *memory.Breakdown) error {
	b.Scopes = map[memory.Scope]int{}
	where, args := of.where()
	return q.Each(ctx, "SELECT scope, count(*) FROM memories WHERE missing_since IS NULL AND scope <> ''"+where+" GROUP BY scope", args,
		func(scan func(...any) error) error {
			var scope memory.Scope
			var n int
			err := scan(&scope, &n)
			b.Scopes[scope] = n
			return err
		})
}

func countAges(ctx context.Context, q sqlite.Reader, now time.Time, of Counted, b *memory.Breakdown) error {
	var c counter
	counts := make([]int, len(ages))
	newer := now.AddDate(100, 0, 0) // a date in the future is young
	for i, age := range ages {
		older := now.AddDate(0, 0, -age.days)
		if age.days == 0 {
			older = time.UnixMilli(-1 << 50)
		}
		c.add("created_at > ? AND created_at <= ?", &counts[i], older.UnixMilli(), newer.UnixMilli())
		newer = older
	}
	if err := c.run(ctx, q, of); err != nil {
		return err
	}
	for i, age := range ages {
		b.Ages = append(b.Ages, memory.AgeCount{Age: age.name, Days: age.days, Count: counts[i]})
	}
	return nil
}

// countUses counts the uses of each day, of a user if only the memories of one are counted.
// The table keeps them as long as the days in use_days.
func countUses(ctx context.Context, q sqlite.Reader, of Counted, b *memory.Breakdown) error {
	where, args := of.where()
	if where != "" {
		where = " WHERE memory_id IN (SELECT id FROM memories WHERE true" + where + ")"
	}
	if of.Users != nil {
		where, args = where+" AND user IN (SELECT value FROM json_each(?))", append(args, sqlite.JSONList(memory.OwnNames(of.Users)))
	}
	return q.Each(ctx, "SELECT day, count(DISTINCT memory_id || ' ' || session), count(DISTINCT memory_id) FROM uses"+where+" GROUP BY day ORDER BY day", args,
		func(scan func(...any) error) error {
			var u memory.DayUses
			err := scan(&u.Day, &u.Uses, &u.Memories)
			b.UsesByDay = append(b.UsesByDay, u)
			return err
		})
}

func countSizes(ctx context.Context, q sqlite.Reader, of Counted, b *memory.Breakdown) error {
	if where, args := of.where(); where != "" { // files and vectors tell of the other memories
		return q.One(ctx, "SELECT coalesce(sum(octet_length(text)), 0) FROM memories WHERE missing_since IS NULL"+where, args, &b.Sizes.TextBytes)
	}
	return q.One(ctx, `SELECT (SELECT coalesce(sum(octet_length(text)), 0) FROM memories WHERE missing_since IS NULL),
		(SELECT coalesce(sum(size), 0) FROM files WHERE lower(path) LIKE '%.md'),
		(SELECT coalesce(sum(octet_length(vector) + octet_length(code)), 0) FROM embeddings)`, nil,
		&b.Sizes.TextBytes, &b.Sizes.FileBytes, &b.Sizes.VectorBytes)
}
