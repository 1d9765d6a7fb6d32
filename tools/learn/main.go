// Command learn is a developer's tool. It trains the models of package learn from its examples and
// writes them beside these. It measures the gate on prompts that it was not trained with; command
// capture measures the other model.
//
//	go -C tools run ./learn
//
// Mistakes are listed for the half "tune". Nobody looks at the prompts of the half "test".
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/memory-tiered/memory/learn"
)

// folder has the models and the examples, seen from tools/.
const folder = "../learn"

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "learn:", err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	if _, err := write(w, "capture", readCapture); err != nil {
		return err
	}
	model, err := write(w, "gate", readGate)
	if err != nil {
		return err
	}
	for _, half := range []string{"tune", "test"} {
		held, err := read(filepath.Join(folder, "examples/gate", half))
		if err != nil {
			return err
		}
		if err := report(w, half, model, held); err != nil {
			return err
		}
	}
	return nil
}

// write trains a model and writes it.
func write(w io.Writer, name string, read func(string) ([]example, error)) (*learn.Model, error) {
	examples, err := read(filepath.Join(folder, "examples"))
	if err != nil {
		return nil, err
	}
	model := train(examples)
	encoded, err := encode(model)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "%s: %d examples, %d bytes\n", name, len(examples), len(encoded))
	return model, os.WriteFile(filepath.Join(folder, name+".model"), encoded, 0o644)
}

// report prints how many prompts of each language and label the model takes for trivial.
func report(w io.Writer, half string, model *learn.Model, held []example) error {
	type group struct{ language, label string }
	all, trivial := map[group]int{}, map[group]int{}
	var languages []string
	for _, e := range held {
		if all[group{e.Language, learn.Trivial}]+all[group{e.Language, learn.Needs}] == 0 {
			languages = append(languages, e.Language)
		}
		g := group{e.Language, e.Label}
		all[g]++
		p := model.Probability(e.Text, learn.Trivial)
		if p >= learn.MinTrivial {
			trivial[g]++
		}
		if half == "tune" && (p >= learn.MinTrivial) != (e.Label == learn.Trivial) {
			fmt.Fprintf(w, "%.2f %s %s: %s\n", p, e.Language, e.Label, e.Text)
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\ttrivial\tfound\tothers\tskipped\t\n", half)
	for _, l := range languages {
		found, others := group{l, learn.Trivial}, group{l, learn.Needs}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t\n", l, all[found], trivial[found], all[others], trivial[others])
	}
	fmt.Fprintln(t)
	return t.Flush()
}
