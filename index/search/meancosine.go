package search

import "math"

// A small workspace gives a poor estimate of the mean cosine. So priorVectors with
// the cosine priorCosine are mixed in: the mean of six whole workspaces (talk and
// notes) is within a few hundredths of it.
const (
	priorVectors = 10
	priorCosine  = 0.1
)

// meanStep is what a mean is rounded to. The last digits of a sum would depend on hidden
// documents. It moves a log-odds by less than a thousandth.
const meanStep = 1e-5

// meanOf returns the mean of n cosines, with those of the prior.
func meanOf(sum, n float64) float64 {
	return math.Round((sum+priorVectors*priorCosine)/(n+priorVectors)/meanStep) * meanStep
}

// VectorSum is a sum of vectors. The sum of all their cosines with a query is one dot
// product.
type VectorSum struct {
	sum []float64
	n   float64
}

// Add adds a vector. It skips one of zeros.
func (s *VectorSum) Add(vector []float32) {
	if q := quantise(vector, len(vector)); len(q.steps) > 0 {
		s.add(q.steps, q.scale, 1)
	}
}

// add adds a vector, or removes it with times -1.
func (s *VectorSum) add(steps []int16, scale float32, times float64) {
	if s.sum == nil {
		s.sum = make([]float64, len(steps))
	}
	factor := times * float64(scale)
	for i, step := range steps {
		s.sum[i] += factor * float64(step)
	}
	s.n += times
}

// cosines returns the sum of the cosines with a query's vector.
func (s *VectorSum) cosines(q vector16) (sum float64) {
	for i := range min(len(s.sum), len(q.steps)) {
		sum += s.sum[i] * float64(q.steps[i])
	}
	return sum * float64(q.scale)
}

// meanCosine returns the mean cosine of the documents that exist for a query.
func (x *Index) meanCosine(q queryVector, h hidden) float64 {
	sum, n := q.set.sum.cosines(q.vector16), q.set.sum.n
	if h.attributes == nil {
		return meanOf(sum, n)
	}
	for c, d := range x.chunkDoc {
		if d != none && h.has(d) && q.set.has[c] {
			sum, n = sum-q.set.cosine(int32(c), q.vector16), n-1
		}
	}
	return meanOf(sum, n)
}

// UseSum makes the mean cosine that of the vectors of a sum. It is for an index that has
// the candidates of one question alone, with the vectors of one model.
func (x *Index) UseSum(s VectorSum) { x.sets[0].sum = s }
