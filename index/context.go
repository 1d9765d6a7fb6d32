package index

import (
	"context"
	"errors"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// Search finds the k memories that match the query's terms best in their
// context, and where they are asked for the k nearest to its vector as well. It
// says how each of them stands to the query: the best context first, and last
// those without any. All of them are let through by the predicate. A query
// without a vector leaves the cosines at 0.
//
// It answers from memory where [DB.Load] has been called, else from the tables,
// and the same either way: the tables alone only look for context round what
// FTS5 found best.
func (db *DB) Search(ctx context.Context, q memory.Query, p memory.Predicate, k int, nearest bool) (found memory.SearchResult, err error) {
	if k <= 0 || db.lanes.noneOf(p) {
		return found, nil
	}
	a := asked{Query: q, terms: lookFor(q.Terms), p: p, k: k}
	if nearest && q.Vector != nil {
		a.model, found.VectorError = db.comparable(ctx, q)
		a.nearest = found.VectorError == nil && !isZero(q.Vector)
	}
	if !db.contextLoaded(ctx, a, &found) {
		if a.nearest {
			found.Nearest, found.VectorError = db.SearchVector(ctx, q, p, k)
		}
		found.Signals, err = db.contextBeside(ctx, a, found.Nearest)
	}
	if err == nil && len(a.terms) > 0 && !slices.ContainsFunc(found.Signals, func(s memory.Signals) bool { return s.Context > 0 }) {
		found.Signals, err = db.insideWords(ctx, a, found.Signals)
	}
	return found, sqlite.Wrap("search in context", err)
}

// insideWords adds the memories that hold an identifier of the query within a
// longer word, where its words find nothing.
func (db *DB) insideWords(ctx context.Context, a asked, found []memory.Signals) ([]memory.Signals, error) {
	if !slices.ContainsFunc(a.terms, func(t looked) bool { return t.exact != "" }) {
		return found, nil
	}
	p, err := db.narrow(ctx, a.p)
	if errors.Is(err, errNone) {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	total, err := db.weigh(ctx, a.terms)
	if err != nil {
		return nil, err
	}
	hits, err := db.inside(ctx, a.terms, filterOf(p), a.k)
	var all []memory.Signals
	held := map[memory.ID]bool{}
	for _, c := range rate(hits, a.terms, total, a.k) {
		held[c.ID] = true
		all = append(all, memory.Signals{Candidate: c, Context: c.Raw, Coverage: c.Score})
	}
	for _, s := range found {
		if !held[s.ID] {
			all = append(all, s)
		}
	}
	return all, err
}

// asked is a query on its way through a shelf.
type asked struct {
	memory.Query
	terms   []looked
	total   float64   // of the terms' idf
	sights  [][]sight // a term each, the term itself first
	scale   scale
	p       memory.Predicate
	k       int
	nearest bool               // the k nearest are wanted as well,
	model   model              // and these vectors can be compared
	quick   quantised          // the query's vector, where it can be compared with those on the shelf,
	usual   float64            // and its mean cosine with all of them
	also    []int32            // slots that are to be described besides
	holds   map[string]float64 // in how many chunks a sight's match stands
}

// contextLoaded answers from memory. done is false where nothing is loaded.
func (db *DB) contextLoaded(ctx context.Context, a asked, found *memory.SearchResult) (done bool) {
	return db.fromShelf(ctx, func(s *shelf) bool {
		if a.nearest && !s.compares(a.model) {
			return false
		}
		if err := correct(ctx, s, a.terms); err != nil {
			return false
		}
		s.narrow(&a.p)
		s.quicken(&a)
		a.usual = s.vectors.total.usual(a.quick)
		if a.nearest {
			near := s.nearestLet(a.quick, a.p, a.k)
			for _, c := range near {
				a.also = append(a.also, c.at)
			}
			found.Nearest = s.candidates(near)
		}
		a.total = s.weigh(a.terms)
		for _, t := range a.terms {
			a.sights = append(a.sights, s.sightsOf(t))
		}
		a.scale = scale{rows: float64(s.rows), average: s.tokens / max(1, float64(s.rows))}
		found.Signals = s.stand(&a, s.letting(a.p))
		return true
	})
}

// fromShelf answers from memory. done is false where nothing is loaded, or what
// is cannot answer.
func (db *DB) fromShelf(ctx context.Context, answer func(*shelf) bool) (done bool) {
	if !db.wantLoaded(ctx) {
		return false
	}
	l := &db.lanes
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.shelf != nil && answer(l.shelf)
}

// wantLoaded says whether there is a shelf of everything. It makes one where
// many queries were answered without.
func (db *DB) wantLoaded(ctx context.Context) bool {
	l := &db.lanes
	if l.loaded() {
		return true
	}
	if l.slow.Add(1) < worthLoading || db.sql.ReadOnly() || db.lean || !l.loading.TryLock() { // somebody loads it already
		return false
	}
	defer l.loading.Unlock()
	l.slow.Store(0)
	return l.loaded() || l.load(ctx, db) == nil
}

// noneOf says whether it is known without looking that a predicate lets nothing
// through: it wants forgotten memories, and nothing is forgotten.
func (l *lanes) noneOf(p memory.Predicate) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return p.Forgotten == memory.Only && l.shelf != nil && l.shelf.hidden == 0
}

// nearestLoaded asks the shelf. done is false where nothing is loaded.
func (db *DB) nearestLoaded(ctx context.Context, m model, vec []float32, p memory.Predicate, k int) (found []memory.Candidate, done bool) {
	done = db.fromShelf(ctx, func(s *shelf) bool {
		if !s.compares(m) {
			return false
		}
		s.narrow(&p)
		found = s.candidates(s.nearestLet(quantise(vec, s.dim), p, k))
		return true
	})
	return found, done
}

// Speakers gives the first names, in lower case, of everybody who speaks in the
// workspace.
func (db *DB) Speakers(ctx context.Context) (names []string, err error) {
	seen := map[string]bool{}
	add := func(speaker string) {
		if name := firstName(speaker); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	if db.lanes.eachSpeaker(add) {
		return names, nil
	}
	err = db.sql.Read().Each(ctx, "SELECT DISTINCT speaker FROM chunks WHERE speaker <> ''", nil, func(scan func(...any) error) error {
		var speaker string
		err := scan(&speaker)
		add(speaker)
		return err
	})
	return names, sqlite.Wrap("read speakers", err)
}

func (l *lanes) eachSpeaker(give func(string)) (loaded bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.shelf == nil {
		return false
	}
	for speaker := range l.shelf.speakers {
		give(speaker)
	}
	return true
}
