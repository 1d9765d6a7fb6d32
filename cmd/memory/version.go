package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the version",
		Example: "  memory version",
		Args:    argumentCount(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			v := map[string]string{"version": version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH}
			return a.printAnswer(v, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "memory %s (%s, %s/%s)\n", version, v["go"], v["os"], v["arch"])
				return err
			})
		},
	}
}
