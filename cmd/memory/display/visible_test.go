package display

import (
	"bytes"
	"strings"
	"testing"
)

func TestTerminalGetsNoInvisibleCharacters(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "a line\n\tof text", "a line\n\tof text"},
		{"other scripts", "Grüße 港湾 שלום", "Grüße 港湾 שלום"},
		{"colours of this program", "\x1b[32mrunning\x1b[0m", "\x1b[32mrunning\x1b[0m"},
		{"clear the screen", "a\x1b[2Jb", "a[2Jb"},
		{"set the title", "\x1b]0;owned\x07", "]0;owned"},
		{"C1 control", "a\u009b2Jb", "a2Jb"},
		{"carriage return and backspace", "safe\rEVIL\b\x00", "safeEVIL"},
		{"right to left", "\u202egnp.exe\u202c \u2066x\u2069", "gnp.exe x"},
		{"zero width", "pass\u200bword\ufeff\u2060 \U000e0041", "password "},
		{"line separator", "a\u2028b", "ab"},
		{"emoji of several parts", "👩\u200d💻 a\u200db", "👩\u200d💻 ab"},
	} {
		if got := visible(tt.in); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		var whole bytes.Buffer
		w := NewWriter(&whole)
		if strings.Contains(tt.in, "\x1b[32m") {
			continue // the program writes a colour in one piece
		}
		for i := range len(tt.in) { // in single bytes
			if _, err := w.Write([]byte(tt.in[i : i+1])); err != nil {
				t.Fatal(err)
			}
		}
		if got := whole.String(); strings.ContainsAny(got, "\x1b\u202e\u200b\u009b\r") {
			t.Errorf("%s, byte by byte: got %q", tt.name, got)
		}
	}
}
