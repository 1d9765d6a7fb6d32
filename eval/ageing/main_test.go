package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

// tiny is a simulation that a test can wait for.
var tiny = plan{memories: 60, days: 12, prompts: 3}

func TestSimulationGivesTheSameYearAgain(t *testing.T) {
	first, err := simulate(t.Context(), tiny, true, 20)
	if err != nil {
		t.Fatal(err)
	}
	again, err := simulate(t.Context(), tiny, true, 20)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first, again) {
		t.Errorf("the first time %+v, then %+v", first, again)
	}
	captured, demoted, answered := 0, 0, 0
	for _, m := range first.months {
		captured, demoted, answered = captured+m.captured, demoted+m.demoted, answered+m.answered
	}
	if len(first.days) != tiny.days || captured == 0 || demoted == 0 || answered == 0 {
		t.Errorf("%d days, %d captured, %d demoted, %d answered", len(first.days), captured, demoted, answered)
	}
	last, all := first.days[len(first.days)-1], 0
	for _, n := range last {
		all += n
	}
	if known := tiny.memories*11/20 + captured; all != known {
		t.Errorf("%d memories at the end, and %d are known: %v", all, known, last)
	}
}

func TestWithoutAgeingNothingBecomesCold(t *testing.T) {
	r, err := simulate(t.Context(), tiny, false, smallBlock)
	if err != nil {
		t.Fatal(err)
	}
	if last := r.days[len(r.days)-1]; last[memory.TierCold] != 0 || last[memory.TierHot] == 0 {
		t.Errorf("at the end %v", last)
	}
	var out bytes.Buffer
	if err := r.print(&out); err != nil || !strings.Contains(out.String(), "without ageing, at most 5 memories a block") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestPlotHasALineForEachTier(t *testing.T) {
	svg := drawTiers([]map[memory.Tier]int{{memory.TierHot: 9}, {memory.TierWarm: 4, memory.TierCold: 5}})
	if n := strings.Count(svg, "<polyline"); n != len(strokes) {
		t.Errorf("%d lines", n)
	}
	for _, label := range []string{"HOT 0", "WARM 4", "COLD 5"} {
		if !strings.Contains(svg, ">"+label+"<") {
			t.Errorf("no label %s", label)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// The plot of docs/ageing.md is one that this program draws.
func TestPageHasThePlot(t *testing.T) {
	svg, err := os.ReadFile(filepath.Join("..", "..", "docs", "ageing.svg"))
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(drawTiers(nil), "<line")
	if !strings.HasPrefix(string(svg), head) || strings.Count(string(svg), "<polyline") != len(strokes) {
		t.Error("docs/ageing.svg was drawn by another version: go run ./eval/ageing year docs/ageing.svg")
	}
}

func TestSweepIsMeasuredBesideAStore(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"sweep", "700"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"sweep of 700 memories: 700 moves in", "store alone:", "store beside the sweep"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
	for _, args := range [][]string{nil, {"sweep", "-3"}, {"sweep", "many"}, {"month"}, {"year", "a", "b"}} {
		if err := run(t.Context(), args, io.Discard); !errors.Is(err, errUsage) {
			t.Errorf("%q: %v", args, err)
		}
	}
}
