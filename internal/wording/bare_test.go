package wording_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/wording"
)

func TestBareLeavesOutPlaceMarks(t *testing.T) {
	for _, text := range []string{
		"a) " + code, "(a) " + code, "B) " + code, "b. " + code, "iv. " + code, "(iv) " + code, "XII. " + code, "IV) " + code, "(12) " + code,
		"3.2.1 " + code, "3.2.1. " + code, "3.2.1) " + code, "- a) " + code, "1. b) " + code, "> [!note] " + code, "> [!note]\n> " + code,
		"[!tip]- " + code, "[!warning]+\n" + code, "{#alarm} " + code, code + " {#alarm}", code + "{#alarm .secret}", "{: #alarm}\n" + code,
		"> [!note] a) " + code + " {#x}", "й) " + code,
	} {
		if got, ok := wording.Bare(text); !ok || got != wording.Of(code) {
			t.Errorf("%q is another text: %v", text, ok)
		}
	}
}

func TestBareKeepsWordsAndNumbers(t *testing.T) {
	for _, text := range []string{
		code, "", "a)", "1. " + code, "- [x] " + code, "Smith) " + code, "J. " + code, "I. " + code, "mix " + code, "21.11. " + code, "1.5 " + code, "10.0.0.1 " + code,
		"3.2.1 is out and mends the ferry", "2026.11.21 " + code, "a b " + code, "{not an anchor} " + code, "[!two words] " + code, "[!] " + code, "(see) " + code,
		code + " {#a", "{#} " + code, "> " + code,
	} {
		if got, ok := wording.Bare(text); ok {
			t.Errorf("%q has a mark: %v", text, got)
		}
	}
}

// TestTimeOfBareIsLinear reads texts of marks that are never closed.
func TestTimeOfBareIsLinear(t *testing.T) {
	for _, mark := range []string{"[!", "{#", "{", "a) ", "(a) ", "1.1.1. ", "{#a} ", "[!a] "} {
		wording.Bare(strings.Repeat(mark, 1_000_000/len(mark)))
	}
}
