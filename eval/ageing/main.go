// Command ageing is a developer's tool that measures the ageing policy.
//
//	go run ./eval/ageing year [SVG]      # a year of simulated use, with ageing and without
//	go run ./eval/ageing sweep [NUMBER]  # the time of a sweep, and how long a store waits beside it
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "ageing:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 || len(args) > 2 {
		return errUsage
	}
	argument := ""
	if len(args) == 2 {
		argument = args[1]
	}
	switch args[0] {
	case "year":
		return year(ctx, out, plan{memories: 2000, days: 365, prompts: 10}, argument)
	case "sweep":
		memories := 100_000
		if argument != "" {
			n, err := strconv.Atoi(argument)
			if err != nil || n < 1 {
				return errUsage
			}
			memories = n
		}
		return measureSweep(ctx, out, memories)
	}
	return errUsage
}

var errUsage = errors.New("usage: ageing year [SVG] | ageing sweep [NUMBER]")
