package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/embed/hugot"
	"github.com/memory-tiered/memory/embed/minilm"
	"github.com/memory-tiered/memory/embed/models"
	"github.com/memory-tiered/memory/embed/provider"
	"github.com/memory-tiered/memory/embed/static"
)

func (a *app) modelCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "model",
		Short: "manage embedding models: list, pull, use, remove",
		Long: `Two models are inside the binary and need no download. static is a table: it takes some
microseconds per text. transformer finds more if a question shares no word with its
answer, but needs some 400 MB of memory while it works. Other sentence transformers can
be pulled. The setting embedding.provider selects a local or remote server; see
docs/embedding.md.`,
		Example: `  memory model list
  memory model use transformer
  memory model use static`,
	}
	c.AddCommand(a.modelList(), a.modelPull(), a.modelUse(), a.modelRemove(), a.modelWorker())
	return c
}

// stateBuiltIn is the state of a model inside the binary.
const stateBuiltIn = "built in"

// modelInfo is a row of memory model list.
type modelInfo struct {
	Name       string              `json:"name"`
	State      string              `json:"state"` // built in, here (pulled), not here, or damaged
	Dim        int                 `json:"dim"`
	Bytes      int64               `json:"bytes"`   // on the disk
	Configured bool                `json:"wanted"`  // the configuration names it
	Serving    memory.List[string] `json:"serving"` // the workspaces whose vectors it makes
	About      string              `json:"about,omitempty"`
	Error      string              `json:"error,omitempty"`
}

func (a *app) modelList() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "list the models inside the binary, on this machine, and those that you can pull",
		Example: "  memory model list",
		Args:    argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, stateDir, err := a.load()
			if err != nil {
				return err
			}
			list, err := a.knownModels(cfg, stateDir)
			if err != nil {
				return err
			}
			status, err := a.status(c)
			if err != nil {
				return err
			}
			for i := range list {
				list[i].Serving = workspacesServedBy(status, list[i].Name)
			}
			return a.printAnswer(map[string]any{"models": list, "provider": cfg.Embedding.Provider}, func(w io.Writer) error {
				return printModels(w, list, cfg.Embedding, status)
			})
		},
	}
}

func (a *app) status(c *cobra.Command) (memory.Status, error) {
	s, err := a.open(c.Context(), noWorkspace, false)
	if err != nil {
		return memory.Status{}, err
	}
	status, err := s.Status(c.Context())
	return status, errors.Join(err, s.Close())
}

// knownModels lists the model inside the binary, the pulled models, and the rest of
// the catalogue.
func (a *app) knownModels(cfg *config.Loaded, stateDir string) ([]modelInfo, error) {
	builtIn, err := static.New()
	if err != nil {
		return nil, err
	}
	settings := cfg.Embedding
	local := settings.Provider == "local" && settings.Local.ModelPath == ""
	quality, tooSmall := settings.Local.Quality, a.embedders(cfg, stateDir).AllowsTransformer()
	unnamed, best := local && settings.Model == "", quality == provider.QualityBest || quality == provider.QualityAuto && tooSmall == ""
	list := []modelInfo{{Name: provider.BuiltIn, State: stateBuiltIn, Dim: builtIn.Dim(), About: "no download, a few microseconds per text",
		Configured: unnamed && !best || local && settings.Model == provider.BuiltIn}}
	if minilm.Available {
		m := modelInfo{Name: provider.Transformer, State: stateBuiltIn, Dim: minilm.Dim, Bytes: minilm.DiskBytes,
			About: "no download; finds what is asked in other words", Configured: unnamed && best}
		if quality == provider.QualityAuto && tooSmall != "" {
			m.About += "; not used: " + tooSmall
		}
		list = append(list, m)
	}
	pulled, faults, err := provider.Models(stateDir).List()
	if err != nil {
		return nil, err
	}
	isPulled := map[string]bool{}
	for _, m := range pulled {
		isPulled[m.Name] = true
		list = append(list, modelInfo{Name: m.Name, State: "here", Dim: m.Dim, Bytes: m.Bytes(), About: m.About})
	}
	for _, m := range models.Catalogue {
		if !isPulled[m.Name] {
			list = append(list, modelInfo{Name: m.Name, State: "not here", Dim: m.Dim, Bytes: m.Bytes(), About: m.About})
		}
	}
	for i := range list {
		m := &list[i]
		if m.State == stateBuiltIn {
			continue
		}
		m.Configured = local && settings.Model == m.Name
		for _, fault := range faults {
			if strings.Contains(fault.Error(), m.Name) {
				m.State, m.Error = "damaged", fault.Error()
			}
		}
	}
	return list, nil
}

// workspacesServedBy lists the workspaces that a model makes the vectors of.
func workspacesServedBy(status memory.Status, name string) memory.List[string] {
	var in memory.List[string]
	for _, w := range status.Workspaces {
		if hasName(w.Embedding.Model, name) {
			in = append(in, w.Name)
		}
	}
	return in
}

func hasName(embedder, name string) bool {
	return name == provider.BuiltIn && strings.HasPrefix(embedder, "static/") || name == provider.Transformer && embedder == minilm.Model || strings.HasPrefix(embedder, "hugot/"+name+"@")
}

func printModels(w io.Writer, list []modelInfo, settings config.Embedding, status memory.Status) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, m := range list {
		mark, size := " ", ""
		if m.Configured {
			mark = "*"
		}
		if m.Bytes > 0 {
			size = display.Size(m.Bytes)
		}
		serving := ""
		if len(m.Serving) > 0 {
			serving = "serves " + strings.Join(m.Serving, ", ")
		}
		fmt.Fprintf(table, "%s %s\t%s\t%d dimensions\t%s\t%s\t%s\n", mark, m.Name, strings.Replace(m.State, "here", "pulled", 1), m.Dim, size, m.About, serving)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if settings.Provider != "local" {
		fmt.Fprintf(w, "configured: embedding.provider %s %s\n", settings.Provider, settings.Model)
	}
	for _, ws := range status.Workspaces {
		fmt.Fprintf(w, "%s: %s\n", ws.Name, display.Embedding(ws.Embedding))
	}
	return nil
}

func (a *app) modelPull() *cobra.Command {
	var from string
	c := &cobra.Command{
		Use:   "pull NAME",
		Short: "fetch a model; an interrupted download continues",
		Long: `pull fetches the files of a model at a fixed revision and checks the SHA-256 of each.
--from takes the files from a mirror, or from a folder on machines without a network.
A folder may contain any BERT model with WordPiece tokens, under a name of your
choice, as the files model.onnx, tokenizer.json and config.json.`,
		Example: `  memory model pull all-MiniLM-L6-v2
  memory model pull all-MiniLM-L6-v2 --from /media/usb/all-MiniLM-L6-v2
  memory model pull gte-small --from ~/models/gte-small`,
		Args:              argumentCount(1, 1, "the model's name"),
		ValidArgsFunction: a.completeModel,
		RunE: func(c *cobra.Command, args []string) error {
			_, stateDir, err := a.load()
			if err != nil {
				return err
			}
			if !hugot.Available {
				fmt.Fprintf(a.err, "note: %v\n", hugot.ErrUnavailable)
			}
			bar := a.progress()
			m, err := provider.Models(stateDir).Pull(c.Context(), args[0], from, bar.Show)
			bar.Done()
			if err != nil {
				return err
			}
			return a.printAnswer(m, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s is pulled (%s, %d dimensions); memory model use %s switches to it\n", m.Name, display.Size(m.Bytes()), m.Dim, m.Name)
				return err
			})
		},
	}
	c.Flags().StringVar(&from, "from", "", "a folder with the files, or the address of a mirror")
	return c
}

func (a *app) modelRemove() *cobra.Command {
	return &cobra.Command{
		Use:               "remove NAME",
		Short:             "delete a pulled model from this machine",
		Example:           "  memory model remove all-MiniLM-L6-v2",
		Args:              argumentCount(1, 1, "the model's name"),
		ValidArgsFunction: a.completeModel,
		RunE: func(c *cobra.Command, args []string) error {
			cfg, stateDir, err := a.load()
			if err != nil {
				return err
			}
			if args[0] == provider.BuiltIn || args[0] == provider.Transformer {
				return memory.Conflict("a model inside the binary cannot be removed")
			}
			if cfg.Embedding.Provider == "local" && cfg.Embedding.Model == args[0] {
				return memory.Conflict("%s is the model that the configuration names", args[0]).WithHint("switch to another model first, for example with memory model use static")
			}
			status, err := a.status(c)
			if err != nil {
				return err
			}
			for _, w := range status.Workspaces {
				if next := w.Embedding.Next; hasName(w.Embedding.Model, args[0]) || next != nil && hasName(next.Model, args[0]) {
					return memory.Conflict("%s still serves the workspace %s", args[0], w.Name).
						WithHint("memory status shows the progress of the switch to another model")
				}
			}
			if err := provider.Models(stateDir).Remove(args[0]); err != nil {
				return err
			}
			return a.printAnswer(map[string]string{"removed": args[0]}, func(w io.Writer) error {
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
	list, err := a.knownModels(cfg, stateDir)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, m := range list {
		if m.State != stateBuiltIn || c.Name() == "use" {
			names = append(names, m.Name)
		}
	}
	if c.Name() == "use" {
		names = append(names, "local", "openai", "gemini", "auto", "none")
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
