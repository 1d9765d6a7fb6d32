// Command ageing is a developer's tool that measures the ageing policy.
//
//	go run ./eval/ageing year    # a year of simulated use, with ageing and without
//	go run ./eval/ageing sweep   # the time of a sweep, and how long a store waits beside it
package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "ageing:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "year":
		return year(ctx, out, plan{memories: 2000, days: 365, prompts: 10})
	case len(args) == 1 && args[0] == "sweep":
		return measureSweep(ctx, out, 100_000)
	}
	return fmt.Errorf("usage: ageing year|sweep")
}
