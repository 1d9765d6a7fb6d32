package main

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/memory-tiered/memory/learn"
)

// Constants of the training. They are usual values, and none of them was tuned.
const (
	rounds  = 30
	rate    = 0.2
	decay   = 1e-4
	dropped = 40 // per cent of the features that a step does not see
)

// buckets is the number of weights of a label. With half as many, 64 instead of 71 of 89
// held-back prompts were found; with twice as many, 74.
const buckets = 1 << 16

// train learns a model from examples by multinomial logistic regression, with AdaGrad. The
// same examples in the same order give the same bytes on every machine. Each product is rounded
// before it is added, and chance comes from a generator of its own.
func train(examples []example) *learn.Model {
	t := trainer{chance: 1}
	for _, e := range examples {
		if !slices.Contains(t.labels, e.Label) {
			t.labels = append(t.labels, e.Label)
		}
	}
	slices.Sort(t.labels)
	n := len(t.labels)
	t.weights, t.squares, t.biases = make([]float32, buckets*n), make([]float32, buckets*n), make([]float32, n)
	t.gradient = make([]float32, n)
	type sample struct {
		found []uint32
		label int
	}
	var samples []sample
	for _, e := range examples {
		samples = append(samples, sample{learn.Features(e.Text, buckets), slices.Index(t.labels, e.Label)})
	}
	for round := range rounds {
		for i := range samples {
			j := i + int(t.draw()%uint32(len(samples)-i))
			samples[i], samples[j] = samples[j], samples[i]
		}
		t.rate = float32(rate * float64(rounds-round) / rounds)
		for _, s := range samples {
			t.step(s.found, s.label)
		}
	}
	return t.model(hashOf(examples))
}

type trainer struct {
	labels           []string
	weights, squares []float32 // by bucket, then by label
	biases, gradient []float32 // by label
	rate             float32
	chance           uint32
	seen             []uint32
}

// draw returns the next number of a xorshift generator.
func (t *trainer) draw() uint32 {
	t.chance ^= t.chance << 13
	t.chance ^= t.chance >> 17
	t.chance ^= t.chance << 5
	return t.chance
}

// step moves the weights of some of an example's features towards its label.
func (t *trainer) step(found []uint32, label int) {
	t.seen = t.seen[:0]
	for _, f := range found {
		if t.draw()%100 >= dropped {
			t.seen = append(t.seen, f)
		}
	}
	n, norm := len(t.labels), learn.Norm(t.seen)
	g := t.gradient
	copy(g, t.biases)
	for _, f := range t.seen {
		for i, w := range t.weights[int(f)*n:][:n] {
			g[i] += float32(w * norm)
		}
	}
	learn.Softmax(g)
	g[label]--
	for i := range g {
		t.biases[i] -= float32(t.rate * float32(0.05*g[i]))
		g[i] *= norm
	}
	for _, f := range t.seen {
		weights, squares := t.weights[int(f)*n:][:n], t.squares[int(f)*n:][:n]
		for i := range g {
			v := g[i] + float32(decay*weights[i])
			squares[i] += float32(v * v)
			weights[i] -= float32(t.rate*v) / (float32(math.Sqrt(float64(squares[i]))) + 1e-3)
		}
	}
}

// model returns the model with its weights rounded to bytes.
func (t *trainer) model(hash string) *learn.Model {
	n := len(t.labels)
	m := &learn.Model{Header: learn.Header{Labels: t.labels, Buckets: buckets, Scales: make([]float32, n), Biases: t.biases, Examples: hash}, Weights: make([]int8, len(t.weights))}
	for i, w := range t.weights {
		m.Scales[i%n] = max(m.Scales[i%n], float32(math.Abs(float64(w)))/math.MaxInt8)
	}
	for i, w := range t.weights {
		if scale := m.Scales[i%n]; scale > 0 {
			m.Weights[i] = int8(math.Round(float64(w / scale)))
		}
	}
	return m
}

// encode returns the file of a model.
func encode(m *learn.Model) ([]byte, error) {
	file, err := json.Marshal(m.Header)
	file = append(file, '\n')
	for _, w := range m.Weights {
		file = append(file, byte(w))
	}
	return file, err
}
