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
// context, best first, and says how they stand to it; then how those of also do
// that are not among them. All of them are let through by the predicate. A query
// without a vector leaves the cosines at 0.
//
// It answers from memory where [DB.Load] has been called, else from the tables,
// and the same either way: the tables alone only look for context round what
// FTS5 found best.
func (db *DB) InContext(ctx context.Context, q memory.Query, p memory.Predicate, k int, also []memory.ID) ([]memory.Signals, error) {
	p, err := db.narrow(ctx, p)
	if errors.Is(err, errNone) || k <= 0 {
		return nil, nil
	}
	if err != nil {
		return nil, failed("search in context", err)
	}
	a := asked{Query: q, terms: lookFor(q.Terms), p: p, f: filterOf(p, time.Now()), k: k, also: also}
	found, done, err := db.contextLoaded(ctx, a)
	if !done && err == nil {
		found, err = db.contextBeside(ctx, a)
	}
	if err == nil && len(a.terms) > 0 && !slices.ContainsFunc(found, func(s memory.Signals) bool { return s.Context > 0 }) {
		found, err = db.insideWords(ctx, a, found)
	}
	return found, failed("search in context", err)
}

// insideWords adds the memories that hold an identifier of the query within a
// longer word, where its words find nothing.
func (db *DB) insideWords(ctx context.Context, a asked, found []memory.Signals) ([]memory.Signals, error) {
	total, err := db.weigh(ctx, a.terms)
	if err != nil {
		return nil, err
	}
	hits, err := db.inside(ctx, a.terms, a.f, a.k)
	var all []memory.Signals
	held := map[memory.ID]bool{}
	for _, c := range rate(hits, a.terms, total, a.k) {
		held[c.ID] = true
		all = append(all, memory.Signals{Candidate: c, Context: c.Raw, Covered: c.Score, Around: c.Score})
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
	terms  []looked
	total  float64   // of the terms' idf
	sights [][]sight // a term each, the term itself first
	scale  scale
	p      memory.Predicate
	f      *filter
	k      int
	also   []memory.ID
}

// contextLoaded answers from memory. done is false where nothing is loaded.
func (db *DB) contextLoaded(ctx context.Context, a asked) (found []memory.Signals, done bool, err error) {
	if !db.wantLoaded(ctx) {
		return nil, false, nil
	}
	for n := 2*a.k + 20; ; n *= 8 {
		best, rest, all, ok := db.lanes.best(a, n)
		if !ok {
			return nil, false, nil
		}
		found, enough, err := db.chosen(ctx, a, best, rest)
		if err != nil || enough || all {
			return db.lanes.complete(a, found), true, err
		}
	}
}

// best scores on the loaded shelf: the n best, and those of also beyond them.
// all says that there are no others.
func (l *lanes) best(a asked, n int) (best, rest []memory.Signals, all, ok bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	s := l.shelf
	if s == nil {
		return nil, nil, false, false
	}
	if err := correct(context.Background(), s, a.terms); err != nil { // it reads memory alone
		return nil, nil, false, false
	}
	a.total = s.weigh(a.terms)
	for _, t := range a.terms {
		a.sights = append(a.sights, s.look(t))
	}
	a.scale = scale{rows: float64(s.rows), average: s.tokens / max(1, float64(s.rows))}
	best, rest, all = s.inOrder(a, n)
	return best, rest, all, true
}

// inOrder gives the n memories of the best context, best first, and what is to
// be said of the others that were asked about.
func (s *shelf) inOrder(a asked, n int) (best, rest []memory.Signals, all bool) {
	c := pool.Get().(*scores)
	defer pool.Put(c)
	s.inContext(c, a)
	top := slices.Clone(c.touched)
	all = len(top) <= n
	byContext := func(x, y int32) int {
		return cmp.Or(cmp.Compare(c.context[y], c.context[x]), strings.Compare(string(s.memories[x].id), string(s.memories[y].id)))
	}
	if !all {
		top = bestOf(top, n, byContext)
	}
	slices.SortFunc(top, byContext)
	in := make(map[int32]bool, len(top))
	for _, at := range top {
		in[at] = true
		best = append(best, s.said(a, c, at))
	}
	for _, id := range a.also {
		if at, known := s.slots[id]; known && !in[at] {
			in[at] = true
			rest = append(rest, s.said(a, c, at))
		}
	}
	return best, rest, all
}

// bestOf gives the n first by an order, in any order: it keeps the best of
// twice as many, over and over.
func bestOf(all []int32, n int, order func(a, b int32) int) []int32 {
	kept := make([]int32, 0, 2*n)
	for _, at := range all {
		if len(kept) >= n && order(at, kept[n-1]) > 0 {
			continue
		}
		if kept = append(kept, at); len(kept) == 2*n {
			slices.SortFunc(kept, order)
			kept = kept[:n]
		}
	}
	slices.SortFunc(kept, order)
	return kept[:min(n, len(kept))]
}

// said is what the words say of a memory, and its own signs.
func (s *shelf) said(a asked, c *scores, at int32) memory.Signals {
	m := s.memories[at]
	out := memory.Signals{Candidate: memory.Candidate{ID: m.id, Raw: float64(c.own[at])}, Context: float64(c.context[at]),
		Speaker: firstName(m.speaker), AfterQuestion: m.prev != none && s.memories[m.prev].asks}
	if a.total > 0 {
		out.Score = calibrate(out.Raw, float64(c.share[at])/a.total)
		out.Covered = float64(c.covered[at]) / a.total
		out.Around = out.Context / ((k1 + 1) * a.total)
	}
	return out
}

// firstName is how people call a speaker.
func firstName(speaker string) string {
	first, _, _ := strings.Cut(strings.ToLower(speaker), " ")
	return first
}

// chosen keeps what the predicate lets through: k of the best and all of the
// rest. enough says that it found k.
func (db *DB) chosen(ctx context.Context, a asked, best, rest []memory.Signals) (found []memory.Signals, enough bool, err error) {
	ids := make([]memory.ID, 0, len(best)+len(rest))
	for _, s := range append(best, rest...) {
		ids = append(ids, s.ID)
	}
	visible, err := db.visibleIDs(ctx, ids, a.f)
	if err != nil {
		return nil, false, err
	}
	wanted := map[memory.ID]bool{}
	for _, id := range a.also {
		wanted[id] = true
	}
	n := 0
	for _, s := range best {
		if !visible[s.ID] {
			continue
		}
		if n++; n <= a.k || wanted[s.ID] {
			found = append(found, s)
		}
	}
	for _, s := range rest {
		if visible[s.ID] {
			found = append(found, s)
		}
	}
	return found, n >= a.k, nil
}

// complete adds the cosines.
func (l *lanes) complete(a asked, found []memory.Signals) []memory.Signals {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.shelf != nil {
		l.shelf.cosines(a, found)
	}
	return found
}

func (s *shelf) cosines(a asked, found []memory.Signals) {
	if len(a.Vec) == 0 || len(a.Vec) != s.dim || a.Model != "" && a.Model != s.model {
		return
	}
	for i := range found {
		if at, known := s.slots[found[i].ID]; known {
			found[i].Cosine = s.cosine(at, a.Vec)
			found[i].NearCosine = s.nearCosine(at, a.Vec, found[i].Cosine, a.p.Forgotten)
		}
	}
}

// wantLoaded says whether there is a shelf of everything. It makes one where
// many queries were answered without.
func (db *DB) wantLoaded(ctx context.Context) bool {
	l := &db.lanes
	l.mu.Lock()
	loaded := l.shelf != nil
	if !loaded {
		l.slow++
	}
	due := !loaded && l.slow >= worthLoading
	if due {
		l.slow = 0
	}
	l.mu.Unlock()
	if due && !db.readOnly && !db.lean && l.loading.TryLock() { // else somebody loads it already
		defer l.loading.Unlock()
		return l.load(ctx, db) == nil
	}
	return loaded
}

// nearestLoaded asks the shelf for more and more neighbours until k of them are
// let through. done is false where nothing is loaded.
func (db *DB) nearestLoaded(ctx context.Context, m model, vec []float32, p memory.Predicate, f *filter, k int) (found []memory.Candidate, done bool, err error) {
	if !db.wantLoaded(ctx) {
		return nil, false, nil
	}
	for n := 2*k + 20; ; n *= 8 {
		all, ok := db.lanes.nearest(m.name, vec, n, p.Forgotten)
		if !ok {
			return nil, false, nil
		}
		found, err := db.letThrough(ctx, all, f, k)
		if err != nil || len(found) == k || len(all) < n {
			return found, true, err
		}
	}
}

func (l *lanes) nearest(model string, vec []float32, n int, forgotten memory.Inclusion) ([]memory.Candidate, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.shelf == nil || l.shelf.model != model || l.shelf.dim != len(vec) {
		return nil, false
	}
	return l.shelf.nearest(vec, n, forgotten), true
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
