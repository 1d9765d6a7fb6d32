package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

var update = flag.Bool("update", false, "write testdata/plot.svg anew")

// report reads the golden report of package eval: four queries in three lanes.
func report(t *testing.T) (r eval.Report) {
	t.Helper()
	src, err := os.ReadFile("../testdata/report.json")
	if err == nil {
		err = json.Unmarshal(src, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// plotOf runs the tool on the JSON of a report.
func plotOf(t *testing.T, r eval.Report) []byte {
	t.Helper()
	src, err := json.Marshal(r)
	var b bytes.Buffer
	if err == nil {
		err = run(bytes.NewReader(src), &b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// texts returns the character data of every element with a name. It fails on
// what is not well-formed XML.
func texts(t *testing.T, src []byte, name string) (all []string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(src))
	for inside := false; ; {
		token, err := d.Token()
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local == name
		case xml.CharData:
			if inside {
				all = append(all, strings.TrimSpace(string(token)))
			}
			inside = false
		}
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, src)
		}
	}
}

func TestPlotShowsEveryFigureOfTheReport(t *testing.T) {
	r := report(t)
	r.Blocks = &eval.Blocks{Recall: 0.25, Tokens: 240}
	src := plotOf(t, r)
	const golden = "testdata/plot.svg"
	if *update {
		if err := os.WriteFile(golden, src, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(src, want) {
		t.Errorf("the plot differs from %s (%v):\n%s", golden, err, src)
	}
	if again := plotOf(t, report(t)); bytes.Equal(again, src) {
		t.Error("the injected block is not in the plot")
	}
	titles, words := texts(t, src, "title"), texts(t, src, "text")
	if len(r.Curve.Tokens) != 12 || r.Curve.Tokens[0] != 100 || r.Curve.Tokens[11] != 4000 {
		t.Errorf("budgets %v", r.Curve.Tokens)
	}
	for _, lane := range memory.Lanes {
		for i, tokens := range r.Curve.Tokens {
			if want := fmt.Sprintf("%s: %.1f %% within %d tokens", lane, 100*r.Curve.Recall[lane][i], tokens); !slices.Contains(titles, want) {
				t.Errorf("no dot has the title %q", want)
			}
		}
		if !slices.Contains(words, string(lane)) {
			t.Errorf("the legend has no %s: %q", lane, words)
		}
	}
	if at := slices.Index(r.Curve.Tokens, 1000); r.Curve.Recall[memory.LaneHybrid][at] != r.Metrics.Recall1000 {
		t.Errorf("the curve has %v within 1000 tokens, the table %v", r.Curve.Recall[memory.LaneHybrid][at], r.Metrics.Recall1000)
	}
	if !slices.Contains(titles, "injected: 25.0 % within 240 tokens on the average") {
		t.Errorf("titles: %q", titles)
	}
}

func TestPlotIsDeterministic(t *testing.T) {
	if first, second := plotOf(t, report(t)), plotOf(t, report(t)); !bytes.Equal(first, second) {
		t.Errorf("two plots of one report differ:\n%s\n%s", first, second)
	}
}

func TestPlotRefusesReportWithoutCurve(t *testing.T) {
	for name, src := range map[string]string{"no curve": `{"queries": 4}`, "not JSON": "recall"} {
		var out bytes.Buffer
		if err := run(strings.NewReader(src), &out); err == nil || out.Len() > 0 {
			t.Errorf("%s: %v, wrote %q", name, err, out.String())
		}
	}
}
