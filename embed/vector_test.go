package embed_test

import (
	"math"
	"testing"

	"github.com/memory-tiered/memory/embed"
)

// The vector of a text is near its own, and nearer to the topic than before.
func TestMix(t *testing.T) {
	text, topic := []float32{1, 0}, []float32{0, 1}
	mixed := embed.Mix(text, topic)
	if err := embed.Check([][]float32{mixed}, 1, 2); err != nil || embed.Cosine(mixed, text) < 0.9 || math.Abs(embed.Cosine(mixed, topic)-0.287) > 0.001 {
		t.Errorf("mixed %v, %v", mixed, err)
	}
	if zero := embed.Mix([]float32{0, 0}, topic); !embed.IsZero(zero) {
		t.Errorf("a text without a vector has %v", zero)
	}
	if text[0] != 1 || topic[1] != 1 {
		t.Errorf("changed: %v %v", text, topic)
	}
}
