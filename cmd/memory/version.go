package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the version",
		Example: "  memory version",
		Args:    argumentCount(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			commit, date := buildOrigin()
			v := map[string]string{"version": version, "commit": commit, "date": date, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH}
			return a.printAnswer(v, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "memory %s (commit %s of %s, %s, %s/%s)\n", version, cmp.Or(commit, "unknown"), cmp.Or(date, "unknown date"), v["go"], v["os"], v["arch"])
				return err
			})
		},
	}
}

// buildOrigin returns the commit that the binary was built from and its time. Both
// are empty if the build had no repository. "-dirty" marks uncommitted changes.
func buildOrigin() (commit, date string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", ""
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)] + commit
		case "vcs.modified":
			if s.Value == "true" {
				commit += "-dirty"
			}
		case "vcs.time":
			date = s.Value
		}
	}
	return commit, date
}
