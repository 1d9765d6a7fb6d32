package dates_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/recall/dates"
)

// BenchmarkRead reads questions with and without a time, and a long prompt.
func BenchmarkRead(b *testing.B) {
	long := strings.Repeat("The crew painted the hull on Friday while others cooked, and nobody was late. ", 40)
	for name, text := range map[string]string{
		"no time":  "Which event bus does the billing service use in production?",
		"relative": "What did we decide about the roof last week?",
		"weekday":  "What did Rosa say about the roof on Friday, 20 November?",
		"long":     long + "What did we decide?",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				dates.Read(text, wednesday)
			}
		})
	}
}
