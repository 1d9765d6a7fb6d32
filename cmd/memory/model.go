package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/embed/minilm"
	"github.com/memory-tiered/memory/embed/provider"
	"github.com/memory-tiered/memory/embed/static"
)

func (a *app) modelCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "model",
		Short: "list embedding models, and switch to another one",
		Long: `Two models are inside the binary and need no download. static is a table: it takes some
microseconds per text. transformer finds more if a question shares no word with its
answer, but needs some 400 MB of memory while it works. Another sentence transformer can
be in a folder. The setting embedding.provider selects a local or remote server; see
docs/embedding.md.`,
		Example: `  memory model list
  memory model use transformer
  memory model use static`,
	}
	c.AddCommand(a.modelList(), a.modelUse(), a.modelWorker())
	return c
}

// modelInfo is a row of memory model list.
type modelInfo struct {
	Name       string              `json:"name"`
	State      string              `json:"state"` // built in, or the folder
	Dim        int                 `json:"dim"`
	Bytes      int64               `json:"bytes"`   // on the disk
	Configured bool                `json:"wanted"`  // the configuration names it
	Serving    memory.List[string] `json:"serving"` // the workspaces whose vectors it makes
	About      string              `json:"about,omitempty"`
}

func (a *app) modelList() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "list the models inside the binary, and the one in the configured folder",
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
				list[i].Serving = workspacesServedBy(status, list[i].Name)
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

// knownModels lists the models inside the binary, and the configured folder.
func (a *app) knownModels(cfg *config.Loaded, stateDir string) ([]modelInfo, error) {
	const builtIn = "built in"
	table, err := static.New()
	if err != nil {
		return nil, err
	}
	settings := cfg.Embedding
	local := settings.Provider == "local" && settings.Local.ModelPath == ""
	quality, tooSmall := settings.Local.Quality, a.embedders(cfg, stateDir).AllowsTransformer()
	unnamed, best := local && settings.Model == "", quality == provider.QualityBest || quality == provider.QualityAuto && tooSmall == ""
	list := []modelInfo{{Name: provider.BuiltIn, State: builtIn, Dim: table.Dim(), About: "no download, a few microseconds per text",
		Configured: unnamed && !best || local && settings.Model == provider.BuiltIn}}
	if minilm.Available {
		m := modelInfo{Name: provider.Transformer, State: builtIn, Dim: minilm.Dim, Bytes: minilm.DiskBytes,
			About: "no download; finds what is asked in other words", Configured: unnamed && best || local && settings.Model == provider.Transformer}
		if quality == provider.QualityAuto && tooSmall != "" {
			m.About += "; not used: " + tooSmall
		}
		list = append(list, m)
	}
	if dir := settings.Local.ModelPath; dir != "" {
		list = append(list, modelInfo{Name: filepath.Base(dir), State: "in " + dir, Configured: settings.Provider == "local"})
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
			dim := ""
			if m.Dim > 0 {
				dim = fmt.Sprintf("%d dimensions", m.Dim)
			}
			fmt.Fprintf(table, "%s %s\t%s\t%s\t%s\t%s\t%s\n", mark, m.Name, m.State, dim, size, m.About, serving)
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

// modelNames are the names that memory model use accepts.
var modelNames = []string{provider.BuiltIn, provider.Transformer, "local", "openai", "gemini", "auto", "none"}

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
