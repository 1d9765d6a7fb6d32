package index

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// InContext finds the k memories that match the query's terms best in their
// context, and where they are asked for the k nearest to its vector as well. It
// says how each of them stands to the query: the best context first, and last
// those without any. All of them are let through by the predicate. A query
// without a vector leaves the cosines at 0.
//
// It answers from memory where [DB.Load] has been called, else from the tables,
// and the same either way: the tables alone only look for context round what
// FTS5 found best.
func (db *DB) InContext(ctx context.Context, q memory.Query, p memory.Predicate, k int, nearest bool) (found memory.Standing, err error) {
	if k <= 0 || db.lanes.noneOf(p) {
		return found, nil
	}
	a := asked{Query: q, terms: lookFor(q.Terms), p: p, k: k}
	if nearest && q.Vec != nil {
		a.model, found.NoVector = db.comparable(ctx, q)
		a.nearest = found.NoVector == nil && !isZero(q.Vec)
	}
	if !db.contextLoaded(ctx, a, &found) {
		if a.nearest {
			found.Nearest, found.NoVector = db.Vector(ctx, q, p, k)
		}
		found.Signals, err = db.contextBeside(ctx, a, found.Nearest)
	}
	if err == nil && len(a.terms) > 0 && !slices.ContainsFunc(found.Signals, func(s memory.Signals) bool { return s.Context > 0 }) {
		found.Signals, err = db.insideWords(ctx, a, found.Signals)
	}
	return found, failed("search in context", err)
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
	hits, err := db.inside(ctx, a.terms, filterOf(p, time.Now()), a.k)
	var all []memory.Signals
	held := map[memory.ID]bool{}
	for _, c := range rate(hits, a.terms, total, a.k) {
		held[c.ID] = true
		all = append(all, memory.Signals{Candidate: c, Context: c.Raw, Covered: c.Score})
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
	holds   map[string]float64 // how many chunks a sight's match finds, where that is known
}

// contextLoaded answers from memory. done is false where nothing is loaded.
func (db *DB) contextLoaded(ctx context.Context, a asked, found *memory.Standing) (done bool) {
	return db.fromShelf(ctx, func(s *shelf) bool {
		if a.nearest && !s.compares(a.model) {
			return false
		}
		s.narrow(&a.p)
		s.quicken(&a)
		if a.nearest {
			near := s.nearestLet(a.quick, a.p, a.k)
			for _, c := range near {
				a.also = append(a.also, c.at)
			}
			found.Nearest = s.candidates(near)
		}
		if err := correct(ctx, s, a.terms); err != nil {
			return false
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

// stand says of the k memories of the best context, and of those that were found
// besides, how they stand to the query: the best context first, and last, as they
// were found, those without any.
func (s *shelf) stand(a *asked, lets func(int32) bool) []memory.Signals {
	c := pool.Get().(*scores)
	defer pool.Put(c)
	defer c.end()
	c.begin(len(s.memories), len(s.blocks), len(a.sights))
	s.fill(c, a)
	defer s.empty(c, a)
	if len(a.p.Only) == 0 {
		for _, at := range s.inContext(c, a.k, lets) {
			c.mark(at)
		}
	}
	for _, id := range a.p.Only {
		if at, known := s.slots[id]; known && lets(at) {
			c.mark(at)
		}
	}
	for _, at := range a.also {
		if lets(at) {
			c.mark(at)
		}
	}
	s.describe(c, a)
	said := make([]memory.Signals, len(c.marked))
	for i, at := range c.marked {
		said[i] = s.said(a, &c.details[i], at)
		s.compare(a, &said[i], at)
	}
	slices.SortStableFunc(said, byContext)
	if len(a.p.Only) > 0 {
		said = s.onlyBest(said, a)
	}
	return said
}

func byContext(x, y memory.Signals) int {
	if x.Context == 0 && y.Context == 0 {
		return 0
	}
	return cmp.Or(cmp.Compare(y.Context, x.Context), strings.Compare(string(x.ID), string(y.ID)))
}

// onlyBest leaves, of what a predicate names one by one, the k of the best
// context, and those asked about besides.
func (s *shelf) onlyBest(said []memory.Signals, a *asked) []memory.Signals {
	n := 0
	return slices.DeleteFunc(said, func(one memory.Signals) bool {
		if one.Context > 0 {
			n++
		}
		return (one.Context == 0 || n > a.k) && !slices.Contains(a.also, s.slots[one.ID])
	})
}

// said is what the words say of a memory, and its own signs.
func (s *shelf) said(a *asked, d *detail, at int32) memory.Signals {
	m := &s.memories[at]
	out := memory.Signals{Candidate: memory.Candidate{ID: m.id, Raw: float64(d.own)}, Context: float64(d.context),
		Speaker: firstName(m.speaker), AfterQuestion: m.prev != none && s.memories[m.prev].asks}
	if a.total > 0 {
		out.Score = calibrate(out.Raw, float64(d.share)/a.total)
		out.Covered = float64(d.covered) / a.total
	}
	return out
}

// firstName is how people call a speaker.
func firstName(speaker string) string {
	first, _, _ := strings.Cut(strings.ToLower(speaker), " ")
	return first
}

// quicken makes the query's vector one that can be compared, where it is of the
// model whose vectors stand on the shelf.
func (s *shelf) quicken(a *asked) {
	if len(a.Vec) == s.dim && (a.Model == "" || a.Model == s.model) {
		if a.quick = quantise(a.Vec, s.dim); len(a.quick.steps) > 0 {
			a.usual = s.vectors.total.usual(a.quick)
		}
	}
}

// compare adds what the vectors say of a memory, where they can be compared.
func (s *shelf) compare(a *asked, to *memory.Signals, at int32) {
	if len(a.quick.steps) > 0 {
		to.UsualCosine, to.Cosine = a.usual, s.cosine(at, a.quick)
		to.NearCosine = s.nearCosine(at, a.quick, to.Cosine, a.p.Forgotten)
	}
}

// wantLoaded says whether there is a shelf of everything. It makes one where
// many queries were answered without.
func (db *DB) wantLoaded(ctx context.Context) bool {
	l := &db.lanes
	if l.loaded() {
		return true
	}
	if l.slow.Add(1) < worthLoading || db.readOnly || db.lean || !l.loading.TryLock() { // somebody loads it already
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
	err = db.now().each(ctx, "SELECT DISTINCT speaker FROM chunks WHERE speaker <> ''", nil, func(scan func(...any) error) error {
		var speaker string
		err := scan(&speaker)
		add(speaker)
		return err
	})
	return names, failed("read speakers", err)
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
