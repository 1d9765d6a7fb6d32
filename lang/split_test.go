package lang_test

import (
	"fmt"
	"slices"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/lang"
)

func ExampleClean() {
	fmt.Printf("%q\n", lang.Clean("  de\u200bploy\tto\n the  quay\x00 "))
	// Output: "deploy to the quay"
}

func TestCleanKeepsWhatIsClean(t *testing.T) {
	for _, text := range []string{"deploy to the quay", "a", "x  y", " x", "x ", "naïve", "x\ty", ""} {
		if lang.IsClean(text) && lang.Clean(text) != text {
			t.Errorf("%q counts as clean and becomes %q", text, lang.Clean(text))
		}
		if again := lang.Clean(lang.Clean(text)); again != lang.Clean(text) {
			t.Errorf("%q is cleaned to %q, then to %q", text, lang.Clean(text), again)
		}
	}
}

func TestFoldedWordsCompareSingularAndPlural(t *testing.T) {
	got := lang.FoldedWords("Emil's harbours, glass and bus; O’Hara")
	if want := []string{"emil", "harbour", "glass", "and", "bus", "o'hara"}; !slices.Equal(got, want) {
		t.Errorf("words %q, want %q", got, want)
	}
}

func TestScripts(t *testing.T) {
	for r, want := range map[rune]lang.Script{'a': lang.NoCJK, 'ß': lang.NoCJK, '港': lang.HanOrKatakana, 'ポ': lang.HanOrKatakana,
		'ー': lang.HanOrKatakana, 'の': lang.Hiragana, '항': lang.Hangul} {
		if got := lang.ScriptOf(r); got != want {
			t.Errorf("%c has the script %d, want %d", r, got, want)
		}
	}
}

func TestForeignTexts(t *testing.T) {
	for text, want := range map[string]bool{"Wo liegt das Passwort?": true, "Qui répare les chauffages ?": true, "¿Quién repara las calefacciones?": true, "猫の名前": true, "Was soll ich kochen?": true,
		"Was it so late?":             false,
		"Who won the Tour de France?": false, "hotel Los Angeles": false, "water meter": false, "Which notes say „wann kommt der Zug“, and who wrote them?": false, "": false} {
		if got := lang.IsForeign(text); got != want {
			t.Errorf("%q is foreign: %t, want %t", text, got, want)
		}
	}
}

func TestAmbiguousStopWordsCountInForeignTextsAlone(t *testing.T) {
	for text, want := range map[string]map[string]bool{
		"Welches Aktenzeichen hat die Anzeige?": {"hat": true, "die": true, "welches": true, "anzeige": false},
		"Where is my hat?":                      {"hat": false, "where": true},
		"¿Hay leche?":                           {"hay": true, "leche": false},
		"How much hay does the horse eat?":      {"hay": false},
		"Combien de degrés pour le four ?":      {"pour": true, "four": false},
		"Open todo items of the French plus":    {"todo": false, "plus": false},
	} {
		isStopWord := lang.IsStopWordIn(text)
		for word, stop := range want {
			if isStopWord(word) != stop {
				t.Errorf("%q: %q is a stop word: %t, want %t", text, word, !stop, stop)
			}
		}
	}
}

func TestOrdinals(t *testing.T) {
	for word, want := range map[string]bool{"1st": true, "22ND": true, "7th": true, "7": false, "th": false, "7x": false, "1stt": false} {
		if got := lang.IsOrdinal(word); got != want {
			t.Errorf("%s is an ordinal: %t, want %t", word, got, want)
		}
	}
}

// Most texts are ASCII, which is split in a shorter way.
func TestWordsOfASCIIAreThoseOfAnyText(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab9's'’ -_.\n\tñ港\u00a0")), 0, 30, -1).Draw(rt, "text")
		if got, want := lang.SplitWords(text), lang.SplitUnicode(text); !slices.Equal(got, want) {
			rt.Fatalf("%q has the words %q, want %q", text, got, want)
		}
		if got, want := lang.AppendWords([]string{"x"}, text), append([]string{"x"}, lang.SplitUnicode(text)...); !slices.Equal(got, want) {
			rt.Fatalf("appended: %q, want %q", got, want)
		}
	})
}

// TestIsAlnumIsThatOfTheTables compares the quick test of ASCII with the tables.
func TestIsAlnumIsThatOfTheTables(t *testing.T) {
	for r := range rune(0x3000) {
		if want := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r); lang.IsAlnum(r) != want {
			t.Errorf("%q: got %v, want %v", r, !want, want)
		}
	}
}

func TestAnyWordEndsWhereAScriptBegins(t *testing.T) {
	for _, name := range []string{"ines", "nats", "決定", "71"} {
		if !lang.AnyWord("Ines 決定 to use NATSを第71区", func(w string) bool { return w == name }) {
			t.Errorf("%q is not found", name)
		}
	}
	if lang.AnyWord("NATSを", func(w string) bool { return w == "nat" }) {
		t.Error("a part of a word is found")
	}
}
