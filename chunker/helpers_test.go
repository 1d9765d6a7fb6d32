package chunker_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// timeLimit panics with the beginning of the input after d. A fuzzer alone
// would only hang.
func timeLimit(d time.Duration, input string) (stop func() bool) {
	return time.AfterFunc(d, func() { panic(fmt.Sprintf("still not done after %v: %.2000q", d, input)) }).Stop
}

// maxDuration is far more than a few kilobytes need, even on a slow and busy machine.
const maxDuration = 5 * time.Minute

// checkLayout checks the invariants of a layout.
func checkLayout(src []byte, body int, l chunker.Layout) error {
	if again := chunker.Parse(bytes.Clone(src), body); !reflect.DeepEqual(l, again) {
		return fmt.Errorf("the same bytes have two layouts: %+v and %+v", l, again)
	}
	if err := checkCoverage(src, body, l); err != nil {
		return err
	}
	for _, b := range l.Blocks {
		if first := 1 + bytes.Count(src[:b.Start], []byte("\n")); b.LineStart != first {
			return fmt.Errorf("block starts on line %d, not %d", first, b.LineStart)
		}
		if last := 1 + bytes.Count(src[:b.End-1], []byte("\n")); b.LineEnd != last {
			return fmt.Errorf("block ends on line %d, not %d", last, b.LineEnd)
		}
		if b.Text == "" || b.Text != chunker.Clean(b.Text) || !utf8.ValidString(b.Text) || strings.ContainsRune(b.Text, 0) {
			return fmt.Errorf("text is not clean: %q", b.Text)
		}
		if b.Fingerprint != chunker.Fingerprint(b.Text) {
			return fmt.Errorf("fingerprint does not match the text: %q", b.Text)
		}
		for _, h := range b.Heading {
			if h == "" || strings.ContainsAny(h, "\n\r") {
				return fmt.Errorf("heading %q", h)
			}
		}
	}
	return nil
}

// checkCoverage checks that spans are in order, do not overlap and leave
// nothing out.
func checkCoverage(src []byte, body int, l chunker.Layout) error {
	covered := make([]int, len(src))
	last, lastSkipped := 0, 0
	for _, b := range l.Blocks {
		if b.Start < max(last, body) || b.End <= b.Start || b.End > len(src) {
			return fmt.Errorf("block %d-%d after %d", b.Start, b.End, last)
		}
		last = b.End
		for i := b.Start; i < b.End; i++ {
			covered[i]++
		}
	}
	for _, o := range l.Skipped {
		if o.Start < max(lastSkipped, body) || o.End <= o.Start || o.End > len(src) || o.Kind == "" {
			return fmt.Errorf("%s %d-%d after %d", o.Kind, o.Start, o.End, lastSkipped)
		}
		lastSkipped = o.End
		for i := o.Start; i < o.End; i++ {
			covered[i]++
		}
	}
	for i := body; i < len(src); i++ {
		if blank := bytes.IndexByte([]byte(" \t\r\n"), src[i]) >= 0; covered[i] > 1 || covered[i] == 0 && !blank {
			return fmt.Errorf("byte %d (%q) is in %d spans", i, src[i], covered[i])
		}
	}
	return nil
}

// fragments are lines and constructs of files, including awkward ones.
var fragments = []string{
	"plain words here", "another line of text", "Steps:", "**Rules:**", "手順：", "# Heading", "## Second ##", "Setext\n======", "Setext two\n---",
	"- item", "- item two\n  continued", "* star", "+ plus", "-", "- [ ] task", "- [x] done #tag", "- [ ]", "  - nested", "    - deeper", "\t- tabbed",
	"-\ttabbed content\n\tcontinued", "- - nested at once", "- -", "- a\n\n  b", "- # heading in item", "- > quote in item", "-     code in item",
	"1. one\n2. two", "1) other", "10. ten\n    more", "1.", "7. seven", "---", "***", "- - -", "* * *", "===",
	"```\ncode\n```", "```go\nfunc x() {}\n\n- y\n```", "~~~\ntilde\n~~~", "```", "    indented code", "\tcode by tab",
	"| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n--- | ---\n1 | 2", "|---|", "> quote", "> > nested", "> - list in quote", ">", "lazy line",
	"<div>\nhtml\n</div>", "<!-- comment -->", "<!-- importance: 9 -->", "- x <!-- private -->", "<!--", "-->", "<script>", "</script>", "text <!-- source: a; trust: untrusted --> text",
	"[ref]: https://example.org", "[ref]: <a b>\n  'title'", "[^1]: footnote text", "text ^block-id", "^alone", "text #one #two", "#only #tags", "[[Page]] and [[Page|words]]",
	`\#escaped`, `\---`, `a \<!-- b -->`, `\\server\share`, `\[`, "`#code` and `<!-- x -->`", "``", "日本語の文。", "emoji 🎉 #タグ", "hard break  \nnext", "back\\\nslash",
	"---\nprivate: true\n---", "memories:\n  - {id: \"3f8a91c2b7d0\", quote: \"x\", forgotten: 2026-11-20}\n---",
	"\u00a0", "\ufeff", "\f", "x\x00y", "\xff\xfe", "- \x0b\n\n  x", "a\u0301", "", "  ", "   indented three", " - shifted item", "   1. shifted",
}

// markdown generates a file.
func markdown() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 14).Draw(t, "parts")
		var out strings.Builder
		for _, p := range parts {
			out.WriteString(rapid.SampledFrom([]string{"", "", "", "  ", "    ", "> ", "- ", "\t"}).Draw(t, "prefix"))
			out.WriteString(p)
			out.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\n\n", "\n\n\n", " "}).Draw(t, "gap"))
		}
		return out.String()
	})
}

func texts(blocks []memory.Block) []string {
	out := make([]string, 0, len(blocks))
	for _, b := range blocks {
		out = append(out, b.Text)
	}
	return out
}

func mustParse(t testing.TB, src []byte, body int) chunker.Layout {
	t.Helper()
	l := chunker.Parse(src, body)
	if err := checkLayout(src, body, l); err != nil {
		t.Fatalf("%v\nin %q", err, src)
	}
	return l
}
