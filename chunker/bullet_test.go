package chunker_test

import (
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/chunker"
)

// surroundings are files that a bullet is appended to.
var surroundings = []string{"", "- before\n", "# Day\n\n", "para\n\n", "1. one\n2. two\n\n"}

func FuzzBulletReadsBackTheSame(f *testing.F) {
	for _, s := range []string{"plain words", "---", "- - -", "# heading", "```\ncode", "a\n\nb", "x #tag ^id", `\#no`, "<!-- private --> x",
		"a <!-- b", "--> c", "1. one\n2. two", "\tx\n\ty", "> quote\n> more", "a\n---\nb", "| a |\n|---|", "=====", "<<<<<<< HEAD\nx\n=======\n",
		"`<!-- x -->` y", "~~~\n#x\n~~~\n#y", "[x]: y", "* * *", "\\---", "a\\\n  b", "<div>\n\n</div>", "日本語 #タグ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer within(10*time.Second, text)()
		want := chunker.Clean(text)
		if want == "" {
			return
		}
		for _, before := range surroundings {
			old := chunker.Blocks([]byte(before), 0)
			src := before + string(chunker.Bullet(text)) + "- after\n"
			got := chunker.Blocks([]byte(src), 0)
			if len(got) != len(old)+2 {
				t.Fatalf("%d blocks for %d and the bullet and one after, in %q", len(got), len(old), src)
			}
			if b := got[len(old)]; b.Text != want {
				t.Fatalf("read back %q, want %q; in %q", b.Text, want, src)
			}
			if got[len(old)+1].Text != "after" {
				t.Fatalf("the bullet after became %q in %q", got[len(old)+1].Text, src)
			}
		}
	})
}

func FuzzCutCoversEverything(f *testing.F) {
	for _, s := range []string{"# a\n\nb\n- c\n  - d\n\n```\nx\n```\n> q\n\n| a |\n|---|\n| b |\n\n<div>\nx\n</div>\n", "Steps:\n\n1. a\n2. b\n", "Rules:\n- a\n- b\n",
		"- x\n<!-- importance: 9 -->\n", "[a]: b\n", "a\r\nb\r\n\r\n- c\r\n", "\tcode\n", "Setext\n===\n", "> > > x\n", "- a\n\n  b\n\n- c\n", "* a\n+ b\n- c\n"} {
		f.Add([]byte(s), 0)
	}
	f.Fuzz(func(t *testing.T, src []byte, body int) {
		if body < 0 || body > len(src) {
			return
		}
		defer within(10*time.Second, src)()
		l := chunker.Cut(src, body)
		covered := make([]int, len(src))
		last := 0
		for _, b := range l.Blocks {
			if b.Start < last || b.End <= b.Start || b.End > len(src) {
				t.Fatalf("span %d-%d after %d", b.Start, b.End, last)
			}
			last = b.End
			if n := 1 + strings.Count(string(src[:b.Start]), "\n"); b.LineStart != n || b.LineEnd < n {
				t.Fatalf("lines %d-%d, start is on %d", b.LineStart, b.LineEnd, n)
			}
			for i := b.Start; i < b.End; i++ {
				covered[i]++
			}
		}
		for _, o := range l.Others {
			for i := o.Start; i < o.End; i++ {
				covered[i]++
			}
		}
		for i := body; i < len(src); i++ {
			blank := strings.IndexByte(" \t\r\n", src[i]) >= 0
			if covered[i] > 1 || covered[i] == 0 && !blank {
				t.Fatalf("byte %d (%q) is covered %d times in %q", i, src[i], covered[i], src)
			}
		}
	})
}
