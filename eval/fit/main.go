// Command fit is a developer's tool: it fits the weights of the ranking's
// signals to golden queries and prints them beside the weights in use. It
// changes nothing; the weights are constants in recall/ranking/signals.go.
//
//	go run ./eval/fit bin/memory golden.jsonl
//
// It runs "memory search --explain" for every golden query, in the workspace
// that MEMORY_WORKSPACE and MEMORY_STATE_DIR select. Times without a zone are
// local times, so set TZ to the workspace's time zone. A few hundred queries
// give useful weights; fewer overfit.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return errors.New("usage: fit BINARY GOLDEN.jsonl")
	}
	file, err := os.Open(args[1])
	if err != nil {
		return err
	}
	defer file.Close()
	golden, err := eval.ReadGolden(file, time.Local)
	if err != nil {
		return err
	}
	weights, err := fit(ctx, golden, searchWith(args[0]))
	if err != nil {
		return err
	}
	return weights.writeTable(os.Stdout)
}

// searchWith returns a search that runs the binary, and fails where a lane of
// the search is out.
func searchWith(binary string) eval.Search {
	return func(ctx context.Context, lane memory.Lane, g eval.Golden) ([]memory.Hit, error) {
		args := []string{"search", "--json", "--explain", "--lane", string(lane), "--limit", strconv.Itoa(eval.MaxHits)}
		if g.Workspace != "" {
			args = append(args, "--workspace", g.Workspace)
		}
		if g.Scope != "" {
			args = append(args, "--scope", string(g.Scope))
		}
		if !g.AsOf.IsZero() {
			args = append(args, "--as-of", g.AsOf.Format(time.RFC3339))
		}
		var stderr bytes.Buffer
		search := exec.CommandContext(ctx, binary, append(args, "--", g.Query)...)
		search.Stderr = &stderr
		out, err := search.Output()
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
		}
		var answer memory.SearchAnswer
		if err := json.Unmarshal(out, &answer); err != nil {
			return nil, fmt.Errorf("read the answer: %w", err)
		}
		if state, asked := answer.Lanes[lane]; asked && state != "ok" {
			return nil, fmt.Errorf("the %s lane is out: %s", lane, state)
		}
		return answer.Hits, nil
	}
}
