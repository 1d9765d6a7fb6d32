package wording_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/wording"
)

func TestPlaceMarksAreNoWords(t *testing.T) {
	for _, text := range []string{
		"a) " + code, "(a) " + code, "B) " + code, "b. " + code, "iv. " + code, "(iv) " + code, "XII. " + code, "IV) " + code, "(12) " + code,
		"3.2.1 " + code, "3.2.1. " + code, "3.2.1) " + code, "- a) " + code, "1. b) " + code, "> [!note] " + code, "> [!note]\n> " + code,
		"[!tip]- " + code, "[!warning]+\n" + code, "{#alarm} " + code, code + " {#alarm}", code + "{#alarm .secret}", "{: #alarm}\n" + code,
		"> [!note] a) " + code + " {#x}", "й) " + code,
	} {
		if wording.Of(text) != wording.Of(code) {
			t.Errorf("%q is another text", text)
		}
	}
}

func TestGroupsOfDigitsAreOneNumber(t *testing.T) {
	for _, blank := range []string{" ", "\u00a0", "\u2009", "\u202f", "\u2007", "&nbsp;"} {
		text := strings.ReplaceAll("costs 12_345_678 euros in 2026", "_", blank)
		if wording.Of(text).Hash != wording.Of("costs 12345678 euros in 2026").Hash {
			t.Errorf("%q is another text", text)
		}
	}
	for _, text := range []string{"room 10 5", "2026 100 cats", "1 0000", "a1 000", "1\n000", "1.5 000a", "1.000"} {
		joined := strings.NewReplacer(" ", "", "\n", "", ".", "").Replace(text)
		if wording.Of(text).Hash == wording.Of(joined).Hash {
			t.Errorf("%q is %q", text, joined)
		}
	}
}

func TestWordsAndNumbersAreNoPlaceMarks(t *testing.T) {
	for _, text := range []string{
		"Smith) " + code, "J. " + code, "I. " + code, "mix " + code, "21.11. " + code, "1.5 " + code, "10.0.0.1 " + code, "2026.11.21 " + code,
		"a b " + code, "{not an anchor} " + code, "[!two words] " + code, "(see) " + code, code + " {#a",
	} {
		if wording.Of(text) == wording.Of(code) {
			t.Errorf("%q has the same wording", text)
		}
	}
	if wording.Of("3.2.1 is out and mends the ferry") == wording.Of("is out and mends the ferry") {
		t.Error("a version is a mark")
	}
}

// TestTimeOfPlaceMarksIsLinear reads texts of marks that are never closed.
func TestTimeOfPlaceMarksIsLinear(t *testing.T) {
	for _, mark := range []string{"[!", "{#", "{", "a) ", "(a) ", "1.1.1. ", "{#a} ", "[!a] "} {
		wording.Of(strings.Repeat(mark, 1_000_000/len(mark)))
	}
}
