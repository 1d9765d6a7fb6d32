package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// printDestroyed prints the destroyed memories, and the result of the search in
// every file afterwards, which is the proof. If the search found the text, the
// command succeeds with an exit code of its own.
func (a *app) printDestroyed(answer memory.DecideAnswer) error {
	err := a.printAnswer(answer, func(w io.Writer) error {
		for _, m := range answer.Changed {
			if _, err := fmt.Fprintf(w, "destroyed %s  %s\n", m.ID.Short(), display.Location(m)); err != nil {
				return err
			}
		}
		if answer.Scan != nil {
			if err := printScan(w, *answer.Scan); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintf(w, "not searched: %s\n", strings.Join(answer.Unreachable, "; "))
		return err
	})
	if err == nil && answer.Scan != nil && answer.Scan.Found > 0 {
		return errFound
	}
	return err
}

func printScan(w io.Writer, scan memory.VerifyAnswer) error {
	unread := 0
	for _, c := range scan.Checked {
		var err error
		switch {
		case c.Found && c.At != nil:
			_, err = fmt.Fprintf(w, "STILL IN  %s at byte %d%s\n", display.Name(c.File), *c.At, parenthesised(c.Note))
		case !c.Found && c.Note != "":
			unread++
			_, err = fmt.Fprintf(w, "unread    %s: %s\n", display.Name(c.File), c.Note)
		}
		if err != nil {
			return err
		}
	}
	if scan.Found > 0 {
		_, err := fmt.Fprintf(w, "searched %d files: %d of them still contain the text\n", len(scan.Checked)-unread, scan.Found)
		return err
	}
	_, err := fmt.Fprintf(w, "searched %d files: 0 bytes of the text are left\n", len(scan.Checked)-unread)
	return err
}

func parenthesised(note string) string {
	if note == "" {
		return ""
	}
	return " (" + note + ")"
}
