package server

// Vectors reads the answer of a server for n texts.
func Vectors(body []byte, n int) ([][]float32, error) {
	vectors, err := parse(body, n)
	if err == nil {
		err = (&client{}).normalize(vectors)
	}
	return vectors, err
}
