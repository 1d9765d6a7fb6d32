package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"

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
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, stateDir, err := a.load()
			if err != nil {
				return err
			}
			list, err := a.knownModels(cfg, stateDir)
			if err != nil {
				return err
			}
			status, err := a.status(c.Context())
			if err != nil {
				return err
			}
			for i := range list {
				for _, w := range status.Workspaces {
					if hasName(w.Embedding.Model, list[i].Name) {
						list[i].Serving = append(list[i].Serving, w.Name)
					}
				}
			}
			return printAnswer(a, map[string]any{"models": list, "provider": cfg.Embedding.Provider}, func(w io.Writer, _ map[string]any) {
				printModels(w, list, cfg.Embedding, status)
			})
		},
	}
}

func (a *app) status(ctx context.Context) (status memory.Status, err error) {
	err = a.withoutRefresh(ctx, noWorkspace, func(s *session) error {
		status, err = s.Status(ctx)
		return err
	})
	return status, err
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
	for i, m := range list {
		if m.State == stateBuiltIn {
			continue
		}
		list[i].Configured = local && settings.Model == m.Name
		for _, fault := range faults {
			if strings.Contains(fault.Error(), m.Name) {
				list[i].State, list[i].Error = "damaged", fault.Error()
			}
		}
	}
	return list, nil
}

func hasName(embedder, name string) bool {
	return name == provider.BuiltIn && strings.HasPrefix(embedder, "static/") || name == provider.Transformer && embedder == minilm.Model || strings.HasPrefix(embedder, "hugot/"+name+"@")
}

func printModels(w io.Writer, list []modelInfo, settings config.Embedding, status memory.Status) {
	columns(w, 0, func(table io.Writer) {
		for _, m := range list {
			mark, size, serving := " ", "", ""
			if m.Configured {
				mark = "*"
			}
			if m.Bytes > 0 {
				size = display.Size(m.Bytes)
			}
			if len(m.Serving) > 0 {
				serving = "serves " + strings.Join(m.Serving, ", ")
			}
			fmt.Fprintf(table, "%s %s\t%s\t%d dimensions\t%s\t%s\t%s\n", mark, m.Name, strings.Replace(m.State, "here", "pulled", 1), m.Dim, size, m.About, serving)
		}
	})
	if settings.Provider != "local" {
		fmt.Fprintf(w, "configured: embedding.provider %s %s\n", settings.Provider, settings.Model)
	}
	printEmbeddings(w, status)
}

// printEmbeddings prints which model serves each workspace.
func printEmbeddings(w io.Writer, status memory.Status) {
	for _, ws := range status.Workspaces {
		fmt.Fprintf(w, "%s: %s\n", ws.Name, display.Embedding(ws.Embedding))
	}
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
		ValidArgsFunction: firstArgument(a.completeModel),
		RunE: func(c *cobra.Command, args []string) error {
			_, stateDir, err := a.load()
			if err != nil {
				return err
			}
			if !hugot.Available {
				a.note("%v", hugot.ErrUnavailable)
			}
			m, err := provider.Models(stateDir).Pull(c.Context(), args[0], from, a.show)
			if err != nil {
				return err
			}
			return a.printLine(m, "%s is pulled (%s, %d dimensions); memory model use %s switches to it", m.Name, display.Size(m.Bytes()), m.Dim, m.Name)
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
		ValidArgsFunction: firstArgument(a.completeModel),
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
			status, err := a.status(c.Context())
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
			return a.printLine(map[string]string{"removed": args[0]}, "%s is removed", args[0])
		},
	}
}

// completeModel completes the names that memory model list shows.
func (a *app) completeModel(c *cobra.Command, _ string) (names []string) {
	cfg, stateDir, err := a.load()
	if err != nil {
		return nil
	}
	list, err := a.knownModels(cfg, stateDir)
	if err != nil {
		return nil
	}
	for _, m := range list {
		if m.State != stateBuiltIn || c.Name() == "use" {
			names = append(names, m.Name)
		}
	}
	if c.Name() == "use" {
		names = append(names, "local", "openai", "gemini", "auto", "none")
	}
	return names
}

// workerName is the command that runs the transformer. People do not use it.
const workerName = "run-transformer"

// modelWorker is the process that runs the transformer for another process of this
// program.
func (a *app) modelWorker() *cobra.Command {
	return &cobra.Command{
		Use:    workerName + " DIR",
		Short:  "run the transformer for another process of this program",
		Hidden: true,
		Args:   argumentCount(1, 1, "the folder of the model's files"),
		RunE: func(c *cobra.Command, args []string) error {
			// Ctrl-C reaches every process of a terminal. This one ends with its input.
			signal.Ignore(os.Interrupt)
			os.Stdout = os.Stderr // a library that prints must not disturb the answers
			return minilm.Serve(c.Context(), a.in, a.rawOut, args[0])
		},
	}
}

// transformerCommand returns the command that runs the transformer: this program, also
// after its file was replaced.
func transformerCommand(dir string) *exec.Cmd {
	const itself = "/proc/self/exe" // Linux: the file that runs, even if it was deleted
	program := itself
	if _, err := os.Stat(itself); err != nil {
		if program, err = os.Executable(); err != nil {
			program = os.Args[0]
		}
	}
	command := exec.CommandContext(context.Background(), program, "model", workerName, dir) // it outlives the question that starts it
	command.Args[0] = os.Args[0]
	return command
}
