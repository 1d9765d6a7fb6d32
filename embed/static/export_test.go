package static

// Tokens are the ids that a text is cut into.
func (e *Embedder) Tokens(text string) ([]int32, error) {
	t, err := e.table()
	if err != nil {
		return nil, err
	}
	return newCutter(&t.vocabulary).tokens(text), nil
}

// BuiltInDigest names the model that is compiled in.
const BuiltInDigest = compiledInDigest
