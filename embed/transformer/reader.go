package transformer

import (
	"context"
	_ "embed" // the packed weights
	"fmt"
	"math"
	"sync"
)

//go:embed reader-l3.mlmq
var packedReader []byte

// The shape of the reader. Its tables of tokens and positions are those of the model.
const (
	readerLayers      = 3
	maxQuestionTokens = 60
	maxNoteTokens     = 90
)

// reader reads a question and a note together. It has a layer of its own behind the others.
type reader struct {
	model
	pool, number linear
}

var loadReader = sync.OnceValues(func() (*reader, error) {
	m, err := builtIn().load()
	if err != nil {
		return nil, err
	}
	w, err := readWeights(packedReader)
	if err != nil {
		return nil, fmt.Errorf("load the reader: %w", err)
	}
	r := &reader{model: model{tokens: m.tokens, positions: m.positions}}
	r.readLayers(w, readerLayers)
	r.pool = w.linear(2*hidden, "pool")
	r.number = linear{in: hidden, out: 1, panels: w.vector("number.weight", hidden), bias: w.vector("number.bias", 1)}
	if w.err != nil {
		return nil, fmt.Errorf("load the reader: %w", w.err)
	}
	return r, nil
})

// Read implements [embed.Reader]. It reads whole texts alone: a question of maxQuestionTokens
// and a note of maxNoteTokens at most.
func (e *Embedder) Read(ctx context.Context, question string, notes []string) ([]float64, error) {
	asked, err := tokens(question, maxQuestionTokens+1)
	if err != nil {
		return nil, err
	}
	odds := make([]float64, len(notes))
	var pairs [][]int32
	var begins, at []int
	for i, text := range notes {
		ids, err := tokens(text, maxNoteTokens+1)
		if err != nil {
			return nil, err
		}
		if odds[i] = math.NaN(); len(asked) > maxQuestionTokens || len(ids) > maxNoteTokens {
			continue
		}
		pair := append(append([]int32{openingToken}, asked...), closingToken)
		begins, at = append(begins, len(pair)), append(at, i)
		pairs = append(pairs, append(append(pair, ids...), closingToken))
	}
	if len(pairs) == 0 {
		return odds, ctx.Err()
	}
	r, err := loadReader()
	if err != nil {
		return nil, err
	}
	return odds, eachPart(ctx, pairs, func(from, to int) {
		for n, x := range r.read(pairs[from:to], begins[from:to]) {
			odds[at[from+n]] = x
		}
	})
}

// read returns the log odds of pairs whose notes begin at these tokens.
func (m *reader) read(pairs [][]int32, notes []int) []float64 {
	r := m.states(pairs, notes)
	first, odds := 0, make([]float64, len(pairs))
	for i, mean := range r.means() {
		odds[i] = float64(m.odds(append(append([]float32{}, r.state[first*hidden:][:hidden]...), mean...)))
		first += len(pairs[i])
	}
	return odds
}

// odds returns the log odds of a pair, from the state of its first token and the mean of all.
func (m *reader) odds(state []float32) float32 {
	sums := append([]float32{}, m.pool.bias...)
	for panel := 0; panel*panelCols < m.pool.out; panel++ {
		weights := m.pool.panels[panel*m.pool.in*panelCols:]
		for i, x := range state {
			for col := range panelCols {
				sums[panel*panelCols+col] += x * weights[i*panelCols+col]
			}
		}
	}
	number := m.number.bias[0]
	for i, x := range sums {
		number += float32(math.Tanh(float64(x))) * m.number.panels[i]
	}
	return number
}
