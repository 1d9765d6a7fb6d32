package identity_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestThresholdsDecideWhichTextIsTheSameMemory has one case on each side of the
// constants.
func TestThresholdsDecideWhichTextIsTheSameMemory(t *testing.T) {
	numbered := func(prefix string, n int) string {
		words := make([]string, n)
		for i := range words {
			words[i] = fmt.Sprintf("%s%d", prefix, i)
		}
		return strings.Join(words, " ")
	}
	// moved puts a text into another file, where only its words can identify it.
	moved := func(before, after string) []step {
		return []step{{"a.md": {before, rotate}, "b.md": {friday}}, {"a.md": {rotate}, "b.md": {friday, after}}}
	}
	// inPlace changes a text between two lines that stay.
	inPlace := func(before string, after ...string) []step {
		return []step{{"a.md": {rotate, before, friday}}, {"a.md": append(append([]string{rotate}, after...), friday)}}
	}
	tests := []struct {
		name  string
		steps []step
		path  string
		want  string
	}{
		{"7 of 10 words kept, moved", moved(numbered("a", 10), numbered("a", 7)+" x1 x2 x3"), "b.md", "b0 a0"},
		{"13 of 20 words kept, moved", moved(numbered("a", 20), numbered("a", 13)+" "+numbered("x", 7)), "b.md", "b0 new"},
		{"a part with a quarter of other words", inPlace(numbered("a", 20), numbered("a", 6)+" x1 x2"), "a.md", "a0 new a2"},
		{"a split in five equal parts", inPlace("a b c d e f g h i j k l m n o p q r s t",
			"a b c d", "e f g h", "i j k l", "m n o p", "q r s t"), "a.md", "a0 a1 new new new new a2"},
		{"a split in six equal parts", inPlace("a b c d e f g h i j k l m n o p q r s t u v w x",
			"a b c d", "e f g h", "i j k l", "m n o p", "q r s t", "u v w x"), "a.md", "a0 new new new new new new a2"},
		{"a part of three words", inPlace(numbered("a", 9), "a1 a2 a3"), "a.md", "a0 new a2"},
		{"another letter in a word of four letters", inPlace("Prefers port", "Prefers post"), "a.md", "a0 new a2"},
		{"35 of 100 words changed at the end, moved", moved(numbered("a", 100), numbered("a", 65)+" "+numbered("x", 35)), "b.md", "b0 new"},
		{"equally similar texts under headings that change places", []step{
			{"a.md": {"# Staging", "a1 a2 a3 a4 a5 x1", "# Production", "a1 a2 a3 a4 a5 x2"}},
			{"a.md": {"# Production", "a1 a2 a3 a4 a5 x3", "# Staging", "a1 a2 a3 a4 a5 x4"}},
		}, "a.md", "a1 a0"},
		{"an edited line that moved with its third neighbour", []step{
			{"a.md": {rotate, tabs, "b1 b2 b3", "c1 c2 c3", numbered("a", 10)}, "b.md": {friday}},
			{"a.md": {rotate}, "b.md": {friday, tabs, numbered("a", 6) + " x1 x2 x3 x4"}},
		}, "b.md", "b0 a1 a4"},
		{"one of three removed lines with the same words, moved", []step{
			{"a.md": {"a1 a2 a3 a4 a5 x1", "a1 a2 a3 a4 a5 x2", "a1 a2 a3 a4 a5 x3", rotate}, "b.md": {friday}},
			{"a.md": {rotate}, "b.md": {friday, "a1 a2 a3 a4 a5 x9"}},
		}, "b.md", "b0 a0"},
		{"a removed line with more of the words in another order", []step{
			{"a.md": {"a9 a8 a7 a6 a5 a4 a3 a2 a1 a0 " + numbered("y", 50), numbered("a", 8), rotate}, "b.md": {friday}},
			{"a.md": {rotate}, "b.md": {friday, numbered("a", 10)}},
		}, "b.md", "b0 a1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, names := runSteps(t, tt.steps)
			if got := w.namesAt(tt.path, names); got != tt.want {
				t.Errorf("%s holds %s, want %s", tt.path, got, tt.want)
			}
		})
	}
}

func TestCopyIsTakenOverWithinTenMinutes(t *testing.T) {
	for _, tt := range []struct {
		age  time.Duration
		want int
	}{{9 * time.Minute, 1}, {11 * time.Minute, 0}} {
		w := newWorld()
		w.applyStep(step{"a.md": {tabs, rotate}})
		w.applyStep(step{"b.md": {tabs}})
		w.now = w.now.Add(tt.age - time.Minute) // the next save adds a minute
		w.applyStep(step{"a.md": {rotate}})
		if got := len(w.last.TakeOvers); got != tt.want {
			t.Errorf("copied %v before the original went: %d takeovers, want %d", tt.age, got, tt.want)
		}
	}
}
