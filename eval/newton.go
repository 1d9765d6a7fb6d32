package eval

import "math"

const (
	newtons = 50   // steps at most; a dozen are enough
	halves  = 20   // of a step that goes too far, before it is given up
	ridge   = 1e-4 // of the mean loss, per squared weight: keeps what the queries say nothing of near 0
	settled = 1e-9 // of the loss: a smaller gain is none
)

// loss is a sum over queries, with its slope and curvature at some weights, and
// how many queries there are.
type loss struct {
	sum, n   float64
	gradient []float64
	curve    [][]float64
}

func newLoss(weights int) *loss {
	l := &loss{gradient: make([]float64, weights), curve: make([][]float64, weights)}
	for i := range l.curve {
		l.curve[i] = make([]float64, weights)
	}
	return l
}

// bend adds to the curvature the square of a vector, so many times.
func (l *loss) bend(x []float64, times float64) {
	for a, xa := range x {
		for b, xb := range x {
			l.curve[a][b] += times * xa * xb
		}
	}
}

// value is the mean loss with the ridge.
func (l *loss) value(w []float64) float64 {
	v := l.sum / l.n
	for _, x := range w {
		v += ridge / 2 * x * x
	}
	return v
}

// minimise finds the weights of the least loss, from 0, by Newton's method with
// steps that are halved until they gain.
func minimise(weights int, at func(w []float64) *loss) []float64 {
	w := make([]float64, weights)
	here := at(w)
	if here.n == 0 {
		return w
	}
	for range newtons {
		for a := range w {
			here.gradient[a] += ridge * here.n * w[a]
			here.curve[a][a] += ridge * here.n
		}
		by := solve(here.curve, here.gradient)
		before, next := here.value(w), (*loss)(nil)
		moved := make([]float64, weights)
		for range halves {
			for a := range w {
				moved[a] = w[a] - by[a]
			}
			if next = at(moved); next.value(moved) < before {
				break
			}
			for a := range by {
				by[a] /= 2
			}
		}
		gain := before - next.value(moved)
		if !(gain > 0) {
			return w
		}
		w, here = moved, next
		if gain < settled*before {
			break
		}
	}
	return w
}

// solve is Gauss's elimination with partial pivoting; what it is given is used up.
func solve(m [][]float64, y []float64) []float64 {
	n := len(y)
	for col := range n {
		best := col
		for row := col + 1; row < n; row++ {
			if math.Abs(m[row][col]) > math.Abs(m[best][col]) {
				best = row
			}
		}
		m[col], m[best], y[col], y[best] = m[best], m[col], y[best], y[col]
		for row := col + 1; row < n; row++ {
			f := m[row][col] / m[col][col]
			for k := col; k < n; k++ {
				m[row][k] -= f * m[col][k]
			}
			y[row] -= f * y[col]
		}
	}
	for row := n - 1; row >= 0; row-- {
		for k := row + 1; k < n; k++ {
			y[row] -= m[row][k] * y[k]
		}
		y[row] /= m[row][row]
	}
	return y
}

// orderLoss is the mean of -log p over the right hits of each query, under a
// softmax of the weighed signals over its hits.
func orderLoss(samples []sample, of []int, w []float64) *loss {
	l := newLoss(len(w))
	for _, s := range samples {
		right := float64(count(s.right))
		if right == 0 {
			continue
		}
		l.n++
		x := make([][]float64, len(s.signals))
		z := make([]float64, len(x))
		for i := range x {
			for _, a := range of {
				x[i] = append(x[i], s.signals[i][a])
			}
			z[i] = dot(w, x[i])
		}
		log := logSum(z)
		mean := make([]float64, len(w))
		for i := range x {
			p, is := math.Exp(z[i]-log), 0.0
			if s.right[i] {
				is = 1 / right
			}
			l.sum += is * (log - z[i])
			for a := range w {
				mean[a] += p * x[i][a]
				l.gradient[a] += (p - is) * x[i][a]
			}
			l.bend(x[i], p)
		}
		l.bend(mean, -1)
	}
	return l
}

// oddsLoss is that of a logistic regression of the right hits against those of
// queries that nothing answers; the last weight is the bias. The other hits of a
// query that has an answer are passed over: not all that is right is marked, and
// to tell them apart is the order's business.
func oddsLoss(samples []sample, w []float64) *loss {
	l := newLoss(len(w))
	for _, s := range samples {
		for i, signals := range s.signals[:min(fitted, len(s.signals))] {
			if !s.right[i] && !s.foreign {
				continue
			}
			x, is := append(append([]float64(nil), signals...), 1), 0.0
			if s.right[i] {
				is = 1
			}
			z := dot(w, x)
			p := 1 / (1 + math.Exp(-z))
			l.n++
			l.sum += logSum([]float64{0, z}) - is*z
			for a := range w {
				l.gradient[a] += (p - is) * x[a]
			}
			l.bend(x, p*(1-p))
		}
	}
	return l
}

func logSum(z []float64) float64 {
	most, sum := math.Inf(-1), 0.0
	for _, x := range z {
		most = max(most, x)
	}
	for _, x := range z {
		sum += math.Exp(x - most)
	}
	return most + math.Log(sum)
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func count(of []bool) (n int) {
	for _, is := range of {
		if is {
			n++
		}
	}
	return n
}
