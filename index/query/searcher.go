// Package query answers what is asked of the memories: by words, by vectors, and by
// filters. It answers from the in-memory index of package search once that is
// loaded, else from the tables. It keeps the in-memory index in step with the
// tables.
//
// Nothing that is forgotten or missing leaves it unless a predicate asks for it.
// Ids and texts come from the view "visible" or from an index that was made from
// it.
//
// There is one scorer, package search. It is filled with all memories (follow.go),
// or with the candidates of one question (candidates.go, tables.go). The answers may
// differ in a few hits: docs/decisions/0004-removals.md says why, and a test bounds it.
package query

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/text"
	"github.com/memory-tiered/memory/index/vectors"
)

// Searcher answers queries about one database. It is safe for concurrent use.
type Searcher struct {
	db         *sqldb.DB
	noInMemory bool
	live       liveIndex
	files      sqldb.Cache[int]
	counts     sqldb.Cache[counts]

	models sqldb.Cache[models]
	sample sqldb.Cache[sample]
	hidden sqldb.Cache[*hiddenSet]

	triggered sqldb.Cache[bool] // some memory has a trigger
}

// New returns a searcher. With noInMemory it always answers from the tables.
func New(db *sqldb.DB, noInMemory bool) *Searcher {
	return &Searcher{db: db, noInMemory: noInMemory}
}

// KeepsInMemory reports whether queries are answered from memory, once that is loaded.
func (s *Searcher) KeepsInMemory() bool { return !s.noInMemory }

// Search finds the k memories that match the query's terms best in their context and,
// if nearest is set, the k nearest to its vector. It returns the signals of all of
// them: those with the best context first, and last those without any. All of them
// pass the predicate. Without a vector in the query the cosines are 0. While no model is
// set, or the vector is another model's, VectorError is [memory.ErrUnavailable].
func (s *Searcher) Search(ctx context.Context, q memory.Query, p memory.Predicate, k int, nearest bool) (found memory.SearchResult, err error) {
	if k <= 0 || s.matchesNothing(p) {
		return found, nil
	}
	r := request{Query: q, terms: text.CompileTerms(q.Terms), predicate: p, k: k}
	if nearest && q.Vector != nil {
		r.model, found.VectorError = s.modelFor(ctx, q)
		r.nearest = found.VectorError == nil && !isZero(q.Vector)
	}
	if !s.searchInMemory(ctx, &r, &found) {
		if r.nearest {
			found.Nearest, found.VectorError = s.nearestInTables(ctx, r.model, q.Vector, p, k)
		}
		found.Signals, err = s.searchTables(ctx, r, found.Nearest)
	}
	if err == nil && len(r.terms) > 0 && !slices.ContainsFunc(found.Signals, func(s memory.Signals) bool { return s.Context > 0 }) {
		found.Signals, err = s.addSubstringHits(ctx, r, found.Signals)
	}
	return found, sqldb.Wrap("search in context", err)
}

// request is a search while it runs.
type request struct {
	memory.Query
	terms     []text.Term
	predicate memory.Predicate
	k         int
	nearest   bool          // find the nearest by vector as well
	model     vectors.Model // of the stored vectors, if nearest is set
}

// searchInMemory answers from the in-memory index. It reports false where that is not
// loaded, or has the vectors of another model.
func (s *Searcher) searchInMemory(ctx context.Context, r *request, found *memory.SearchResult) (done bool) {
	return s.withIndex(ctx, func(x *search.Index) bool {
		if r.nearest && !x.HasModel(r.model.Name, r.model.Dim) || needsTables(r.predicate) {
			return false
		}
		f := x.Compile(r.predicate)
		if err := text.CorrectTypos(ctx, x.Words(f), r.terms); err != nil {
			return false
		}
		vectorError := found.VectorError
		*found = x.Search(search.Query{Terms: r.terms, Into: r.Into, Vector: r.Vector, Rest: r.Rest, Model: r.Model, K: r.k, Nearest: r.nearest, Sections: r.Sections, Others: r.Others}, f)
		found.VectorError = vectorError
		return true
	})
}

// Frequencies returns how often the terms of a query are in the memories that exist for a
// predicate.
func (s *Searcher) Frequencies(ctx context.Context, q memory.Query, p memory.Predicate) (found memory.Frequencies, err error) {
	terms := text.CompileTerms(q.Terms)
	if s.withIndex(ctx, func(x *search.Index) bool {
		found = x.Frequencies(terms, x.Compile(p))
		return true
	}) {
		return found, nil
	}
	c, err := s.newCandidates(ctx, p, memory.Frequencies{})
	for i := range terms {
		if err == nil {
			err = c.addTerm(ctx, &terms[i])
		}
	}
	return memory.Frequencies{Chunks: c.stats.Chunks, DocFreq: c.stats.DocFreq}, sqldb.Wrap("count terms", err)
}

// needsTables reports whether the in-memory index cannot evaluate a predicate. It has neither
// the uses of single users nor what tells where a memory came from.
func needsTables(p memory.Predicate) bool {
	return p.Users != nil && !p.UnusedFrom.IsZero() || p.Source != "" || p.Origin != "" || p.Owners != nil
}

// matchesNothing reports whether the in-memory index shows that a predicate passes
// nothing: it wants forgotten memories, and there are none.
func (s *Searcher) matchesNothing(p memory.Predicate) bool {
	if p.Forgotten != memory.Only {
		return false
	}
	s.live.mu.RLock()
	defer s.live.mu.RUnlock()
	return s.live.index != nil && !s.live.index.HasForgotten()
}

// Speakers returns the first names, in lower case, of the speakers of those memories that
// exist for a predicate.
func (s *Searcher) Speakers(ctx context.Context, p memory.Predicate) (names []string, err error) {
	s.live.mu.RLock()
	if x := s.live.index; x != nil {
		defer s.live.mu.RUnlock()
		return x.Speakers(p), nil
	}
	s.live.mu.RUnlock()
	p.Now, p.AsOf = time.UnixMilli(0), time.Time{} // the name of a speaker who was known to models is no secret
	hidden, args := hiddenCondition(p)
	err = s.db.Read().Each(ctx, "SELECT DISTINCT c.speaker FROM chunks c JOIN memories m ON m.id = c.memory_id WHERE c.speaker <> '' AND NOT ("+hidden+")", args, func(scan func(...any) error) error {
		var speaker string
		err := scan(&speaker)
		if name := search.FirstName(speaker); !slices.Contains(names, name) {
			names = append(names, name)
		}
		return err
	})
	return names, sqldb.Wrap("read speakers", err)
}

// maxRestricted is the number of memories that a predicate may list for each to be
// compared by itself. Beyond it a search through everything is cheaper.
const maxRestricted = 2000

// errMatchesNothing reports that a predicate passes nothing.
var errMatchesNothing = errors.New("the predicate matches nothing")

// listForgotten lists the forgotten memories in a predicate that wants only these.
// They are few, and a search by rank would go through everything to find them.
func (s *Searcher) listForgotten(ctx context.Context, p memory.Predicate) (memory.Predicate, error) {
	if p.Forgotten != memory.Only || len(p.IDs) > 0 {
		return p, nil
	}
	var ids []memory.ID
	err := s.db.Read().Each(ctx, "SELECT id FROM memories WHERE do_not_inject ORDER BY id LIMIT ?", []any{maxRestricted + 1},
		func(scan func(...any) error) error {
			var id memory.ID
			err := scan(&id)
			ids = append(ids, id)
			return err
		})
	switch {
	case err != nil:
		return p, err
	case len(ids) == 0:
		return p, errMatchesNothing
	case len(ids) <= maxRestricted:
		p.IDs = ids
	}
	return p, nil
}
