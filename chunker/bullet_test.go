package chunker_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/property"
)

// surroundings are files to insert a bullet into. The part before it ends with
// a blank line or a bullet. The part after it does not continue the bullet.
var surroundings = []struct{ before, after string }{
	{"", ""}, {"- before\n", "- after\n"}, {"# Day\n\n", "\npara\n"}, {"para\n\n", "# H\n"}, {"1. one\n2. two\n\n", "1. one\n"},
	{"* star\n", "* star\n"}, {"- a\n  - nested\n", "\n---\n"}, {"- a\n\n  para\n\n", "```\nx\n```\n"}, {" - shifted\n", "<!-- c -->\n"}, {"- ```\n  open\n", "> q\n"},
	{"-\n", "\n| a |\n|---|\n"}, {"-\n\n", "\n[x]: y\n"}, {"- <div>\n", "- \n"}, {"> q\n\n", "## H\n    code\n"}, {"    code\n\n", "\n\n\n"}, {"---\n\n", "\n==="}, {"\n", "-"},
}

// checkRoundTrip inserts a bullet of the text into each of the surroundings. It
// fails unless the bullet is one item with that text and the rest of the file
// is unchanged.
func checkRoundTrip(t testing.TB, text string) {
	t.Helper()
	if strings.Contains(text, "{id: ") {
		return // an entry of front matter is never part of a memory
	}
	want := chunker.Clean(text)
	bullet := string(chunker.Bullet(text))
	if want == "" {
		if bullet != "" {
			t.Fatalf("bullet for an empty text: %q", bullet)
		}
		return
	}
	for _, s := range surroundings {
		src := s.before + bullet + s.after
		got := chunker.Blocks([]byte(src), 0)
		at := slices.IndexFunc(got, func(b memory.Block) bool { return b.Start == len(s.before) })
		if at < 0 {
			t.Fatalf("no block at the bullet in %q: %+v", src, got)
		}
		b := got[at]
		declared := !reflect.DeepEqual(b.Annotations, memory.Declared{}) || b.BlockID != "" || b.Triggers != nil
		if b.Text != want || b.Kind != memory.KindItem || b.End != len(s.before)+len(bullet)-1 || declared && s.after != "<!-- c -->\n" {
			t.Fatalf("got %+v\nwant %q\nin %q", b, want, src)
		}
		around := slices.Delete(slices.Clone(got), at, at+1)
		// Compare with a plain bullet: any bullet may change the file as much as it does.
		plain := chunker.Blocks([]byte(s.before+"- plain\n"+s.after), 0)
		plain = slices.DeleteFunc(plain, func(b memory.Block) bool { return b.Text == "plain" })
		if !slices.Equal(texts(around), texts(plain)) {
			t.Fatalf("the other blocks are %q, want %q; in %q", texts(around), texts(plain), src)
		}
	}
}

var awkwardTexts = []string{"plain words", "---", "- - -", "--", "-", "# heading", "#tag", "#", "## #", "```\ncode", "```\ncode\n```", "a\n\nb", "x #tag ^id", `\#no`, `\\#no`, "<!-- private --> x",
	"a <!-- b", "<!- private -->", "<! - - private - ->", "Note ＜!-- private --＞ in full width", "typed <!- private --> so", "`<!- private -->` and <!- user: lena -> #tag", `\<!- private -->`, `a \\<!- private -->`, "<!- private <!- private ->", "a <!-- importance: 9 -->", "--> c", "1. one\n2. two", "\tx\n\ty", "> quote\n> more", "a\n---\nb", "| a |\n|---|\n| b |", "=====", "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b",
	"`<!-- x -->` y", "~~~\n#x\n~~~\n#y", "[x]: y", "[x]:\ny", "* * *", "\\---", "a\\\n  b", "<div>\n\n</div>", "日本語 #タグ", "- item\n- item", "+++", "---\ntier: hot\n---\ntext",
	"[ ]", "[x]", "[ ] task", "[ ] #x", "- [ ]", "a ^b\n^c", "^id", "a\n^id #x", "Steps:", "[[link]]", "C:\\#1\\n", "`open #x\n#y`", "- ```\n  #x\n#y", "- -\n\n  x", ">\n\nx", "1)\n\n\n9)", "a\r\nb\rc",
	"a\x00b", "\xff", "\u2028a\u00a0", "*  \n\n0", "0\n\n0)\n\n000", "a\n\n\n\n\n\n\n\nb", "<script>\n\nx", "<!-- a\n\nb -->", "[^1]: note", "[a\nb]: c", strings.Repeat("> ", 100) + "x", strings.Repeat("- ", 100) + "x",
	strings.Repeat("1. ", 100), "x\n" + strings.Repeat(" ", 300) + "- y"}

func TestBulletReadsBackTheSame(t *testing.T) {
	for _, text := range awkwardTexts {
		checkRoundTrip(t, text)
	}
}

func TestBulletOfAnyMarkdownReadsBackTheSame(t *testing.T) {
	property.Check(t, func(r *rapid.T) {
		text := markdown().Draw(r, "text")
		defer timeLimit(maxDuration, text)()
		checkRoundTrip(t, text)
	})
}

func FuzzBulletReadsBackTheSame(f *testing.F) {
	for _, s := range awkwardTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		defer timeLimit(maxDuration, text)()
		checkRoundTrip(t, text)
	})
}

func TestBulletAddsOnlyNecessaryBackslashes(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"one line", "Likes tea", "- Likes tea\n"},
		{"several lines", "a\n\n  b\nc", "- a\n\n    b\n  c\n"},
		{"a tag", "x #tag, #12 and #fff", "- x \\#tag, #12 and #fff\n"},
		{"a path", `C:\dir\#1`, "- C:\\dir\\#1\n"},
		{"code", "use `#tag`\n\n```\n#x <!-- y -->\n```", "- use `#tag`\n\n  ```\n  #x <!-- y -->\n  ```\n"},
		{"a task", "[ ] call", "- [ ] call\n"},
		{"a link", "see [[Page]]", "- see [[Page]]\n"},
		{"a rule", "---", "- \\---\n"},
		{"a heading", "# x", "- # x\n"},
		{"nothing", " \n\t", ""},
	}
	for _, tt := range tests {
		if got := string(chunker.Bullet(tt.in)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
