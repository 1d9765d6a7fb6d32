package transformer

import (
	"context"
	_ "embed" // the packed weights
	"fmt"
	"math"
	"slices"
)

//go:embed reader.mlmq
var packedReader []byte

const (
	// sharedLayers is how many layers of the sentence transformer the reader begins with.
	sharedLayers = 2
	// The tokens of a pair that are used, as in the training of the reader.
	maxAsked, maxAnswer = 60, 72
)

// reader computes for a question and a note together whether the note answers. It has the
// tables and the first layers of the sentence transformer, and then layers of its own.
type reader struct {
	*model
	kinds  []float32 // added to the tokens of the question, and to those of the note
	own    [layerCount - sharedLayers]layer
	pooled linear // of the first token and the mean
	head   []float32
	bias   float32
}

// loadReader unpacks the weights of the reader.
func loadReader(src []byte, m *model) *reader {
	w := readWeights(src)
	r := &reader{model: m, kinds: w.vector("kinds", 2*hidden, 2*hidden)}
	for i := range r.own {
		r.own[i] = w.layer(fmt.Sprintf("encoder.layer.%d.", sharedLayers+i))
	}
	r.pooled = w.linear(2*hidden, hidden, "pool")
	r.head, r.bias = w.vector("head.weight", hidden, hidden), w.vector("head.bias", 1, 1)[0]
	return r
}

// Read returns for each note the log-odds that it answers the question.
func (e *Embedder) Read(ctx context.Context, question string, notes []string) ([]float64, error) {
	var b batch
	for i, note := range notes {
		b.texts, b.at = append(b.texts, pair(question, note)), append(b.at, i)
	}
	odds := make([][]float32, len(notes))
	if err := b.run(ctx, func(pairs [][]int32) [][]float32 { return e.loadReader().odds(pairs) }, odds); err != nil {
		return nil, err
	}
	list := make([]float64, len(notes))
	for i, o := range odds {
		list[i] = float64(o[0])
	}
	return list, nil
}

// pair returns the tokens of a question and a note, each with a closing token.
func pair(question, note string) []int32 {
	asked := closed(question, maxAsked)
	return append(slices.Insert(asked, 0, openingToken), closed(note, maxAnswer)...)
}

// odds returns a number for each pair.
func (rd *reader) odds(pairs [][]int32) [][]float32 {
	r := rd.newRun(pairs)
	for i := range sharedLayers {
		r.layer(&rd.layers[i])
	}
	rd.addKinds(r)
	for i := range rd.own {
		r.layer(&rd.own[i])
	}
	rows, at := make([]float32, roundUp(len(pairs), tileRows)*2*hidden), 0
	for i, mean := range r.means() {
		copy(rows[i*2*hidden:], r.state[at*hidden:][:hidden])
		copy(rows[i*2*hidden+hidden:], mean)
		at += len(pairs[i])
	}
	r.rows = len(pairs)
	rd.pooled.fillBias(r.state, r.rows)
	r.product(r.state, rows, &rd.pooled)
	odds := make([][]float32, len(pairs))
	for i := range odds {
		sum := rd.bias
		for k, x := range r.state[i*hidden:][:hidden] {
			sum += rd.head[k] * float32(math.Tanh(float64(x)))
		}
		odds[i] = []float32{sum}
	}
	return odds
}

// addKinds tells the tokens of the questions from those of the notes.
func (rd *reader) addKinds(r *run) {
	state := r.state
	for _, ids := range r.texts {
		for i := range ids {
			kind := rd.kinds[:hidden]
			if i > slices.Index(ids, closingToken) {
				kind = rd.kinds[hidden:]
			}
			for k, x := range kind {
				state[k] += x
			}
			state = state[hidden:]
		}
	}
}
