package wording_test

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/wording"
)

const code = "The vault code of the zebraquux house is four seven one one"

func TestSameWording(t *testing.T) {
	for name, text := range map[string]string{
		"full stop":         code + ".",
		"lower case":        strings.ToLower(code),
		"upper case":        strings.ToUpper(code),
		"bold":              "**" + code + "**",
		"a bold word":       strings.Replace(code, "zebraquux", "**zebraquux**", 1),
		"bold in a word":    strings.Replace(code, "zebraquux", "zebra**quux**", 1),
		"italic":            "_" + code + "_",
		"struck out":        "~~" + code + "~~",
		"code":              "`" + code + "`",
		"block of code":     "```text\n" + code + "\n```",
		"quotation marks":   "“" + code + "”",
		"quote":             "> " + code,
		"dashes":            strings.Replace(code, " is ", " – is — ", 1),
		"zero-width space":  strings.Replace(code, "zebra", "zebra\u200b", 1),
		"soft hyphen":       strings.Replace(code, "zebra", "zebra\u00ad", 1),
		"no-break space":    strings.ReplaceAll(code, " ", "\u00a0"),
		"check box":         "[ ] " + code,
		"checked box":       "- [x] " + code,
		"numbered":          "1. " + code,
		"nested lists":      "- - 2) " + code,
		"cell":              "| " + code + " |\n|---|",
		"link":              "[" + code + "](https://example.org/a_(b) \"title\")",
		"link in the text":  strings.Replace(code, "zebraquux", "[zebraquux](z.md)", 1),
		"reference":         "[" + code + "][1]",
		"wikilink":          strings.Replace(code, "zebraquux", "[[Houses/1|zebraquux]]", 1),
		"image":             "![" + code + "](x.png)",
		"footnote":          code + "[^12]",
		"tags":              "<b>" + code + "</b><br/>",
		"comment":           code + " <!-- a comment -->",
		"entity":            strings.Replace(code, "one one", "one&nbsp;&#111;ne", 1),
		"escapes":           strings.ReplaceAll(code, " ", "\\\n"),
		"full width":        strings.Replace(code, "code", "ｃｏｄｅ", 1),
		"composed letters":  code + "\u0301"[:0],
		"emoji":             "🔑 " + code + " ✔\ufe0f",
		"keycap":            "1\ufe0f\u20e3 " + code + " #\u20e3",
		"wrapped":           strings.ReplaceAll(code, " of ", "\n   of "),
		"address in angles": "<" + strings.ReplaceAll(code, " ", ":") + ">",
	} {
		if got := wording.Of(text); got.Hash != wording.Of(code).Hash || got.Key() != wording.Of(code).Key() {
			t.Errorf("%s: %q is another wording", name, text)
		}
	}
	if wording.Of("Zoe\u0308 Straße ΟΔΟΣ") != wording.Of("Zoë STRAẞE οδος") {
		t.Error("composed letters and cases of other scripts are another wording")
	}
}

// TestCaseOfAllScripts compares letters that have several capitals, or other ones in
// another language.
func TestCaseOfAllScripts(t *testing.T) {
	for small, capital := range map[string]string{
		"Straße unter Maßen": "STRASSE UNTER MASSEN", "ıslak İzmir": "ISLAK İZMİR", "istanbul": "İSTANBUL", "i\u0307stanbul": "ISTANBUL",
		"ﬁnden": "FINDEN", "ΐ": "Ϊ\u0301", "λίθους": "ΛΊΘΟΥΣ", "և": "ԵՒ", "ǰ": "J\u030c", "stra&szlig;e": "STRASSE",
	} {
		if wording.Of(small) != wording.Of(capital) {
			t.Errorf("%q and %q are different wordings", small, capital)
		}
		if a, b := wording.Words(small), wording.Words(capital); !slices.Equal(a, b) {
			t.Errorf("%q and %q have the words %q and %q", small, capital, a, b)
		}
	}
	for _, pair := range [][2]string{{"Maße", "Mase"}, {"über", "uber"}, {"ç", "c"}} {
		if wording.Of(pair[0]) == wording.Of(pair[1]) {
			t.Errorf("%q and %q have the same wording", pair[0], pair[1])
		}
	}
}

// TestWordingsStay fails when the wording of a text changes. The marks of forgotten texts,
// which cannot be made again, are made of wordings.
func TestWordingsStay(t *testing.T) {
	for text, want := range map[string]string{
		"The key costs 1 000 euros, in 1.5 days": "714985d4", "Über ÖL ñandú οδός": "6d2aee6b", "Der Weg zur Straße": "acb7d8c5", "ıslak İzmir": "dfbd7acf",
	} {
		if hash := wording.Of(text).Hash; hex.EncodeToString(hash[:4]) != want {
			t.Errorf("%q has the wording %x, want %s", text, hash[:4], want)
		}
	}
}

func TestOtherWording(t *testing.T) {
	for _, text := range []string{
		code + " two", strings.Replace(code, "four", "five", 1), strings.Replace(code, "is", "was", 1), "2026: " + code,
		strings.Replace(code, "house", "house&amp;home", 1), code + " [x]", code + " &unknown;",
	} {
		if wording.Of(text).Hash == wording.Of(code).Hash {
			t.Errorf("%q has the same wording", text)
		}
	}
	for _, pair := range [][2]string{{"limit 1.5", "limit 15"}, {"1.12.2026", "11.2.2026"}, {"in 2026. Then", "in. Then"}, {"हिन्दी", "हनद"}} {
		if wording.Of(pair[0]).Hash == wording.Of(pair[1]).Hash {
			t.Errorf("%q and %q have the same wording", pair[0], pair[1])
		}
	}
}

func TestTextWithoutLettersHasNoWording(t *testing.T) {
	for _, text := range []string{"", " ", "→ ←", "---", "🎉🎉", "[ ]", "\u200b"} {
		if w := wording.Of(text); !w.IsEmpty() || w.Key() != 0 {
			t.Errorf("%q has the wording %+v", text, w)
		}
	}
}

func TestWordsAreCountedWithoutMarks(t *testing.T) {
	for text, want := range map[string]int{code: 12, "- [ ] port 5432": 2, "zebra**quux** a": 2, "e-mail": 2} {
		if got := wording.Of(text).Words; got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
}

// TestTimeIsLinear reads texts of marks that are never closed.
func TestTimeIsLinear(t *testing.T) {
	for _, mark := range []string{"](", "[[", "[^", "<a", "<!--", "&", "][", "\\", "[[a", "1. ", "](\\"} {
		wording.Of(strings.Repeat(mark, 2_000_000/len(mark)))
	}
}

func FuzzOf(f *testing.F) {
	for _, seed := range []string{code, "[a](b)", "[[a|b]]", "<b>&amp;\\*", "- [x] 1. a", "```go\nx\n```"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w := wording.Of(text)
		if w != wording.Of(text) || (w.Words == 0) != (w.Hash == [32]byte{}) {
			t.Errorf("%q: %+v", text, w)
		}
		if marked := wording.Of("- [ ] " + text); strings.HasPrefix(text, "a") && marked != w {
			t.Errorf("%q is another wording in a task", text)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	for name, text := range map[string]string{"plain": code, "markup": "- [x] **" + code + "** [link](https://example.org) &amp; more"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				wording.Of(text)
			}
		})
	}
}
