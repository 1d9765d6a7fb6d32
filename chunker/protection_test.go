package chunker_test

import (
	"strings"
	"testing"
)

// TestMisplacedPrivateCommentProtects has a comment at each place where people put it by
// mistake. Each text with the word Secret must be private, or the whole file.
func TestMisplacedPrivateCommentProtects(t *testing.T) {
	const p = "<!-- private -->"
	tests := []struct{ name, in string }{
		{"on the line that closes a code block", "```\nSecret=1\n``` " + p + "\n"},
		{"on the line that opens a code block", "```yaml " + p + "\nSecret=1\n```\n\nOther\n"},
		{"on the first line of code", "```\n" + p + "\nSecret=1\n```\n\nOther\n"},
		{"on the last line of code", "```\nSecret=1\n# " + p + "\n```\n\nOther\n"},
		{"below a code block", "```\nSecret=1\n```\n" + p + "\n\nOther\n"},
		{"in indented code", "Other\n\n    Secret=1 " + p + "\n"},
		{"at code in a quote", "> ```\n> Secret\n> ``` " + p + "\n"},
		{"at code in a numbered list", "1. a\n   ```\n   Secret\n   ``` " + p + "\n"},
		{"behind the header of a table", "| a | b | " + p + "\n|---|---|\n| Secret | 2 |\n"},
		{"behind the last row of a table", "| a | b |\n|---|---|\n| Secret | 2 | " + p + "\n"},
		{"above the first row of a table", "| a | b |\n|---|---|\n" + p + "\n| Secret | 2 |\n\nOther\n"},
		{"below the header of a table", "| a | b |\n" + p + "\n|---|---|\n| Secret | 2 |\n\nOther\n"},
		{"between the rows of a table", "a | b\r\n--|--\r\nSecret | 2\r\n  " + p + "\r\nSecret | 3\r\n\r\nOther\r\n"},
		{"in comments between the rows of a table", "| a | b |\n|---|---|\n| Secret | 2 |\n<!-- old:\n  codes -->\n" + p + "\n| Secret | 3 |\n"},
		{"above a row below a heading with a bar", "# a | b\n" + p + "\n| Secret | 2 |\n\nSecret\n"},
		{"above a table", "Other\n\n" + p + "\n| a | b |\n|---|---|\n| Secret | 2 |\n"},
		{"above a list", "Other\n\n" + p + "\n- Secret 1\n- Secret 2\n\nOther\n"},
		{"behind the lead-in of a list", "Codes: " + p + "\n\n- Secret 1\n- Secret 2\n\nOther\n"},
		{"below the lead-in of a list", "Codes:\n\n" + p + "\n\n- Secret 1\n- Secret 2\n\nOther\n"},
		{"behind bold words above a list", "**Codes** " + p + "\n\n- Secret 1\n- Secret 2\n\nOther\n"},
		{"behind a block id of a code block", "```\nSecret\n```\n\n^id " + p + "\n\nOther\n"},
		{"in the title of a callout", "> [!note] Codes " + p + "\n> Secret\n\nOther\n"},
		{"in an underlined heading", "Codes " + p + "\n===\n\nSecret\n"},
		{"above an element", "Other\n\n" + p + "\n<details>\n\nSecret 1\n\n- Secret 2\n\n</details>\n\nOther\n"},
		{"in front of an element", p + "<details>\n\nSecret\n\n</details>\n\nOther\n"},
		{"behind the opening tag", "<details>" + p + "\n\nSecret\n\n## Codes\n\nSecret 2\n\n</details>\n\nOther\n"},
		{"behind the summary", "<details>\n<summary>Codes</summary> " + p + "\n\nSecret\n\n</details>\n\nOther\n"},
		{"first in an element", "<details>\n\n" + p + "\n\nSecret 1\n\nSecret 2\n\n</details>\n\nOther\n"},
		{"behind the closing tag", "<details>\n\nSecret 1\n\nSecret 2\n\n</details> " + p + "\n\nOther\n"},
		{"below an element", "<details>\n\nSecret 1\n\nSecret 2\n\n</details>\n\n" + p + "\n"},
		{"in an outer element", "<div> " + p + "\n\nSecret 1\n\n<div>\n\nSecret 2\n\n</div>\n\nSecret 3\n\n</div>\n\nOther\n"},
		{"in an element that is never closed", "Other\n\n<div>" + p + "\n\nSecret 1\n\n## H\n\nSecret 2\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := mustParse(t, []byte(tt.in), 0)
			for i, b := range l.Blocks {
				if strings.Contains(b.Text, "Secret") && !isHidden(l, i) {
					t.Errorf("%q is public", b.Text)
				}
			}
			if isWithheld(l, "") && len(l.Faults) == 0 {
				t.Error("no fault")
			}
		})
	}
}

// TestCommentsInsideCodeAreText checks that an example in a code block declares nothing.
func TestCommentsInsideCodeAreText(t *testing.T) {
	for _, in := range []string{
		"```\n- a\n- The code of the alarm <!-- private -->\n- b\n```\n",
		"```html\n<b>a</b>\n<!-- private -->\n<b>b</b>\n```\n",
		"``` <!-- tier: hot -->\na\n```\n",
		"<div>\n\na\n\n</div>\n\nb\n",
	} {
		l := mustParse(t, []byte(in), 0)
		for i, b := range l.Blocks {
			if isHidden(l, i) {
				t.Errorf("%q: %q is private", in, b.Text)
			}
		}
	}
}
