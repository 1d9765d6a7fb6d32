package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/memory-tiered/memory"
)

// tellDestroyed says what was destroyed, and what a look at every file found of
// it afterwards: that is the proof. Something found is no failure of the command
// and all the same an exit code of its own.
func (a *app) tellDestroyed(answer memory.DecideAnswer) error {
	err := a.answer(answer, func(w io.Writer) error {
		for _, m := range answer.Changed {
			if _, err := fmt.Fprintf(w, "destroyed %s  %s\n", m.ID.Short(), where(m)); err != nil {
				return err
			}
		}
		if answer.Scan != nil {
			if err := printScan(w, *answer.Scan); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintf(w, "not looked at: %s\n", strings.Join(answer.Unreachable, "; "))
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
			_, err = fmt.Fprintf(w, "STILL IN  %s at byte %d%s\n", c.File, *c.At, inBrackets(c.Note))
		case !c.Found && c.Note != "":
			unread++
			_, err = fmt.Fprintf(w, "unread    %s: %s\n", c.File, c.Note)
		}
		if err != nil {
			return err
		}
	}
	if scan.Found > 0 {
		_, err := fmt.Fprintf(w, "looked at %d files: %d of them still hold the text\n", len(scan.Checked)-unread, scan.Found)
		return err
	}
	_, err := fmt.Fprintf(w, "looked at %d files: 0 bytes of it are left\n", len(scan.Checked)-unread)
	return err
}

func inBrackets(note string) string {
	if note == "" {
		return ""
	}
	return " (" + note + ")"
}
