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
	if k <= 0 || db.lanes.matchesNothing(p) {
		return found, nil
	}
	a := searchQuery{Query: q, terms: compileTerms(q.Terms), p: p, k: k}
	if nearest && q.Vector != nil {
		a.model, found.VectorError = db.modelFor(ctx, q)
		a.wantNearest = found.VectorError == nil && !isZero(q.Vector)
	}
	if !db.searchInMemory(ctx, a, &found) {
		if a.wantNearest {
			found.Nearest, found.VectorError = db.SearchVector(ctx, q, p, k)
		}
		found.Signals, err = db.searchTables(ctx, a, found.Nearest)
	}
	if err == nil && len(a.terms) > 0 && !slices.ContainsFunc(found.Signals, func(s memory.Signals) bool { return s.Context > 0 }) {
		found.Signals, err = db.addSubstringHits(ctx, a, found.Signals)
	}
	return found, sqlite.Wrap("search in context", err)
}

// addSubstringHits adds the memories that hold an identifier of the query within a
// longer word, where its words find nothing.
func (db *DB) addSubstringHits(ctx context.Context, a searchQuery, found []memory.Signals) ([]memory.Signals, error) {
	if !slices.ContainsFunc(a.terms, func(t term) bool { return t.exact != "" }) {
		return found, nil
	}
	p, err := db.restrictToForgotten(ctx, a.p)
	if errors.Is(err, errMatchesNothing) {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	total, err := db.setIDF(ctx, a.terms)
	if err != nil {
		return nil, err
	}
	hits, err := db.substringHits(ctx, a.terms, newFilter(p), a.k)
	var all []memory.Signals
	held := map[memory.ID]bool{}
	for _, c := range scoreHits(hits, a.terms, total, a.k) {
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

// searchQuery is a query on its way through a shelf.
type searchQuery struct {
	memory.Query
	terms       []term
	total       float64     // of the terms' idf
	variants    [][]variant // a term each, the term itself first
	stats       corpusStats
	p           memory.Predicate
	k           int
	wantNearest bool               // the k nearest are wanted as well,
	model       model              // and these vectors can be compared
	vector16    vector16           // the query's vector, where it can be compared with those on the shelf,
	meanCosine  float64            // and its mean cosine with all of them
	extraDocs   []int32            // slots that are to be described besides
	docFreq     map[string]float64 // in how many chunks a sight's match stands
}

// searchInMemory answers from memory. done is false where nothing is loaded.
func (db *DB) searchInMemory(ctx context.Context, a searchQuery, found *memory.SearchResult) (done bool) {
	return db.withIndex(ctx, func(s *searchIndex) bool {
		if a.wantNearest && !s.hasModel(a.model) {
			return false
		}
		if err := correctTypos(ctx, s, a.terms); err != nil {
			return false
		}
		s.restrictToForgotten(&a.p)
		s.quantiseQuery(&a)
		a.meanCosine = s.vectors.sum.meanCosine(a.vector16)
		if a.wantNearest {
			near := s.nearestMatching(a.vector16, a.p, a.k)
			for _, c := range near {
				a.extraDocs = append(a.extraDocs, c.doc)
			}
			found.Nearest = s.toCandidates(near)
		}
		a.total = s.setIDF(a.terms)
		for _, t := range a.terms {
			a.variants = append(a.variants, s.variantsOf(t))
		}
		a.stats = corpusStats{chunks: float64(s.chunkCount), avgLen: s.tokenCount / max(1, float64(s.chunkCount))}
		found.Signals = s.search(&a, s.compile(a.p))
		return true
	})
}

// withIndex answers from memory. done is false where nothing is loaded, or what
// is cannot answer.
func (db *DB) withIndex(ctx context.Context, answer func(*searchIndex) bool) (done bool) {
	if !db.ensureLoaded(ctx) {
		return false
	}
	l := &db.lanes
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.index != nil && answer(l.index)
}

// ensureLoaded says whether there is a shelf of everything. It makes one where
// many queries were answered without.
func (db *DB) ensureLoaded(ctx context.Context) bool {
	l := &db.lanes
	if l.loaded() {
		return true
	}
	if l.tableQueries.Add(1) < loadAfter || db.sql.ReadOnly() || db.noInMemory || !l.loading.TryLock() { // somebody loads it already
		return false
	}
	defer l.loading.Unlock()
	l.tableQueries.Store(0)
	return l.loaded() || l.load(ctx, db) == nil
}

// matchesNothing says whether it is known without looking that a predicate lets nothing
// through: it wants forgotten memories, and nothing is forgotten.
func (l *follower) matchesNothing(p memory.Predicate) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return p.Forgotten == memory.Only && l.index != nil && l.index.forgottenCount == 0
}

// nearestInMemory asks the shelf. done is false where nothing is loaded.
func (db *DB) nearestInMemory(ctx context.Context, m model, vec []float32, p memory.Predicate, k int) (found []memory.Candidate, done bool) {
	done = db.withIndex(ctx, func(s *searchIndex) bool {
		if !s.hasModel(m) {
			return false
		}
		s.restrictToForgotten(&p)
		found = s.toCandidates(s.nearestMatching(quantise(vec, s.dim), p, k))
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

func (l *follower) eachSpeaker(give func(string)) (loaded bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.index == nil {
		return false
	}
	for speaker := range l.index.speakers {
		give(speaker)
	}
	return true
}
