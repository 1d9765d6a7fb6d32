package query

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/search"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/index/vectors"
)

// readModel reads the model that serves queries.
func (s *Searcher) readModel(ctx context.Context) (vectors.Model, error) {
	return vectors.Read(vectors.Serving, func(key string) (string, error) { return s.Meta(ctx, key) })
}

// models are the serving and the kept model. Queries have a vector of either.
type models struct{ serving, kept vectors.Model }

func (s *Searcher) readModels(ctx context.Context) (m models, err error) {
	if m.serving, err = s.readModel(ctx); err == nil {
		m.kept, err = vectors.Read(vectors.Kept, func(key string) (string, error) { return s.Meta(ctx, key) })
	}
	if m.kept.Name == m.serving.Name {
		m.kept = vectors.Model{}
	}
	return m, err
}

// newIndex returns an empty index for the vectors of both models.
func (m models) newIndex() *search.Index {
	x := search.New(m.serving.Name, m.serving.Dim)
	if m.kept.Name != "" {
		x.AddModel(m.kept.Name, m.kept.Dim)
	}
	return x
}

// same reports whether vectors of the same models are searched.
func (m models) same(other models) bool {
	return m.serving.Name == other.serving.Name && m.serving.Dim == other.serving.Dim && m.kept.Name == other.kept.Name && m.kept.Dim == other.kept.Dim
}

// modelFor returns the model whose vectors can be compared with that of a query.
func (s *Searcher) modelFor(ctx context.Context, q memory.Query) (vectors.Model, error) {
	both, err := s.models.Get(s.db, func() (models, error) { return s.readModels(ctx) })
	m := both.serving
	if q.Model != "" && q.Model == both.kept.Name {
		m = both.kept
	}
	switch {
	case err != nil:
		return m, err
	case m.Name == "":
		return m, memory.Unavailable(nil, "no embedding model is set")
	case q.Model != "" && q.Model != m.Name:
		return m, memory.Unavailable(nil, "the query's vector is one of %s, those stored are of %s", q.Model, m.Name)
	case len(q.Vector) != m.Dim:
		return m, memory.Unavailable(nil, "the query's vector has %d numbers, those of %s have %d", len(q.Vector), m.Name, m.Dim)
	}
	return m, nil
}

// Meta returns the value of a key of table meta, or the empty string if it has none.
func (s *Searcher) Meta(ctx context.Context, key string) (value string, err error) {
	err = s.db.Read().One(ctx, "SELECT value FROM meta WHERE key = ?", []any{key}, &value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, sqldb.Wrap("read meta", err)
}

// Revision returns the number of transactions that changed a memory. A reader that
// keeps a copy passes the revision of its copy to [Searcher.changesSince].
func (s *Searcher) Revision(ctx context.Context) (int64, error) {
	value, err := s.Meta(ctx, "revision")
	if err != nil || value == "" {
		return 0, err
	}
	return strconv.ParseInt(value, 10, 64)
}

// changesSince lists the memories that changed in any way after a revision, including
// deleted ones, and returns the revision that the list reaches. Memories that moved
// together are not listed: see shiftedSince in follow.go.
func (s *Searcher) changesSince(ctx context.Context, revision int64) (ids []memory.ID, current int64, err error) {
	current = revision
	err = s.db.Read().Each(ctx, "SELECT memory_id, revision FROM changes WHERE revision > ? ORDER BY revision, memory_id",
		[]any{revision}, func(scan func(...any) error) error {
			var id memory.ID
			err := scan(&id, &current)
			ids = append(ids, id)
			return err
		})
	return ids, current, sqldb.Wrap("read changes", err)
}
