package embed_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/internal/property"
)

func TestClampKeepsBeginningAndEnd(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		limits   embed.Limits
		want     string
	}{
		{"short", "abc", embed.Limits{MaxChars: 3, HeadChars: 1}, "abc"},
		{"no limit", "abcdef", embed.Limits{}, "abcdef"},
		{"head and tail", "abcdefghij", embed.Limits{MaxChars: 6, HeadChars: 2}, "ab\n\nij"},
		{"characters, not bytes", "äöüäöüäöü", embed.Limits{MaxChars: 5, HeadChars: 2}, "äö\n\nü"},
		{"bytes", "abcdefghij", embed.Limits{MaxBytes: 6, HeadChars: 2}, "ab\n\nij"},
		{"bytes within a character", "äöüäöü", embed.Limits{MaxBytes: 7, HeadChars: 3}, "ä\n\nü"},
		{"head longer than the limit", "abcdefghij", embed.Limits{MaxChars: 4, HeadChars: 9}, "abcd"},
		{"gap longer than the text that it replaces", "a猫猫猫猫", embed.Limits{MaxChars: 5, HeadChars: 1, MaxBytes: 12}, "a\n\n猫猫"},
		{"not UTF-8", "a\xffb", embed.Limits{}, "ab"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.limits.Clamp(tt.in); got != tt.want {
				t.Errorf("Clamp = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestClampNeverExceedsItsLimits(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		l := embed.Limits{MaxChars: rapid.IntRange(0, 40).Draw(t, "chars"), HeadChars: rapid.IntRange(-1, 50).Draw(t, "head"),
			MaxBytes: rapid.IntRange(0, 60).Draw(t, "bytes")}
		text := rapid.String().Draw(t, "text") + strings.Repeat("猫", rapid.IntRange(0, 50).Draw(t, "more"))
		got := l.Clamp(text)
		if !utf8.ValidString(got) || l.MaxChars > 0 && utf8.RuneCountInString(got) > l.MaxChars || l.MaxBytes > 0 && len(got) > l.MaxBytes {
			t.Fatalf("%+v: Clamp(%q) = %q", l, text, got)
		}
	})
}
