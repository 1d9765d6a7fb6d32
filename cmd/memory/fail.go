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
)

// Exit codes are part of the command line's contract.
const (
	exitDone        = 0
	exitFailed      = 1
	exitInvalid     = 2
	exitNotFound    = 3
	exitConflict    = 4
	exitUnavailable = 5
)

// kinds maps each kind of failure to its name on the wire and its exit code.
var kinds = []struct {
	kind error
	code string
	exit int
}{
	{memory.ErrInvalid, "invalid", exitInvalid},
	{memory.ErrNotFound, "not_found", exitNotFound},
	{memory.ErrConflict, "conflict", exitConflict},
	{memory.ErrForbidden, "forbidden", exitFailed},
	{memory.ErrUnavailable, "unavailable", exitUnavailable},
}

// fail tells what went wrong and how to get past it.
func (a *app) fail(c *cobra.Command, args []string, err error) int {
	if errors.Is(err, context.Canceled) {
		err = memory.Unavailable(nil, "interrupted")
	}
	if strings.HasPrefix(err.Error(), "unknown command") {
		err = misused(c, "%s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	code, exit := "internal", exitFailed
	for _, k := range kinds {
		if errors.Is(err, k.kind) {
			code, exit = k.code, k.exit
			break
		}
	}
	var detail memory.Error
	if e := (*memory.Error)(nil); errors.As(err, &e) {
		detail = *e
	}
	fmt.Fprintf(a.err, "memory: %s%s\n", place(c), err)
	if detail.Hint != "" {
		fmt.Fprintf(a.err, "hint: %s\n", detail.Hint)
	}
	if a.json || slices.Contains(args, "--json") {
		var body struct {
			Error struct {
				Code    string `json:"code"`
				Message string `json:"message"`
				Hint    string `json:"hint"`
				Field   string `json:"field"`
			} `json:"error"`
		}
		body.Error.Code, body.Error.Message = code, err.Error()
		body.Error.Hint, body.Error.Field = detail.Hint, detail.Field
		_ = writeJSON(a.out, body) // there is nowhere left to tell that telling failed
	}
	return exit
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
