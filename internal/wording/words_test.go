package wording_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/internal/wording"
)

func TestRepeatsErrsTowardsACopy(t *testing.T) {
	const original = "My cat is called Minka and sleeps on the red sofa"
	for text, want := range map[string]bool{
		original: true,
		"MY CAT IS CALLED MINKA AND SLEEPS ON THE RED SOFA":                 true,
		"My cat is called Min\u200bka and sleeps on the red sofa":           true,
		"My cat is called Minka and she sleeps on the red sofa":             true,
		"1. My cat is called Minka and sleeps on the red sofa":              true,
		"Remember: My cat is called Minka and sleeps on the red sofa":       true,
		"My cat is called **Minka** and sleeps on the red sofa every day":   true,
		"My cat is called Minka and sleeps on the sofa":                     true,
		"My cat is called Minka and sleeps on the red sofa, every day, too": false, // three more of eleven
		"My cat is called Minka and sleeps":                                 false, // less than four fifths
		"My cat is called Mora and sleeps on the red sofa":                  false, // another name
		"The red sofa sleeps on my cat, and is called Minka":                false, // another order
		"": false,
	} {
		if got := wording.Repeats(text, original); got != want {
			t.Errorf("Repeats(%q) = %t", text, got)
		}
	}
	for _, tt := range []struct {
		text, original string
		want           bool
	}{
		{"我的猫叫咪咪，睡在红沙发上", "我的猫叫咪咪睡在红色沙发上", true},
		{"我的狗叫咪咪睡在红沙发上", "我的猫叫咪咪睡在红沙发上", false},
		{"port 5432 tcp", "port 5432", true},
		{"Minka sleeps", "Minka", false},
		{"", "", false},
	} {
		if got := wording.Repeats(tt.text, tt.original); got != tt.want {
			t.Errorf("Repeats(%q, %q) = %t", tt.text, tt.original, got)
		}
	}
}

func TestVisibleKeepsEveryVisibleCharacter(t *testing.T) {
	if got, want := wording.Visible(" I\u200b use  C++\n\u00adand Cafe\u0301 "), "I use C++ and Café"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestOriginalsFindWhatRepeatsFinds compares the lookup with a comparison of every pair.
func TestOriginalsFindWhatRepeatsFinds(t *testing.T) {
	pool := []string{"ship", "harbour", "crane", "rope", "anchor", "buoy", "deck", "鍵", "tide"}
	property.Check(t, func(r *rapid.T) {
		draw := func(label string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pool), 0, 12).Draw(r, label), " ")
		}
		var originals []string
		for range rapid.IntRange(1, 4).Draw(r, "originals") {
			originals = append(originals, draw("original"))
		}
		list := strings.Fields(originals[0])
		if len(list) > 0 {
			at := rapid.IntRange(0, len(list)-1).Draw(r, "at")
			list = slices.Delete(list, at, at+rapid.IntRange(0, 1).Draw(r, "removed"))
		}
		text := strings.Join(append(list, rapid.SliceOfN(rapid.SampledFrom(pool), 0, 2).Draw(r, "more")...), " ")
		want := slices.ContainsFunc(originals, func(o string) bool { return wording.Repeats(text, o) })
		if got := wording.NewOriginals(originals).Repeated(text); got != want {
			r.Fatalf("%q of %q: %t, want %t", text, originals, got, want)
		}
	})
}
