package markdown_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/markdown"
)

func TestOwnWords(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no code", "Anna works here.", "Anna works here."},
		{"inline", "The `a` and ``b`c`` run", "The     and         run"},
		{"an open backtick", "It costs 5` and more", "It costs 5` and more"},
		{"a block", "One\n```go\nx\n```\ntwo", "One\n     \n \n   \ntwo"},
		{"a block in a list", "- ~~~\n  x\n  ~~~\n- y", "     \n   \n     \n- y"},
		{"an open block", "One\n````\nx\n```", "One\n    \n \n   "},
		{"a quote", "She wrote:\n > Anna left.\nNo: a > b", "She wrote:\n             \nNo: a > b"},
	} {
		if got := markdown.OwnWords(tt.text); got != tt.want {
			t.Errorf("%s:\n%q\n%q", tt.name, got, tt.want)
		}
	}
}

func TestFence(t *testing.T) {
	var f markdown.Fence
	open := ""
	for line := range strings.SplitSeq("a\n```x`\n````js\n```\n~~~~\n```` x\n`````\nb", "\n") {
		if f = f.After(line); f != "" {
			open += line + "|"
		}
	}
	if want := "````js|```|~~~~|```` x|"; open != want {
		t.Errorf("%q", open)
	}
}

func FuzzOwnWords(f *testing.F) {
	f.Add("> a\n```\nb\n```\n- `c`")
	f.Fuzz(func(t *testing.T, text string) {
		own := markdown.OwnWords(text)
		for i := range text {
			if len(own) != len(text) || own[i] != text[i] && own[i] != ' ' {
				t.Fatalf("%q became %q", text, own)
			}
		}
	})
}
