package transformer

import (
	"math"
	"sync"
)

// run is the computation for some texts. Their tokens follow each other, so that no text is
// padded. Only the attention looks at one text at a time.
type run struct {
	*model
	texts [][]int32
	rows  int // of all tokens

	state, queryKeyValue, attended, widened []float32 // a row for each token
	tiles, keys, scores, weights            []float32
	tile                                    [inner / groupSize]tileGroup
}

// vectors returns the mean of the token vectors of each text, which are not empty and have
// maxTokens at most.
func (m *model) vectors(texts [][]int32) [][]float32 {
	r := m.newRun(texts)
	for i := range m.layers {
		r.layer(&m.layers[i])
	}
	return r.means()
}

// newRun makes space for texts and reads the rows of their tokens.
func (m *model) newRun(texts [][]int32) *run {
	r, longest := &run{model: m, texts: texts}, 0
	for _, ids := range texts {
		r.rows, longest = r.rows+len(ids), max(longest, len(ids))
	}
	rows := roundUp(r.rows, tileRows) + tileRows // the last tile of a text ends behind its last row
	r.state, r.queryKeyValue = make([]float32, rows*hidden), make([]float32, rows*3*hidden)
	r.attended, r.widened = make([]float32, rows*hidden), make([]float32, rows*inner)
	cols := roundUp(longest, panelCols)
	r.tiles, r.keys = make([]float32, roundUp(longest, tileRows)*headDim), make([]float32, headDim*cols)
	r.scores, r.weights = make([]float32, roundUp(longest, tileRows)*cols), make([]float32, roundUp(longest, tileRows)*cols)

	r.look()
	return r
}

// look reads the rows of the tokens and their positions.
func (r *run) look() {
	at := 0
	for _, ids := range r.texts {
		for position, id := range ids {
			row := r.state[at*hidden:][:hidden]
			copy(row, r.tokenType)
			r.tokens.addRow(row, int(id))
			r.positions.addRow(row, position)
			at++
		}
	}
	r.norm.apply(r.state[:r.rows*hidden])
}

func (r *run) layer(l *layer) {
	l.queryKeyValue.fillBias(r.queryKeyValue, r.rows)
	r.product(r.queryKeyValue, r.state, &l.queryKeyValue)
	clear(r.attended)
	first := 0
	for _, ids := range r.texts {
		for head := range headCount {
			r.attend(first, len(ids), head)
		}
		first += len(ids)
	}
	r.addToState(r.attended, &l.attended, &l.attendedNorm)
	l.widen.fillBias(r.widened, r.rows)
	r.product(r.widened, r.state, &l.widen)
	gelu(r.widened[:r.rows*inner])
	r.addToState(r.widened, &l.narrow, &l.outputNorm)
}

// addToState adds the product of rows and a matrix to the state, and scales the sums.
func (r *run) addToState(rows []float32, by *linear, scaled *norm) {
	for row := range r.rows {
		for i, x := range by.bias {
			r.state[row*hidden+i] += x
		}
	}
	r.product(r.state, rows, by)
	scaled.apply(r.state[:r.rows*hidden])
}

// product adds the products of rows and a matrix to sums.
func (r *run) product(sums, rows []float32, by *linear) {
	tile := r.tile[:by.in/groupSize]
	for first := 0; first < r.rows; first += tileRows {
		for row := range tileRows {
			quantize(tile, row, rows[(first+row)*by.in:])
		}
		for panel := 0; panel*panelCols < by.out; panel++ {
			multiplyGroups(sums[first*by.out+panel*panelCols:], by.out, tile, by.panels[panel*len(tile):])
		}
	}
}

// attend adds the values of a text's tokens to each of them, by how well keys fit its
// query, for one head.
func (r *run) attend(first, count, head int) {
	const stride = 3 * hidden
	query := r.queryKeyValue[first*stride+head*headDim:]
	key, value := query[hidden:], query[2*hidden:]
	cols := roundUp(count, panelCols)
	keys := r.keys[:headDim*cols]
	clear(keys)
	for token := range count {
		for i, x := range key[token*stride:][:headDim] {
			keys[i*cols+token] = x
		}
	}
	queries := interleave(r.tiles, query, stride, count, headDim)
	scores := r.scores[:roundUp(count, tileRows)*cols]
	clear(scores)
	for tile := 0; tile < count; tile += tileRows {
		for col := 0; col < cols; col += panelCols {
			multiply(scores[tile*cols+col:], cols, queries[tile*headDim:][:tileRows*headDim], keys[col:], cols)
		}
	}
	for token := range count {
		softmax(scores[token*cols:][:count])
	}
	weights := interleave(r.weights, scores, cols, count, count)
	for tile := 0; tile < count; tile += tileRows {
		for col := 0; col < headDim; col += panelCols { // the rows behind the text get zeros
			multiply(r.attended[(first+tile)*hidden+head*headDim+col:], hidden, weights[tile*count:][:tileRows*count], value[col:], stride)
		}
	}
}

// means returns the mean of each text's rows.
func (r *run) means() [][]float32 {
	vectors, state := make([][]float32, len(r.texts)), r.state
	for i, ids := range r.texts {
		vectors[i] = make([]float32, hidden)
		for range ids {
			for k, x := range state[:hidden] {
				vectors[i][k] += x / float32(len(ids))
			}
			state = state[hidden:]
		}
	}
	return vectors
}

func (l *linear) fillBias(sums []float32, rows int) {
	for row := range rows {
		copy(sums[row*l.out:], l.bias)
	}
}

func (n *norm) apply(rows []float32) {
	const epsilon = 1e-12
	for ; len(rows) > 0; rows = rows[hidden:] {
		var mean, variance float32
		row := rows[:hidden]
		for _, x := range row {
			mean += x / hidden
		}
		for _, x := range row {
			variance += (x - mean) * (x - mean) / hidden
		}
		scale := float32(1 / math.Sqrt(float64(variance)+epsilon))
		for i, x := range row {
			row[i] = (x-mean)*scale*n.weight[i] + n.bias[i]
		}
	}
}

// softmax turns scores into shares of 1. The model divides scores by the root of headDim.
func softmax(scores []float32) {
	const perRoot, lowest = 0.17677669529663689, -126 // below 2^lowest, a float32 loses digits
	highest := scores[0]
	for _, x := range scores {
		if x > highest {
			highest = x
		}
	}
	var sum float32
	for i, x := range scores {
		power := max((x-highest)*(perRoot*math.Log2E), lowest)
		whole := int32(power - 0.5) // the nearest, because it is not positive
		y := (power - float32(whole)) * math.Ln2
		y = 1 + y*(1+y*(1./2+y*(1./6+y*(1./24+y*(1./120+y*(1./720)))))) // e^y, off by 1e-7 at most
		scores[i] = math.Float32frombits(math.Float32bits(y) + uint32(whole)<<23)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}

// The normal distribution is read from a table, between whose numbers it is taken as
// straight: off by 1e-7 at most. Beyond the bound, it is 0 or 1 for a float32.
const (
	normalBound = 6
	normalSteps = 512 // per unit
)

var normalTable = sync.OnceValue(func() *[2*normalBound*normalSteps + 2]float32 {
	var table [2*normalBound*normalSteps + 2]float32
	for i := range table {
		table[i] = float32(math.Erfc(-(float64(i)/normalSteps-normalBound)/math.Sqrt2) / 2)
	}
	return &table
})

// gelu multiplies each number with the share of a normal distribution below it.
func gelu(numbers []float32) {
	table := normalTable()
	for i, x := range numbers {
		switch {
		case x <= -normalBound:
			numbers[i] = 0
		case x < normalBound:
			at := (x + normalBound) * normalSteps
			low := int(at)
			numbers[i] = x * (table[low] + (at-float32(low))*(table[low+1]-table[low]))
		}
	}
}
