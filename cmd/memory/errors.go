package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

// exitOK is the exit code of a command that succeeded. [api.Failure.Exit] returns
// the exit codes of errors.
const exitOK = 0

// exitFound is the exit code of verify and destroy when they find the text. Their
// answer lists where.
const exitFound = 1

// reportError prints an error with its hint, and returns the exit code.
func (a *app) reportError(c *cobra.Command, args []string, err error) int {
	if errors.Is(err, context.Canceled) {
		err = memory.Unavailable(nil, "interrupted")
	}
	if strings.HasPrefix(err.Error(), "unknown command") {
		err = usageError(c, "%s", strings.Join(strings.Fields(err.Error()), " "))
	}
	failure := api.Describe(err)
	if failure.Hint == api.InvalidHint && c != nil {
		failure.Hint = c.CommandPath() + " --help shows how to use it"
	}
	fmt.Fprintf(a.err, "memory: %s%s\n", failedCommand(c), err)
	if failure.Hint != "" {
		fmt.Fprintf(a.err, "hint: %s\n", failure.Hint)
	}
	out, _ := a.out.(*display.Writer)
	answered := out != nil && out.Used // standard output is one document
	if (a.json || slices.Contains(args, "--json")) && !answered {
		_ = writeJSON(a.out, map[string]api.Failure{"error": failure}) // a failed write cannot be reported anywhere
	}
	return failure.Exit()
}

// failedCommand names the command that failed and its id: "show 3f8a: ".
func failedCommand(c *cobra.Command) string {
	if c == nil || !c.HasParent() {
		return ""
	}
	name := strings.TrimPrefix(c.CommandPath(), "memory ")
	if args := c.Flags().Args(); len(args) > 0 && strings.Contains(c.Use, " ID") {
		name += " " + args[0]
	}
	return name + ": "
}
