package learn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Model is a linear classifier. The score of a label is the sum of the weights of a text's
// features.
type Model struct {
	Header
	Weights []int8 // by bucket, then by label
}

// Header describes a model.
type Header struct {
	Labels   []string  `json:"labels"`
	Buckets  uint32    `json:"buckets"`
	Scales   []float32 `json:"scales"`   // of the weights, by label
	Biases   []float32 `json:"biases"`   // by label
	Examples string    `json:"examples"` // hash of the examples that it was trained with
}

// parse reads a file with a model: a line of JSON, then a byte for each weight.
func parse(file []byte) (*Model, error) {
	head, weights, _ := bytes.Cut(file, []byte("\n"))
	m := &Model{Weights: make([]int8, len(weights))}
	if err := json.Unmarshal(head, &m.Header); err != nil {
		return nil, fmt.Errorf("read a model: %w", err)
	}
	if want := int(m.Buckets) * len(m.Labels); len(weights) != want {
		return nil, fmt.Errorf("read a model: %d weights, want %d", len(weights), want)
	}
	for i, w := range weights {
		m.Weights[i] = int8(w)
	}
	return m, nil
}

// Probabilities returns how likely each label of m.Labels is for a text. They are the same on
// every machine, and they are not calibrated.
func (m *Model) Probabilities(text string) []float32 {
	found := Features(text, m.Buckets)
	sums := make([]int32, len(m.Labels))
	for _, f := range found {
		for label, w := range m.Weights[int(f)*len(sums):][:len(sums)] {
			sums[label] += int32(w)
		}
	}
	p, norm := make([]float32, len(sums)), Norm(found)
	for label, sum := range sums {
		p[label] = float32(float32(float32(sum)*m.Scales[label])*norm) + m.Biases[label]
	}
	Softmax(p)
	return p
}

// Probability returns how likely one label is for a text.
func (m *Model) Probability(text, label string) float32 {
	return m.Probabilities(text)[slices.Index(m.Labels, label)]
}

// Norm is the factor for scores of a text with some features: a long text has more of them.
func Norm(found []uint32) float32 { return float32(1 / math.Sqrt(float64(max(len(found), 1)))) }

// Softmax makes probabilities of scores.
func Softmax(p []float32) {
	most, sum := p[0], float32(0)
	for _, v := range p {
		most = max(most, v)
	}
	for i, v := range p {
		p[i] = exp(v - most)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
}

// exp returns e to the power of x, of at most 0, as the limit of (1+x/n)^n. math.Exp has other
// last digits on other processors.
func exp(x float32) float32 {
	const n, squarings = 1024, 10
	y := max(0, 1+float64(x)/n)
	for range squarings {
		y *= y
	}
	return float32(y)
}
