package recall

import "github.com/memory-tiered/memory"

// Render writes the block for hits that were chosen.
func Render(ctx *memory.Context, hits []memory.Hit) string {
	lines := make([]string, len(hits))
	for i, h := range hits {
		lines[i] = renderHit(h, "3f8a", "", true)
	}
	return renderBlock(ctx, lines)
}
