package eval_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

func plotOf(t *testing.T, r eval.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// texts gives what stands in each element of a name; what is no XML fails.
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

func TestThePlotShowsTheReport(t *testing.T) {
	r := run(t)
	r.Blocks = &eval.Blocks{Recall: 0.25, Tokens: 240}
	src := plotOf(t, r)
	compareGolden(t, "testdata/plot.svg", string(src))
	if again := plotOf(t, run(t)); bytes.Equal(again, src) {
		t.Error("the block is not in the plot")
	}
	titles, words := texts(t, src, "title"), texts(t, src, "text")
	if len(r.Curve.Tokens) != 12 || r.Curve.Tokens[0] != 100 || r.Curve.Tokens[11] != 4000 {
		t.Errorf("budgets %v", r.Curve.Tokens)
	}
	for _, lane := range memory.Lanes {
		for i, tokens := range r.Curve.Tokens {
			if want := fmt.Sprintf("%s: %.1f %% within %d tokens", lane, 100*r.Curve.Recall[lane][i], tokens); !slices.Contains(titles, want) {
				t.Errorf("no dot says %q", want)
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

func TestThePlotIsTheSameEachTime(t *testing.T) {
	if first, second := plotOf(t, run(t)), plotOf(t, run(t)); !bytes.Equal(first, second) {
		t.Errorf("two plots of one report differ:\n%s\n%s", first, second)
	}
	if err := (eval.Report{}).WriteSVG(io.Discard); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a report without a curve, as an older program wrote it: %v", err)
	}
}
