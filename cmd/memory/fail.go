package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
)

// exitDone is the exit code of a command that did what it was asked. The others
// are the protocol's: [api.Failure.Exit].
const exitDone = 0

// exitFound is the exit code of a command that has looked for what should not be
// there, and has found it: the answer says where.
const exitFound = 1

// fail tells what went wrong and how to get past it.
func (a *app) fail(c *cobra.Command, args []string, err error) int {
	if errors.Is(err, context.Canceled) {
		err = memory.Unavailable(nil, "interrupted")
	}
	if strings.HasPrefix(err.Error(), "unknown command") {
		err = misused(c, "%s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	failure := api.Describe(err)
	fmt.Fprintf(a.err, "memory: %s%s\n", place(c), err)
	if failure.Hint != "" {
		fmt.Fprintf(a.err, "hint: %s\n", failure.Hint)
	}
	if a.json || slices.Contains(args, "--json") {
		_ = writeJSON(a.out, map[string]api.Failure{"error": failure}) // there is nowhere left to tell that telling failed
	}
	return failure.Exit()
}

// place is the command that failed, and what it was about: "show 3f8a: ".
func place(c *cobra.Command) string {
	if c == nil || !c.HasParent() {
		return ""
	}
	name := strings.TrimPrefix(c.CommandPath(), "memory ")
	if args := c.Flags().Args(); len(args) > 0 && strings.Contains(c.Use, " ID") {
		name += " " + args[0]
	}
	return name + ": "
}

func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
