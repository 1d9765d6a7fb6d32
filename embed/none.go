package embed

import "context"

// None is the embedder without vectors, for keyword search only. It has no model and
// sends nothing to other machines.
type None struct{}

// Model returns "none".
func (None) Model() string { return "none" }

// Dim returns 0, which disables the vector lane.
func (None) Dim() int { return 0 }

// Remote returns false.
func (None) Remote() bool { return false }

// Embed returns one empty vector per text. It fails only if ctx is done.
func (None) Embed(ctx context.Context, _ Kind, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return make([][]float32, len(texts)), nil
}
