package chunker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/chunker"
)

// hostileSize is so large that quadratic work takes minutes and linear work takes a moment.
const hostileSize = 256 << 10

// hostileInputs returns inputs of about size bytes. Each takes long if work
// grows with the square of the input, or if a stack or table grows with its
// nesting.
func hostileInputs(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)+1) }
	many := func(format string, n int) string {
		var out strings.Builder
		for i := range n {
			fmt.Fprintf(&out, format, i)
		}
		return out.String()
	}
	stairs := func(marker string) string {
		var out strings.Builder
		for depth := 0; out.Len() < size; depth++ {
			out.WriteString(strings.Repeat(" ", 2*depth) + marker + " x\n")
		}
		return out.String()
	}
	return map[string]string{
		"one line":               fill("word "),
		"one line without blank": fill("x"),
		"quotes nested":          fill("> ") + "x",
		"quotes nested tightly":  fill(">") + "x",
		"bullets nested":         fill("- ") + "x",
		"numbers nested":         fill("1. ") + "x",
		"mixed nesting":          fill("> - 1. ") + "x\n" + fill("> lazy\n"),
		"rule":                   fill("- "),
		"stairs of bullets":      stairs("-"),
		"stairs of numbers":      stairs("1."),
		"stairs of nests":        stairs(strings.Repeat("- ", 40)),
		"deep, then blank":       strings.Repeat("- ", 40) + "x\n" + fill("\n"),
		"deep, then blanks":      strings.Repeat("- ", 40) + "x\n" + fill(" \n"),
		"tabs":                   fill("\t"),
		"tabs and marks":         fill("\t-"),
		"empty items":            fill("-\n"),
		"items":                  fill("- a\n"),
		"blank lines":            fill("\n"),
		"blanks":                 fill(" "),
		"carriage returns":       fill("\r"),
		"headings":               fill("# a\n"),
		"headings going deeper":  fill("# a\n## b\n### c\n#### d\n##### e\n###### f\n- x\n"),
		"underlined":             fill("a\n=\n"),
		"hashes":                 fill("#"),
		"open brackets":          fill("["),
		"open brackets, lines":   fill("[a\n"),
		"links":                  fill("[a]("),
		"wiki open":              fill("[["),
		"wiki links":             many("[[page %d]] ", size/12),
		"definitions":            fill("[a]: b\n"),
		"definitions, open":      fill("[a]: b \"\n"),
		"definition, long label": "[" + fill("a\n"),
		"tags":                   fill("#tag "),
		"different tags":         many("#t%d ", size/8),
		"trailing tags, lines":   "x " + many("#t%d\n", size/8),
		"ids":                    fill("^id "),
		"ids, lines":             fill("^id\n"),
		"carets":                 fill("^"),
		"backslashes":            fill(`\`),
		"escapes":                fill(`\#a `),
		"comments":               fill("<!-- x -->"),
		"comments, open":         fill("x <!-- "),
		"comments, lines":        fill("x\n<!-- private -->\n"),
		"comments alone":         fill("<!-- private -->\n"),
		"comment keys":           "x <!-- " + fill("trigger: a, ; ") + "-->",
		"different triggers":     "x <!-- trigger: " + many("t%d, ", size/9) + "-->",
		"arrows":                 fill("-->"),
		"backticks":              fill("`"),
		"backticks apart":        fill("` "),
		"backticks growing":      many("%[1]d"+"`", 10) + backticks(size),
		"fences":                 fill("```\n"),
		"fences of two kinds":    fill("```\n~~~\n"),
		"fences in items":        fill("- ```\n"),
		"tags in open fences":    "- x\n" + fill("  ```\n  #a\n"),
		"table, wide and long":   strings.Repeat("|a", 2000) + "\n" + strings.Repeat("|-", 2000) + "\n" + fill("|\n"),
		"delimiter rows":         "x\n" + fill("|-|\n"),
		"pipes":                  fill("|"),
		"html open":              fill("<div>"),
		"html lines":             fill("<b>\n"),
		"html attributes":        "<a " + fill("a=a "),
		"html attribute, open":   "<a " + fill(`a="`),
		"script":                 "<script>\n" + fill("x\n"),
		"processing":             fill("<?\n"),
		"declarations":           fill("<!A\n"),
		"sections":               fill("<![CDATA[\n"),
		"lead-ins":               fill("a:\n\n"),
		"lead-ins with code":     fill("a:\n\n```\nb\n```\n\n"),
		"nul":                    fill("\x00"),
		"utf-16":                 fill("-\x00 \x00a\x00\n\x00"),
		"invalid":                fill("\xff"),
		"invalid, lines":         fill("- \xc3\n"),
		"combining":              fill("a\u0301\u0302"),
		"combining without end":  "a" + fill("\u0301"),
		"emoji":                  fill("👩‍👩‍👧"),
		"thin spaces":            fill("\u2009"),
		"conflict":               fill("<<<<<<< a\n=======\n>>>>>>> b\n"),
	}
}

// backticks returns runs of every length, about size bytes together.
func backticks(size int) string {
	var out strings.Builder
	for n := 1; out.Len() < size; n++ {
		out.WriteString(strings.Repeat("`", n) + " ")
	}
	return out.String()
}

func TestHostileInputTakesLinearTime(t *testing.T) {
	for name, src := range hostileInputs(hostileSize) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer timeLimit(maxDuration, name)()
			l := chunker.Parse([]byte(src), 0)
			if err := checkCoverage([]byte(src), 0, l); err != nil {
				t.Fatal(err)
			}
			for _, b := range l.Blocks {
				if b.Text == "" || len(b.Annotations.Tags) > 256 || len(b.Links) > 256 || len(b.Triggers) > 256 {
					t.Fatalf("%d tags, %d links, %d triggers", len(b.Annotations.Tags), len(b.Links), len(b.Triggers))
				}
				chunker.Chunks(b.Text)
			}
			bullet := chunker.Bullet(src)
			if got := chunker.Blocks(bullet, 0); chunker.Clean(src) != "" && (len(got) != 1 || got[0].Text != chunker.Clean(src)) {
				t.Errorf("its bullet has %d blocks", len(got))
			}
		})
	}
}

// TestTooDeepNestingIsText checks that a line nested too deep is still one
// block with all of its text.
func TestTooDeepNestingIsText(t *testing.T) {
	for _, marker := range []string{"- ", "> ", "1. ", "* > "} {
		got := chunker.Blocks([]byte(strings.Repeat(marker, 20_000)+"end\n\n- after\n"), 0)
		if len(got) != 2 || !strings.HasSuffix(got[0].Text, "end") || got[1].Text != "after" {
			t.Errorf("%q: %d blocks", marker, len(got))
		}
	}
}
