// Command plot is a developer's tool: it draws recall against the token budget
// from a report of "memory eval --json", as SVG.
//
//	memory eval --json golden.jsonl | go run ./eval/plot > recall.svg
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/memory-tiered/memory/eval"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	var r eval.Report
	if err := json.NewDecoder(in).Decode(&r); err != nil {
		return fmt.Errorf("read the report: %w", err)
	}
	return writeSVG(out, r)
}
