package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

func TestStatsPlot(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	writeFile(t, filepath.Join(dir, "MEMORY.md"), "- The ferry leaves at nine\n- Ada has the key\n")
	svg := filepath.Join(t.TempDir(), "plot.svg")
	plain := runProgram(t, dir, state, "stats", "--plot", "--svg", svg)
	for _, want := range []string{"WARM, ", "2┼──", "memories by age", "< day │█", "nothing is known before"} {
		if !strings.Contains(plain, want) {
			t.Errorf("the plot lacks %q:\n%s", want, plain)
		}
	}
	var out bytes.Buffer
	a := newApp(t, dir, state)
	a.out, a.terminal = &out, true
	if code := a.run(t.Context(), []string{"stats", "--plot"}); code != exitOK || !strings.Contains(out.String(), "\x1b[") || !strings.Contains(out.String(), "ARCHIVE") {
		t.Errorf("with colour (%d):\n%s", code, out.String())
	}
	src, err := os.ReadFile(svg)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(src), "<polyline "); n != len(memory.Tiers) {
		t.Errorf("%d lines in %s", n, src)
	}
	for d := xml.NewDecoder(bytes.NewReader(src)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in %s", err, src)
		}
	}
}
