package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/embed/hugot"
	"github.com/memory-tiered/memory/embed/models"
	"github.com/memory-tiered/memory/embed/provider"
	"github.com/memory-tiered/memory/embed/static"
)

func (a *app) modelCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "model",
		Short: "choose what makes the vectors: list, pull, use, remove",
		Long: `The model in the binary needs nothing. A sentence transformer finds more, costs
some thousand times as much work, and has to be pulled once. Servers near and far
are set by configuration (embedding.provider); docs/embedding.md says how.`,
		Example: `  memory model list
  memory model pull all-MiniLM-L6-v2
  memory model use all-MiniLM-L6-v2`,
	}
	c.AddCommand(a.modelList(), a.modelPull(), a.modelUse(), a.modelRemove())
	return c
}

// listed is a model as a person chooses one.
type listed struct {
	Name    string              `json:"name"`
	State   string              `json:"state"` // built in, here, not here, damaged
	Dim     int                 `json:"dim"`
	Bytes   int64               `json:"bytes"`
	Wanted  bool                `json:"wanted"`  // the configuration names it
	Serving memory.List[string] `json:"serving"` // the workspaces that it answers in
	About   string              `json:"about,omitempty"`
	Error   string              `json:"error,omitempty"`
}

func (a *app) modelList() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "list the models: in the binary, on this machine, and those that can be pulled",
		Example: "  memory model list",
		Args:    arguments(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, stateDir, err := a.load()
			if err != nil {
				return err
			}
			list, err := a.allModels(cfg, stateDir)
			if err != nil {
				return err
			}
			status, err := a.statusNow(c)
			if err != nil {
				return err
			}
			for i := range list {
				list[i].Serving = servedBy(status, list[i].Name)
			}
			return a.answer(map[string]any{"models": list, "provider": cfg.Embedding.Provider}, func(w io.Writer) error {
				return printModels(w, list, cfg.Embedding, status)
			})
		},
	}
}

func (a *app) statusNow(c *cobra.Command) (memory.Status, error) {
	s, err := a.open(c.Context(), anywhere, false)
	if err != nil {
		return memory.Status{}, err
	}
	status, err := s.Status(c.Context())
	return status, errors.Join(err, s.Close())
}

// allModels lists the one in the binary, those that are here, and those that
// could be.
func (a *app) allModels(cfg *config.Loaded, stateDir string) ([]listed, error) {
	inside, err := static.New()
	if err != nil {
		return nil, err
	}
	of := cfg.Embedding
	local := of.Provider == "local" && of.Local.ModelPath == ""
	list := []listed{{Name: provider.BuiltIn, State: "built in", Dim: inside.Dim(), About: "no download, a few microseconds a text",
		Wanted: local && (of.Model == "" || of.Model == provider.BuiltIn)}}
	here, faults, err := provider.Models(stateDir).List()
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, m := range here {
		seen[m.Name] = true
		list = append(list, listed{Name: m.Name, State: "here", Dim: m.Dim, Bytes: m.Bytes(), About: m.About})
	}
	for _, m := range models.Catalogue {
		if !seen[m.Name] {
			list = append(list, listed{Name: m.Name, State: "not here", Dim: m.Dim, Bytes: m.Bytes(), About: m.About})
		}
	}
	for i := range list[1:] {
		m := &list[i+1]
		m.Wanted = local && of.Model == m.Name
		for _, fault := range faults {
			if strings.Contains(fault.Error(), m.Name) {
				m.State, m.Error = "damaged", fault.Error()
			}
		}
	}
	return list, nil
}

// servedBy names the workspaces that a model answers in, or is about to.
func servedBy(status memory.Status, name string) memory.List[string] {
	var in memory.List[string]
	for _, w := range status.Workspaces {
		if isModel(w.Embedding.Model, name) {
			in = append(in, w.Name)
		}
	}
	return in
}

func isModel(embedder, name string) bool {
	return name == provider.BuiltIn && strings.HasPrefix(embedder, "static/") || strings.HasPrefix(embedder, "hugot/"+name+"@")
}

func printModels(w io.Writer, list []listed, of config.Embedding, status memory.Status) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, m := range list {
		mark, size := " ", ""
		if m.Wanted {
			mark = "*"
		}
		if m.Bytes > 0 {
			size = bytesText(m.Bytes)
		}
		serving := ""
		if len(m.Serving) > 0 {
			serving = "serves " + strings.Join(m.Serving, ", ")
		}
		fmt.Fprintf(table, "%s %s\t%s\t%d numbers\t%s\t%s\t%s\n", mark, m.Name, m.State, m.Dim, size, m.About, serving)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if of.Provider != "local" {
		fmt.Fprintf(w, "the configuration names: embedding.provider %s %s\n", of.Provider, of.Model)
	}
	for _, ws := range status.Workspaces {
		fmt.Fprintf(w, "%s: %s\n", ws.Name, embeddingText(ws.Embedding))
	}
	return nil
}

func (a *app) modelPull() *cobra.Command {
	var from string
	c := &cobra.Command{
		Use:   "pull NAME",
		Short: "bring a model to this machine; what was interrupted goes on where it was",
		Long: `pull fetches the files of a model at a pinned revision and compares each with its
SHA-256. --from takes them from a folder instead, for machines without a network,
or from a mirror. A folder may hold any BERT model with WordPiece tokens, under a
name of your choice: model.onnx, tokenizer.json and config.json.`,
		Example: `  memory model pull all-MiniLM-L6-v2
  memory model pull all-MiniLM-L6-v2 --from /media/usb/all-MiniLM-L6-v2
  memory model pull gte-small --from ~/models/gte-small`,
		Args:              arguments(1, 1, "the model's name"),
		ValidArgsFunction: a.completeModel,
		RunE: func(c *cobra.Command, args []string) error {
			_, stateDir, err := a.load()
			if err != nil {
				return err
			}
			if !hugot.Available {
				fmt.Fprintf(a.err, "note: %v\n", hugot.ErrAbsent)
			}
			bar := a.progress()
			m, err := provider.Models(stateDir).Pull(c.Context(), args[0], from, bar.show)
			bar.done()
			if err != nil {
				return err
			}
			return a.answer(m, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s is here (%s, %d numbers a vector); memory model use %s takes it\n", m.Name, bytesText(m.Bytes()), m.Dim, m.Name)
				return err
			})
		},
	}
	c.Flags().StringVar(&from, "from", "", "a folder that holds the files, or the address of a mirror")
	return c
}

func (a *app) modelRemove() *cobra.Command {
	return &cobra.Command{
		Use:               "remove NAME",
		Short:             "take a pulled model off this machine",
		Example:           "  memory model remove all-MiniLM-L6-v2",
		Args:              arguments(1, 1, "the model's name"),
		ValidArgsFunction: a.completeModel,
		RunE: func(c *cobra.Command, args []string) error {
			cfg, stateDir, err := a.load()
			if err != nil {
				return err
			}
			if args[0] == provider.BuiltIn {
				return memory.Conflict("the model in the binary cannot be removed")
			}
			if cfg.Embedding.Provider == "local" && cfg.Embedding.Model == args[0] {
				return memory.Conflict("%s is the model that the configuration names", args[0]).WithHint("memory model use static, then remove it")
			}
			status, err := a.statusNow(c)
			if err != nil {
				return err
			}
			for _, w := range status.Workspaces {
				if next := w.Embedding.Next; isModel(w.Embedding.Model, args[0]) || next != nil && isModel(next.Model, args[0]) {
					return memory.Conflict("%s still serves the workspace %s", args[0], w.Name).
						WithHint("memory status shows how far the change to another model is")
				}
			}
			if err := provider.Models(stateDir).Remove(args[0]); err != nil {
				return err
			}
			return a.answer(map[string]string{"removed": args[0]}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s is removed\n", args[0])
				return err
			})
		},
	}
}

// completeModel completes the names that memory model list shows.
func (a *app) completeModel(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	cfg, stateDir, err := a.load()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := a.allModels(cfg, stateDir)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, m := range list {
		if m.Name != provider.BuiltIn || c.Name() == "use" {
			names = append(names, m.Name)
		}
	}
	if c.Name() == "use" {
		names = append(names, "openai", "gemini", "auto", "none")
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
