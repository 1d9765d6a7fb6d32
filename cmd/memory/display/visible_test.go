package display

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
)

var hostile = []struct{ name, in, want string }{
	{"plain", "a line\n\tof text", "a line\n\tof text"},
	{"other scripts", "Grüße 港湾 שלום", "Grüße 港湾 שלום"},
	{"colour of others", "\x1b[32mrunning\x1b[0m", `\u001b[32mrunning\u001b[0m`},
	{"clear the screen", "a\x1b[2Jb", `a\u001b[2Jb`},
	{"set the title", "\x1b]0;owned\x07", `\u001b]0;owned\u0007`},
	{"C1 control", "a\u009b2Jb", `a\u009b2Jb`},
	{"delete", "a\x7fb", `a\u007fb`},
	{"carriage return and backspace", "safe\rEVIL\b\x00", `safe\u000dEVIL\u0008\u0000`},
	{"right to left", "\u202egnp.exe\u202c \u2066x\u2069", `\u202egnp.exe\u202c \u2066x\u2069`},
	{"zero width", "pass\u200bword\ufeff\u2060 \U000e0041", `pass\u200bword\ufeff\u2060 \udb40\udc41`},
	{"line separator", "a\u2028b", `a\u2028b`},
	{"emoji of several parts", "👩\u200d💻 a\u200db", "👩\u200d💻 a" + `\u200db`},
}

func TestTerminalGetsNoInvisibleCharacters(t *testing.T) {
	for _, tt := range hostile {
		for _, step := range []int{1, len(tt.in)} { // in single bytes, and at once
			var got bytes.Buffer
			w := NewWriter(&got, NewColours())
			for rest := tt.in; rest != ""; rest = rest[step:] {
				must.Get(w.Write([]byte(rest[:step])))(t)
			}
			if got.String() != tt.want {
				t.Errorf("%s, %d bytes at a time: %s, want %s", tt.name, step, &got, tt.want)
			}
		}
	}
}

func TestEscapesMeanTheSameInJSON(t *testing.T) {
	for _, tt := range hostile {
		var got bytes.Buffer
		must.Do(t, json.NewEncoder(NewWriter(&got, "")).Encode(tt.in))
		var text string
		if err := json.Unmarshal(got.Bytes(), &text); err != nil || text != tt.in {
			t.Errorf("%s: %q, %v", tt.name, text, err)
		}
		if strings.ContainsAny(got.String(), "\x7f\x1b\u009b\u202e\u200b") {
			t.Errorf("%s: %q", tt.name, &got)
		}
	}
}

func TestOnlyTheColoursOfThisProgramStay(t *testing.T) {
	var got bytes.Buffer
	key := NewColours()
	w := NewWriter(&got, key)
	must.Get(w.Write([]byte(key.Mark("\x1b[32mfine\x1b[0m") + " " + NewColours().Mark("\x1b[31m") + "\x1b[31m")))(t)
	if text := got.String(); !strings.HasPrefix(text, "\x1b[32mfine\x1b[0m ") || strings.Count(text, "\x1b") != 2 {
		t.Errorf("%q", text)
	}
}
