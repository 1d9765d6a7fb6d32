package index

import (
	"cmp"
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// leads are the memories that the tables say are worth a look: the best by words
// in context, where context is what was indexed just before and after. Only of
// these, and of what really stands round them, is anything read.
type leads struct {
	lists *doclists
	open  map[string][]doclist
	buf   []holding

	a     *asked
	holds map[string]float64 // how many chunks hold what FTS5 is asked for so
	best  peaks              // by chunk: of the term at hand
	near  peaks              // likewise, in its context
	sums  peaks
}

// peaks are the best of each chunk; those that are not zero are known by number.
type peaks struct {
	at   []float32
	some []int32
}

func (p *peaks) raise(i int32, score float32) {
	if had := p.at[i]; had < score {
		if had == 0 {
			p.some = append(p.some, i)
		}
		p.at[i] = score
	}
}

func (p *peaks) clear() {
	for _, i := range p.some {
		p.at[i] = 0
	}
	p.some = p.some[:0]
}

// sparse is how many times as many numbers as chunks there may have been before a
// list by number would be a waste: then FTS5 ranks.
const sparse = 16

// lead gives the k visible memories that promise most. errFormat: FTS5 has to be
// asked.
func (db *DB) lead(ctx context.Context, a *asked, f *filter) (ids []memory.ID, err error) {
	l := &leads{a: a, holds: map[string]float64{}}
	err = db.sql.Snapshot(ctx, func(q sqlite.Reader) error {
		last := int64(0)
		if err := q.One(ctx, "SELECT coalesce(max(id), 0) FROM chunks", nil, &last); err != nil {
			return err
		}
		if last > sparse*(int64(a.scale.rows)+1<<16) {
			return errFormat
		}
		for _, p := range []*peaks{&l.best, &l.near, &l.sums} {
			p.at = make([]float32, last+1)
		}
		if l.lists, err = readDoclists(ctx, q); err != nil {
			return err
		}
		return l.rank(ctx)
	})
	if err != nil {
		return nil, err
	}
	a.holds = l.holds
	return l.visible(ctx, db, f)
}

// plain says that a term is a single token, whose doclist says all.
func (l looked) plain() bool { return len(l.tokens) == 1 && !l.prefix && l.match[0] == '"' }

// rank sums up the terms for every chunk.
func (l *leads) rank(ctx context.Context) (err error) {
	var tokens []string
	for _, t := range l.a.terms {
		if t.plain() {
			tokens = append(tokens, t.tokens[0])
		}
		for _, other := range t.alike {
			tokens = append(tokens, other.token)
		}
	}
	slices.Sort(tokens)
	if l.open, err = l.lists.open(ctx, slices.Compact(tokens)); err != nil {
		return err
	}
	for _, t := range l.a.terms {
		if err := l.term(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// term adds one term: the best of the ways to find it, there and round it.
func (l *leads) term(ctx context.Context, t looked) error {
	all, err := l.find(ctx, t)
	if err != nil {
		return err
	}
	l.holds[t.match] = float64(len(all))
	rarity := l.a.scale.rarity(float64(len(all)))
	most := rarity
	if len(all) == 0 {
		most = l.a.scale.rarity(0)
	}
	l.raise(all, rarity)
	for _, other := range t.alike {
		if all, err = l.list(other.token); err != nil {
			return err
		}
		l.holds[quote(other.word)] = float64(len(all))
		l.raise(all, other.weight*min(most, l.a.scale.rarity(float64(len(all)))))
	}
	l.spread()
	return nil
}

func (l *leads) list(token string) (all []holding, err error) {
	l.buf, err = readAll(l.buf[:0], l.open[token])
	return l.buf, err
}

// find gives the chunks that hold a term itself. Where that is more than a token
// FTS5 knows them.
func (l *leads) find(ctx context.Context, t looked) (all []holding, err error) {
	if t.plain() {
		return l.list(t.tokens[0])
	}
	err = l.lists.q.Each(ctx, "SELECT rowid FROM memories_fts WHERE memories_fts MATCH ?", []any{t.match}, func(scan func(...any) error) error {
		h := holding{often: [columns]uint16{1}}
		err := scan(&h.chunk)
		all = append(all, h)
		return err
	})
	return all, err
}

// raise scores chunks as if all were of the same length: how long each is would
// have to be looked up.
func (l *leads) raise(all []holding, weight float64) {
	sat, size := l.a.saturation(), float32(l.a.scale.average)
	for _, h := range all {
		tf := float32(0)
		for column, n := range h.often {
			tf += float32(n * tenths[column])
		}
		if h.chunk < int64(len(l.best.at)) {
			l.best.raise(int32(h.chunk), float32(weight)*sat.of(tf, size))
		}
	}
}

// spread lets the term at hand count for what was indexed near it.
func (l *leads) spread() {
	for _, at := range l.best.some {
		score := l.best.at[at]
		l.near.raise(at, score)
		for i, share := range support {
			for _, to := range [2]int32{at - int32(i) - 1, at + int32(i) + 1} {
				if to > 0 && int(to) < len(l.near.at) {
					l.near.raise(to, float32(share)*score)
				}
			}
		}
	}
	for _, at := range l.near.some {
		l.sums.raise(at, l.sums.at[at]+l.near.at[at])
	}
	l.best.clear()
	l.near.clear()
}

// visible names the memories of the best chunks that are let through. Where that
// takes a look at very many, FTS5 is asked instead, which can be told whom.
func (l *leads) visible(ctx context.Context, db *DB, f *filter) ([]memory.ID, error) {
	for _, n := range [2]int{2*l.a.k + 50, 16 * l.a.k} {
		best := bestOf(l.sums.some, n, l.sums.at, func(x, y int32) int { return cmp.Compare(x, y) })
		rows := make([]int64, len(best))
		for i, at := range best {
			rows[i] = int64(at)
		}
		owners := make(map[int64]memory.ID, len(rows))
		var ids []memory.ID
		err := db.sql.Read().Each(ctx, "SELECT id, memory_id FROM chunks WHERE id IN (SELECT value FROM json_each(?))", []any{numbers(rows)},
			func(scan func(...any) error) error {
				var row int64
				var id memory.ID
				err := scan(&row, &id)
				owners[row], ids = id, append(ids, id)
				return err
			})
		if err != nil {
			return nil, err
		}
		visible, err := db.visibleIDs(ctx, ids, f)
		if err != nil {
			return nil, err
		}
		ids = ids[:0]
		for _, row := range rows {
			if id := owners[row]; visible[id] {
				delete(visible, id) // once
				ids = append(ids, id)
			}
		}
		if len(ids) >= l.a.k || len(best) < n {
			return ids[:min(len(ids), l.a.k)], nil
		}
	}
	return nil, errFormat
}
