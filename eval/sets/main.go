// Command sets is a developer's tool that measures recall on several workspaces with
// golden queries. It compares the table of the binary with its transformer.
//
//	go run ./eval/sets -vectors FOLDER [-model table|transformer] [-foreign DIR,DIR] [-tiers aged|warm] [-hits FILE] DIR...
//
// Each DIR is a workspace with a golden.jsonl. FOLDER keeps the transformer's vectors, so
// that a second run takes seconds. The queries of the workspaces of -foreign are asked of
// every other one too, as queries without an answer. -tiers aged makes nine in
// ten right answers COLD, and the other memories HOT and WARM in turn; -tiers warm makes
// all WARM. -hits writes the signals of all hits,
// one line of JSON per query, so that rules can be tried without the program.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/minilm"
	"github.com/memory-tiered/memory/embed/static"
)

// workerCommand is the argument with which the tool starts itself as the process of the
// transformer.
const workerCommand = "transformer-worker"

func main() {
	ctx := context.Background()
	var err error
	if len(os.Args) == 3 && os.Args[1] == workerCommand {
		err = minilm.Serve(ctx, os.Stdin, os.Stdout, os.Args[2])
	} else {
		err = run(ctx, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sets:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (err error) {
	flags := flag.NewFlagSet("sets", flag.ContinueOnError)
	model := flags.String("model", "", "measure one model only: table or transformer")
	folder := flags.String("vectors", "", "keep the vectors of the transformer in this folder")
	foreign := flags.String("foreign", "", "ask the queries of these workspaces, between commas, of every other one too")
	tiers := flags.String("tiers", "", "aged: make nine in ten right answers COLD, and the other memories HOT and WARM; warm: make all WARM")
	hits := flags.String("hits", "", "write the signals of all hits into this file")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || *folder == "" {
		return fmt.Errorf("name a folder with -vectors, and workspaces with a golden.jsonl")
	}
	sets, err := readSets(flags.Args(), *foreign)
	if err != nil {
		return err
	}
	for i := range sets {
		sets[i].tiers = *tiers
	}
	record := func(any) error { return nil }
	if *hits != "" {
		file, err := os.Create(*hits)
		if err != nil {
			return err
		}
		defer func() { err = file.Close() }()
		record = json.NewEncoder(file).Encode
	}
	for _, name := range []string{"table", "transformer"} {
		if *model != "" && *model != name {
			continue
		}
		if err := measureSets(ctx, name, *folder, sets, record); err != nil {
			return err
		}
	}
	return nil
}

// measureSets prints a table of all sets with one model.
func measureSets(ctx context.Context, model, folder string, sets []set, record func(any) error) error {
	e, closeCache, err := newEmbedder(model, folder)
	if err != nil {
		return err
	}
	fmt.Println(model)
	printHeader(os.Stdout)
	for _, s := range sets {
		rows, err := s.measure(ctx, e, func(r row) error {
			return record(struct {
				Model string `json:"model"`
				row
			}{model, r})
		})
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		printRows(os.Stdout, s.name, rows)
	}
	return closeCache()
}

// newEmbedder returns the embedder of a model, and a function that closes its cache.
func newEmbedder(model, folder string) (embed.Embedder, func() error, error) {
	table, err := static.New()
	if err != nil {
		return nil, nil, err
	}
	switch model {
	case "table":
		return table, func() error { return nil }, nil
	case "transformer":
	default:
		return nil, nil, fmt.Errorf("there is no model %q: table or transformer", model)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	dir, err := filepath.Abs(folder)
	if err != nil {
		return nil, nil, err
	}
	e := minilm.New(minilm.Options{Dir: filepath.Join(dir, "transformer"), Command: func(dir string) *exec.Cmd { return exec.CommandContext(context.Background(), self, workerCommand, dir) }})
	c, err := openCache(e, filepath.Join(dir, strings.NewReplacer("/", "-", "@", "-").Replace(e.Model())+".vectors"))
	if err != nil {
		return nil, nil, err
	}
	return c, func() error {
		e.ReleaseUnused(0)
		return c.Close()
	}, nil
}
