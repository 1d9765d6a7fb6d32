// Command curve draws what other floors of a block would give, from reports of memory eval
// --json that ran with a low floor. It also writes the notebooks of tools/reader as
// workspaces, which memory eval can measure.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/memory-tiered/memory/eval"
)

const usage = `curve notebooks FROM TO         writes each notebook below FROM as a workspace in TO
curve draw TO.svg NAME=REPORT…  draws the curve of each report`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "curve:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "notebooks":
		return writeNotebooks(args[1], args[2])
	case len(args) > 2 && args[0] == "draw":
		curves, err := readCurves(args[2:])
		if err != nil {
			return err
		}
		return os.WriteFile(args[1], []byte(drawing(curves)), 0o644)
	}
	return errors.New(usage)
}

// curve is one line of the picture.
type curve struct {
	name                string
	answerable, without int // queries
	bins                []eval.SimilarityBin
}

func readCurves(args []string) (curves []curve, err error) {
	for _, arg := range args {
		name, file, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, errors.New(usage)
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var r eval.Report
		if err := json.Unmarshal(src, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if r.Blocks == nil || r.Blocks.Noise == nil || len(r.Similarities) == 0 {
			return nil, fmt.Errorf("%s has no blocks, or no queries without an answer", file)
		}
		curves = append(curves, curve{name, r.Blocks.Queries, r.Blocks.Noise.Queries, r.Similarities})
	}
	return curves, nil
}

// floorPoint is what a floor gives, in shares.
type floorPoint struct{ floor, answered, empty float64 }

// points returns a point for each bin, by the floor at which the bin begins.
func (c curve) points() []floorPoint {
	points := make([]floorPoint, len(c.bins))
	answers, noise := 0, 0
	for i := len(c.bins) - 1; i >= 0; i-- {
		answers, noise = answers+c.bins[i].Answers, noise+c.bins[i].Noise
		points[i] = floorPoint{c.bins[i].From, share(answers, c.answerable), 1 - share(noise, c.without)}
	}
	return points
}

func share(part, whole int) float64 { return float64(part) / float64(max(1, whole)) }
