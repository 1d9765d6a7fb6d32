package learn_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/learn"
)

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"Ｔｈａｎｋｓ！":   "thanks!",
		"ﾊｲ ガ":      "はい が",
		"Çà, c’est": "ca, c'est",
		"heyyyy!!!": "heyy!!",
		"good 1000": "good 1000",
		"哈哈哈":       "哈哈哈",
	} {
		if got := learn.Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

func BenchmarkIsTrivial(b *testing.B) {
	for name, prompt := range map[string]string{
		"short": "thanks, that did it",
		"long":  strings.Repeat("which of the two ports does the collector use? ", 5),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				learn.IsTrivial(prompt)
			}
		})
	}
}
