package index

import (
	"context"
	"database/sql"
)

// What a cosine with a query usually is, a workspace of a handful of memories
// cannot tell: the mean is taken as if others more lay at elsewhere, which is
// what it is over each of six workspaces, by a few hundredths (talk, notes).
const (
	priorVectors = 10
	priorCosine  = 0.1
)

// maxSample is of how many vectors the tables alone take the mean at most: more
// would be read for every query. Of so many it is off by two thousandths, which
// moves a log-odds by one hundredth.
const maxSample = 1000

// vectorSum is a sum of vectors, by which the mean of all cosines with a query takes
// one product.
type vectorSum struct {
	sum []float64
	n   float64
}

// add takes a vector in, or with times -1 out again.
func (t *vectorSum) add(steps []int16, scale float32, times float64) {
	if t.sum == nil {
		t.sum = make([]float64, len(steps))
	}
	by := times * float64(scale)
	for i, x := range steps {
		t.sum[i] += by * float64(x)
	}
	t.n += times
}

// meanCosine is the mean cosine of everything with a query, which may have none.
func (t *vectorSum) meanCosine(q vector16) float64 {
	dot := 0.0
	for i := range min(len(t.sum), len(q.steps)) {
		dot += t.sum[i] * float64(q.steps[i])
	}
	return (dot*float64(q.scale) + priorVectors*priorCosine) / (t.n + priorVectors)
}

// vectorSum sums up vectors as they stand in the tables: all, or of many those at
// places evenly apart.
func (db *DB) vectorSum(ctx context.Context, m model) (vectorSum, error) {
	return db.vectorSums.Get(db.sql, func() (vectorSum, error) { return db.sumVectors(ctx, m) })
}

func (db *DB) sumVectors(ctx context.Context, m model) (t vectorSum, err error) {
	var last int64
	if err := db.sql.Read().One(ctx, "SELECT coalesce(max(id), 0) FROM chunks", nil, &last); err != nil {
		return t, err
	}
	var places []int64 // named one by one, for each to be looked up and none passed over
	for at, apart := int64(1), 1+last/maxSample; at <= last; at += apart {
		places = append(places, at)
	}
	err = db.sql.Read().Each(ctx, `SELECT e.vector FROM chunks c JOIN embeddings e ON e.fingerprint = c.fingerprint AND e.model = ?
		WHERE c.id IN (SELECT value FROM json_each(?)) AND length(e.vector) = ?`, []any{m.name, numbers(places), 4 * m.dim},
		func(scan func(...any) error) error {
			var vector sql.RawBytes
			err := scan(&vector)
			if q := quantise(decodeVector(vector), m.dim); len(q.steps) > 0 {
				t.add(q.steps, q.scale, 1)
			}
			return err
		})
	return t, err
}
