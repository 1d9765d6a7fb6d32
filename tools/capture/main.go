// Command capture is a developer's tool. It measures capture on labelled turns.
// It prints precision and recall by language and by kind.
//
//	go -C tools run ./capture                  # the half that nobody tunes to
//	go -C tools run ./capture tune             # the half for tuning, with every mistake
//	go -C tools run ./capture test capture/authors
//
// The halves are told apart by a hash of the item's id.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/capture"
)

// folder contains the labelled turns, seen from tools/, unless another one is named.
const folder = "capture"

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "capture:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, args []string) error {
	half, from := "test", folder
	switch {
	case len(args) > 0 && len(args) < 3 && (args[0] == "test" || args[0] == "tune"):
		half, from = args[0], cmp.Or(strings.Join(args[1:], ""), folder)
	case len(args) > 0:
		return errors.New("usage: capture [test | tune] [FOLDER]")
	}
	items, err := readItems(from)
	if err != nil {
		return err
	}
	items = slices.DeleteFunc(items, func(i item) bool { return i.split() != half })
	if half == "tune" {
		mistakes(w, items)
	}
	if err := report(w, "language", items, func(i item) string { return i.Lang }); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return report(w, "kind", items, func(i item) string { return i.Kind })
}

// mistakes prints every item that is not captured exactly as labelled.
func mistakes(w io.Writer, items []item) {
	for _, i := range items {
		kept := ours(i)
		c := scoreItem(i, kept)
		if c.whole == c.expected && c.right == c.kept {
			continue
		}
		fmt.Fprintf(w, "%s %s (%s)\n", i.ID, i.Kind, i.Why)
		for _, m := range i.Messages {
			fmt.Fprintf(w, "  %s: %q\n", m.Role, m.Content)
		}
		for _, e := range i.Memories {
			fmt.Fprintf(w, "  want %q\n", e.Text)
		}
		for _, candidate := range capture.Extract(i.turn()) {
			fmt.Fprintf(w, "  got %q %s %s %s\n", candidate.Text, candidate.Trigger, candidate.Category, candidate.Skip)
		}
	}
	fmt.Fprintln(w)
}
