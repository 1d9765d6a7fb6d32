package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) serviceLogsCommand() *cobra.Command {
	var lines int
	var follow bool
	c := &cobra.Command{
		Use:     "logs",
		Short:   "show the log of the service",
		Example: "  memory service logs\n  memory service logs -n 500\n  memory service logs -f",
		Args:    argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			stateDir, err := a.stateDir()
			if err != nil {
				return err
			}
			if lines < 0 {
				return memory.Invalid("lines", "%d lines cannot be shown", lines).WithHint("give 0 or more")
			}
			return a.showLog(c.Context(), logFile(stateDir), lines, follow)
		},
	}
	c.Flags().IntVarP(&lines, "lines", "n", 100, "how many of the last lines")
	c.Flags().BoolVarP(&follow, "follow", "f", false, "go on with new lines until Ctrl-C")
	return c
}

// showLog prints the last lines of a log and, with follow, what is added to it.
func (a *app) showLog(ctx context.Context, file string, lines int, follow bool) error {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &memory.Error{Kind: memory.ErrNotFound, Message: "there is no log yet: " + file,
			Hint: "the installed service writes it: memory service install"}
	}
	if err != nil {
		return memory.Unavailable(err, "read the log")
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(f)       // a log file has at most 10 MiB
	if err != nil {
		return memory.Unavailable(err, "read the log")
	}
	if _, err := a.out.Write(lastLines(text, lines)); err != nil || !follow {
		return err
	}
	return a.followLog(ctx, f, file)
}

// lastLines returns the last n lines of a text.
func lastLines(text []byte, n int) []byte {
	end := len(bytes.TrimSuffix(text, []byte("\n")))
	for start := end; ; n-- {
		if n == 0 {
			return text[min(start+1, len(text)):]
		}
		if start = bytes.LastIndexByte(text[:start], '\n'); start < 0 {
			return text
		}
	}
}

// followLog prints what is added to a log, also after the log began a new file.
func (a *app) followLog(ctx context.Context, f *os.File, file string) error {
	const pause = 300 * time.Millisecond
	for {
		if _, err := io.Copy(a.out, f); err != nil {
			return memory.Unavailable(err, "read the log")
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		next, err := os.Open(file)
		if err != nil {
			continue // the log is just being renamed
		}
		opened, errOpened := f.Stat()
		named, errNamed := next.Stat()
		if errOpened == nil && errNamed == nil && !os.SameFile(opened, named) {
			f, next = next, f
		}
		_ = next.Close() // it was only read
	}
}
