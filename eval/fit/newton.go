package main

import "math"

const (
	maxSteps    = 50   // a dozen Newton steps are usually enough
	maxHalvings = 20   // of one step that overshoots
	ridge       = 1e-4 // penalty per squared weight, on the mean loss: keeps weights near 0 that the queries do not determine
	tolerance   = 1e-9 // relative gain below which the optimiser stops
)

// loss is a loss at some weights, summed over n samples, with its gradient and
// its Hessian.
type loss struct {
	sum, n   float64
	gradient []float64
	hessian  [][]float64
}

func newLoss(weights int) *loss {
	l := &loss{gradient: make([]float64, weights), hessian: make([][]float64, weights)}
	for i := range l.hessian {
		l.hessian[i] = make([]float64, weights)
	}
	return l
}

// addOuter adds factor · x·xᵀ to the Hessian.
func (l *loss) addOuter(x []float64, factor float64) {
	for a, xa := range x {
		for b, xb := range x {
			l.hessian[a][b] += factor * xa * xb
		}
	}
}

// value returns the mean loss with the ridge penalty.
func (l *loss) value(w []float64) float64 {
	v := l.sum / l.n
	for _, x := range w {
		v += ridge / 2 * x * x
	}
	return v
}

// optimise finds the weights of the least loss by Newton's method, starting at
// 0. It halves a step until the step lowers the loss.
func optimise(weights int, lossAt func(w []float64) *loss) []float64 {
	w := make([]float64, weights)
	current := lossAt(w)
	if current.n == 0 {
		return w
	}
	for range maxSteps {
		for a := range w {
			current.gradient[a] += ridge * current.n * w[a]
			current.hessian[a][a] += ridge * current.n
		}
		step := solve(current.hessian, current.gradient)
		before, next := current.value(w), (*loss)(nil)
		moved := make([]float64, weights)
		for range maxHalvings {
			for a := range w {
				moved[a] = w[a] - step[a]
			}
			if next = lossAt(moved); next.value(moved) < before {
				break
			}
			for a := range step {
				step[a] /= 2
			}
		}
		gain := before - next.value(moved)
		if !(gain > 0) {
			return w
		}
		w, current = moved, next
		if gain < tolerance*before {
			break
		}
	}
	return w
}

// solve solves m·x = y by Gaussian elimination with partial pivoting. It
// overwrites m and y.
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

// orderLoss is the mean of -log p over the relevant hits of each query. There p
// is the softmax of the weighted sum of the signals in summed, over the hits of
// the query.
func orderLoss(samples []sample, summed []int, w []float64) *loss {
	l := newLoss(len(w))
	for _, s := range samples {
		relevant := float64(count(s.relevant))
		if relevant == 0 {
			continue
		}
		l.n++
		x := make([][]float64, len(s.values))
		z := make([]float64, len(x))
		for i := range x {
			for _, a := range summed {
				x[i] = append(x[i], s.values[i][a])
			}
			z[i] = dot(w, x[i])
		}
		norm := logSumExp(z)
		mean := make([]float64, len(w))
		for i := range x {
			p, target := math.Exp(z[i]-norm), 0.0
			if s.relevant[i] {
				target = 1 / relevant
			}
			l.sum += target * (norm - z[i])
			for a := range w {
				mean[a] += p * x[i][a]
				l.gradient[a] += (p - target) * x[i][a]
			}
			l.addOuter(x[i], p)
		}
		l.addOuter(mean, -1)
	}
	return l
}

// oddsLoss is the loss of a logistic regression: relevant hits against all hits
// of unanswerable queries. The last weight is the bias. It leaves out the other
// hits of answerable queries. Some of them are relevant without being marked,
// and telling them apart is the task of the order.
func oddsLoss(samples []sample, w []float64) *loss {
	l := newLoss(len(w))
	for _, s := range samples {
		for i, values := range s.values[:min(oddsHits, len(s.values))] {
			if !s.relevant[i] && !s.unanswerable {
				continue
			}
			x, target := append(append([]float64(nil), values...), 1), 0.0
			if s.relevant[i] {
				target = 1
			}
			z := dot(w, x)
			p := 1 / (1 + math.Exp(-z))
			l.n++
			l.sum += logSumExp([]float64{0, z}) - target*z
			for a := range w {
				l.gradient[a] += (p - target) * x[a]
			}
			l.addOuter(x, p*(1-p))
		}
	}
	return l
}

// logSumExp returns log Σ exp(z), without overflow.
func logSumExp(z []float64) float64 {
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

func count(flags []bool) (n int) {
	for _, set := range flags {
		if set {
			n++
		}
	}
	return n
}
