package chunker_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// describe formats a block: its text and its annotations.
func describe(b memory.Block) string {
	out := []string{b.Text}
	add := func(name string, value any) {
		if v := reflect.ValueOf(value); !v.IsZero() {
			out = append(out, fmt.Sprintf("%s=%v", name, reflect.Indirect(v)))
		}
	}
	d := b.Annotations
	add("importance", d.Importance)
	add("scope", d.Scope)
	add("private", d.Private)
	add("source", d.Source)
	add("ref", d.SourceRef)
	add("trust", d.Trust)
	add("tags", d.Tags)
	add("id", b.BlockID)
	add("links", b.Links)
	add("triggers", b.Triggers)
	return strings.Join(out, " | ")
}

func TestAnnotationsAreReadAndRemovedFromText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"importance of ten", "- x <!-- importance: 9 -->", "x | importance=0.9"},
		{"importance of one", "- x <!-- importance: 0.25 -->", "x | importance=0.25"},
		{"importance out of range", "- x <!-- importance: -1 -->", "x"},
		{"importance that is not a number", "- x <!-- importance: NaN -->", "x"},
		{"upper case and no blanks", "- x <!--PRIVATE-->", "x | private=true"},
		{"private with a typing error", "- x <!-- private: yse -->", "x | private=true"},
		{"private denied", "- x <!-- private: no -->", "x | private=false"},
		{"words that start with private", "- x <!-- private thoughts -->", "x"},
		{"a key without a value", "- x <!-- trust me; importance -->", "x"},
		{"several keys", "- x <!-- project: tw; source: mail from Ada; trust: untrusted; importance: 7 -->", "x | importance=0.7 | scope=tw | ref=mail from Ada | trust=untrusted"},
		{"a source of this product", "- x <!-- source: auto-capture -->", "x | source=auto-capture"},
		{"triggers without duplicates", "- x <!-- trigger: a, b --> <!-- trigger: b,, c -->", "x | triggers=[a b c]"},
		{"on the next line", "- x\n<!-- private -->", "x | private=true"},
		{"on the next lines", "x\n<!-- private -->\n<!-- importance: 1 -->", "x | importance=0.1 | private=true"},
		{"on the next line with Windows line ends", "- x\r\n<!-- private -->\r\n", "x | private=true"},
		{"inside an item", "- x\n  <!-- private -->\n  y", "x\ny | private=true"},
		{"in the middle of a line", "- x <!-- private --> y", "x y | private=true"},
		{"unknown comment at the end of a line", "- x <!-- todo -->\n  y", "x\ny"},
		{"unknown comment in the middle", "- x <!-- todo --> y", "x <!-- todo --> y"},
		{"in code", "- x `<!-- private -->`", "x `<!-- private -->`"},
		{"escaped", `- x \<!-- private -->`, "x <!-- private -->"},
		{"never closed", "- x <!-- private", "x <!-- private"},
		{"on a lead-in of code", "Run: <!-- private -->\n\n```\nx\n```", "Run:\n\n```\nx\n``` | private=true"},
		{"under a lead-in of a list", "Steps:\n<!-- private -->\n1. x", "Steps:\n1. x | private=true"},
		{"at the end of HTML", "<div>\nx\n</div> <!-- private -->", "<div>\nx\n</div> | private=true"},

		{"trailing tags", "- x #a #b/c", "x | tags=[a b/c]"},
		{"a tag in the middle", "- x #a y", "x #a y | tags=[a]"},
		{"tags before a comment", "- x #a <!-- private -->", "x | private=true | tags=[a]"},
		{"tags on a line of their own", "- x\n  #a #b", "x | tags=[a b]"},
		{"tags before nested items", "- x #a\n  - y #b\n  - z #c", "x\n- y #b\n- z | tags=[a b c]"},
		{"nothing but tags", "- #a #b", "#a #b | tags=[a b]"},
		{"a task with only tags", "- [ ] #a", "[ ] #a | tags=[a]"},
		{"the same tag twice", "- x #a y #a", "x #a y | tags=[a]"},
		{"numbers, colours, languages", "- x #1, #12-3, #fff, #a0b1c2, C#, a#b", "x #1, #12-3, #fff, #a0b1c2, C#, a#b"},
		{"words that look like colours", "- x #decade", "x | tags=[decade]"},
		{"other scripts", "- x #日本語 #हिन्दी", "x | tags=[日本語 हिन्दी]"},
		{"in code", "- x ``a ` #b`` `#c`", "x ``a ` #b`` `#c`"},
		{"in a fenced block behind a long number", "- x\n  123456789. ```\n             #a\n             ```", "x\n123456789. ```\n           #a\n           ```"},
		{"after an unmatched backtick", "- x `` #b ` y", "x `` #b ` y | tags=[b]"},
		{"escaped", `- x \#a`, "x #a"},

		{"an id", "- x ^a-1", "x | id=a-1"},
		{"an id after tags", "- x #a ^b", "x | tags=[a] | id=b"},
		{"two ids", "- x ^a ^b", "x ^a | id=b"},
		{"an id in the middle", "- x ^a y", "x ^a y"},
		{"an id before nested items", "- x ^a\n  - y ^b", "x\n- y | id=a"},
		{"an id under a quote", "> x\n\n^a", "x | id=a"},
		{"not an id", "- x^a, ^b_c", "x^a, ^b_c"},

		{"links", "- see [[A]], [[B|b]], ![[C.png]], [[D#E]], [[#F]], [[A]]", "see [[A]], [[B|b]], ![[C.png]], [[D#E]], [[#F]], [[A]] | links=[A B C.png D]"},
		{"links in code", "- `[[A]]`", "`[[A]]`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := mustParse(t, []byte(tt.in), 0)
			if len(l.Blocks) != 1 || describe(l.Blocks[0]) != tt.want {
				t.Errorf("%q gave %+v, want %q", tt.in, l.Blocks, tt.want)
			}
		})
	}
}

func TestBlockHasAtMost256Tags(t *testing.T) {
	for _, tt := range []struct{ tags, want int }{{256, 256}, {400, 256}} {
		src := "-"
		for i := range tt.tags {
			src += fmt.Sprintf(" #t%d", i)
		}
		if got := len(mustParse(t, []byte(src+" end"), 0).Blocks[0].Annotations.Tags); got != tt.want {
			t.Errorf("a text with %d tags has %d, want %d", tt.tags, got, tt.want)
		}
	}
}

func TestAnnotationsStayWithTheirBlock(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"after a blank line", "- x\n\n<!-- tier: hot -->\n", []string{"x"}},
		{"under a heading", "# H\n<!-- tier: hot -->\nx", []string{"x"}},
		{"a comment of another tool above an item", "- x\n<!-- tool:1 -->\n- y", []string{"x", "y"}},
		{"a comment of a lead-in over bullets", "Rules: <!-- private -->\n- x", []string{"Rules: | private=true", "x"}},
		{"an id after items", "- x\n\n^a", []string{"x"}},
	}
	for _, tt := range tests {
		var got []string
		for _, b := range mustParse(t, []byte(tt.in), 0).Blocks {
			got = append(got, describe(b))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestBlocksHaveTheirHeadingPath(t *testing.T) {
	long := strings.Repeat("long ", 40)
	tests := []struct{ name, in, want string }{
		{"levels", "# A\n## B\n### C\n## D\nx", "A › D"},
		{"a skipped level", "# A\n### C\nx", "A › C"},
		{"closing marks", "## A b ##\nx", "A b"},
		{"hashes without a blank before them", "# C#\nx", "C#"},
		{"underlined", "A\n===\n\nB\n---\nx", "A › B"},
		{"plain words", "# **A** `b` [c](http://d) [[e|f]] [[g]] *h* #tag ^id <!-- private -->\nx", "A b c f g h"},
		{"a lead-in", "# A\nSteps:\n\n- x", "A › Steps"},
		{"a bold lead-in", "**Steps:**\n- x", "Steps"},
		{"a lead-in in Chinese", "步骤：\n- x", "步骤"},
		{"a lead-in applies to one list only", "Steps:\n- x\n\ny\n\n- z", ""},
		{"an empty heading ends the previous one", "# A\n#\nx", ""},
		{"a long line over hyphens", long + "\n---\nx", ""},
		{"a long lead-in", long + ":\n- x", ""},
		{"a heading in an item", "- # A\n\nx", ""},
	}
	for _, tt := range tests {
		blocks := mustParse(t, []byte(tt.in), 0).Blocks
		if got := strings.Join(blocks[len(blocks)-1].Heading, " › "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestLeadInOverBulletsIsAMemoryFrom161Characters(t *testing.T) {
	for _, tt := range []struct{ length, blocks int }{{160, 1}, {161, 2}} {
		leadIn := strings.Repeat("w", tt.length-1) + ":"
		if got := mustParse(t, []byte(leadIn+"\n\n- x"), 0).Blocks; len(got) != tt.blocks {
			t.Errorf("a lead-in of %d characters over a bullet gives %q, want %d blocks", tt.length, texts(got), tt.blocks)
		}
	}
}

func TestConstructsWithoutTextAreNotMemories(t *testing.T) {
	for _, src := range []string{"-", "- ", "- [ ]", "- [x] ", ">", "- <!-- private -->", "# x", "---", "[a]: b", "<!-- x -->", "\u00a0", "^id", "\t\n \r\n", "\x00"} {
		if got := mustParse(t, []byte(src), 0).Blocks; got != nil {
			t.Errorf("%q: %+v", src, got)
		}
	}
}

func TestBackslashesAreKeptExceptBeforeMarkup(t *testing.T) {
	kept := []string{`C:\temp\new`, `\\server\share\#1`, `^\d+\s*\#$`, `\alpha^{\#}`, `\*not bold\*`, `1\. x`, `\- x`, `\> x`, `a\`, `\\`, `\[x^2\]`, `r\^ole`, `x\<y`, "`\\#code`"}
	for _, text := range kept {
		for _, in := range []string{text, "- " + text, "> " + text} {
			if got := chunker.Blocks([]byte(in), 0); len(got) != 1 || got[0].Text != text {
				t.Errorf("%q gave %+v", in, got)
			}
		}
	}
}
