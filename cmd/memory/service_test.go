package main

import "testing"

func TestLastLines(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"a\nb\nc\n", 2, "b\nc\n"},
		{"a\nb\nc", 2, "b\nc"},
		{"a\nb\nc\n", 3, "a\nb\nc\n"},
		{"a\nb\nc\n", 9, "a\nb\nc\n"},
		{"a\nb\n", 0, ""},
		{"a", 0, ""},
		{"", 5, ""},
		{"\n\n", 1, "\n"},
	} {
		if got := string(lastLines([]byte(tt.text), tt.n)); got != tt.want {
			t.Errorf("the last %d lines of %q are %q, want %q", tt.n, tt.text, got, tt.want)
		}
	}
}
