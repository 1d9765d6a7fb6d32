package transformer

import "fmt"

// The shape of the model.
const (
	layerCount = 6
	hidden     = 384
	headCount  = 12
	headDim    = hidden / headCount
	inner      = 4 * hidden // between the two matrices after the attention
)

// model is the model with its matrices unpacked. The tables of tokens and positions stay
// packed: a text reads some rows of them.
type model struct {
	tokens, positions *packed
	tokenType         []float32 // added to each token
	norm              norm
	layers            [layerCount]layer
}

// layer is attention, and then two matrices with a bend between them.
type layer struct {
	queryKeyValue, attended linear
	attendedNorm            norm
	widen, narrow           linear
	outputNorm              norm
}

// linear is a matrix in panels, and what is added to its products.
type linear struct {
	in, out int
	panels  []panelGroup // the groups of a panel, then those of the next one
	bias    []float32
}

// norm scales a vector after its mean is 0 and its variance 1.
type norm struct{ weight, bias []float32 }

// loadModel unpacks the weights.
func loadModel(src []byte) *model {
	w := readWeights(src)
	m := &model{
		tokens:    w.next(),
		positions: w.next(),
		tokenType: w.vector("embeddings.token_type_embeddings.weight", 2*hidden, hidden),
		norm:      w.norm("embeddings.LayerNorm"),
	}
	for i := range m.layers {
		m.layers[i] = w.layer(fmt.Sprintf("encoder.layer.%d.", i))
	}
	return m
}

// layer reads the matrices of a layer, whose names begin with prefix.
func (w *weightsReader) layer(prefix string) layer {
	return layer{
		queryKeyValue: w.linear(hidden, hidden, prefix+"attention.self.query", prefix+"attention.self.key", prefix+"attention.self.value"),
		attended:      w.linear(hidden, hidden, prefix+"attention.output.dense"),
		attendedNorm:  w.norm(prefix + "attention.output.LayerNorm"),
		widen:         w.linear(hidden, inner, prefix+"intermediate.dense"),
		narrow:        w.linear(inner, hidden, prefix+"output.dense"),
		outputNorm:    w.norm(prefix + "output.LayerNorm"),
	}
}

// linear reads the matrices with these names as one. They have the same input and size.
func (w *weightsReader) linear(in, out int, names ...string) (l linear) {
	l.in, l.out = in, out*len(names)
	l.panels = make([]panelGroup, l.out/panelCols*in/groupSize)
	for i, name := range names {
		m := w.next()
		m.unpack(l.panels[i*len(l.panels)/len(names):])
		l.bias = append(l.bias, w.vector(name+".bias", out, out)...)
	}
	return l
}

func (w *weightsReader) norm(name string) norm {
	return norm{w.vector(name+".weight", hidden, hidden), w.vector(name+".bias", hidden, hidden)}
}
