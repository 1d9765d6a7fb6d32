package static_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/internal/property"
)

// TestTokens compares the tokens of two texts, which are equal or differ.
func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		name, text, other string
		differ            bool
	}{
		{"case", "MEMORY Tiered", "memory tiered", false},
		{"accents", "Café naïve", "cafe naive", false},
		{"combining accents", "Cafe\u0301", "café", false},
		{"dotted I", "İstanbul", "istanbul", false},
		{"dotless i differs from i", "ısı", "isi", true},
		{"sharp s, capital and small", "ẞ", "ß", false},
		{"sharp s differs from ss", "straße", "strasse", true},
		{"sigma inside a word", "ΣΟΦΙΑ", "σοφια", false},
		{"Kelvin", "\u212a", "k", false},
		{"Greek question mark", "τι\u037e", "τι;", false},
		{"full-width letters differ", "ｍｅｍｏｒｙ", "memory", true},
		{"white space of every kind", "a\u00a0b\u2003c\u3000d\u2028e\u2029f\tg\rh\ni", "a b c d e f g h i", false},
		{"control characters join", "me\x00mo\x07ry\x0b\x0c\u0085", "memory", false},
		{"format characters join", "me\u200bmo\u00adry\ufeff\u202e", "memory", false},
		{"private use joins", "me\ue000mory", "memory", false},
		{"invalid bytes join", "me\xffmo\xe2\x82ry\ufffd", "memory", false},
		{"punctuation is a word", "a.b,c", "a . b , c", false},
		{"Unicode punctuation is a word", "a—b“c”d…", "a — b “ c ” d …", false},
		{"ASCII symbols are words", "a$b+c=d<e>f^g`h|i~j", "a $ b + c = d < e > f ^ g ` h | i ~ j", false},
		{"symbols beyond ASCII are letters", "5€", "5 €", true},
		{"ideographs are words", "日本x語", "日 本 x 語", false},
		{"kana are letters", "テスト", "テ ス ト", true},
		{"special tokens are text", "[MASK]", "[ mask ]", false},
		{"tabs and blanks separate words", "  a \t\n b  ", "a b", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := tokens(t, tt.text), tokens(t, tt.other)
			if slices.Equal(a, b) == tt.differ {
				t.Errorf("%q has the tokens %v, %q has %v", tt.text, a, tt.other, b)
			}
		})
	}
}

func tokens(t interface{ Fatal(...any) }, text string) []int32 {
	return slices.Clone(static.New().Tokens(text))
}

func TestTokensOfLongTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: the race detector finds nothing")
	}
	unk := tokens(t, "\U0001f63a") // an emoji that the vocabulary lacks
	for _, tt := range []struct {
		name, text string
		n          int // tokens
		unknown    bool
	}{
		{"a word of 100 letters", strings.Repeat("ab", 50), 0, false},
		{"a word of 101 letters", strings.Repeat("ab", 50) + "a", 1, true},
		{"100 letters of two bytes", strings.Repeat("жы", 50), 0, false},
		{"101 letters of two bytes", strings.Repeat("жы", 50) + "ж", 1, true},
		{"accents do not count", strings.Repeat("a\u0301b\u0323", 50), 0, false},
		{"a megabyte of letters", strings.Repeat("x", 1<<20), 1, true},
		{"a megabyte of accents", "a" + strings.Repeat("\u0301", 1<<19), 1, false},
		{"256 tokens are kept", strings.Repeat("cat ", 300), 256, false},
		{"256 tokens of a text without blanks", strings.Repeat("cat,", 300), 256, false},
		{"a word across the limit is cut", strings.Repeat("cat ", 255) + "antidisestablishmentarianism", 256, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ids := tokens(t, tt.text)
			if tt.n > 0 && len(ids) != tt.n || slices.Equal(ids, unk) != tt.unknown {
				t.Errorf("%d tokens, %.10v; want %d, unknown: %v", len(ids), ids, tt.n, tt.unknown)
			}
		})
	}
}

// TestTokensOfPartsAreTokensOfTheText joins texts with white space, which always
// separates words.
func TestTokensOfPartsAreTokensOfTheText(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "parts")
		var want []int32
		for _, p := range parts {
			want = append(want, tokens(t, p)...)
		}
		got := tokens(t, strings.Join(parts, "\u2003"))
		if want = want[:min(len(want), 256)]; !slices.Equal(got, want) {
			t.Fatalf("%q joined has the tokens %v, its parts have %v", parts, got, want)
		}
	})
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"", "Café 日本 ΟΔΟΣ", "\xff\xfe", "a\u0301\u0323b", "ΑΣ'.:Α", "[UNK]##a", strings.Repeat("Σ'", 50)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ids := tokens(t, text)
		if len(ids) > 256 {
			t.Errorf("%d tokens", len(ids))
		}
		if valid := strings.ToValidUTF8(text, "\ufffd"); utf8.ValidString(valid) && !slices.Equal(ids, tokens(t, valid)) {
			t.Errorf("invalid bytes are not dropped: %q", text)
		}
		vector(t, open(t), text) // checks length and numbers
	})
}
