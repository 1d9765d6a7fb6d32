package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/embed/provider"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/embed/transformer"
)

func (a *app) modelCommand() *cobra.Command {
	c := &cobra.Command{Use: "model"}
	c.AddCommand(a.modelList(), a.modelUse())
	return c
}

// modelInfo is a row of memory model list.
type modelInfo struct {
	Name       string              `json:"name"`
	State      string              `json:"state"` // built in, or the folder
	Dim        int                 `json:"dim"`
	Configured bool                `json:"wanted"`  // the configuration names it
	Serving    memory.List[string] `json:"serving"` // the workspaces whose vectors it makes
	About      string              `json:"about,omitempty"`
}

func (a *app) modelList() *cobra.Command {
	return newCommand("list", arguments{}, func(c *cobra.Command) error {
		cfg, stateDir, err := a.load()
		if err != nil {
			return err
		}
		list := a.knownModels(cfg, stateDir)
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
	})
}

func (a *app) status(ctx context.Context) (status memory.Status, err error) {
	err = a.withoutRefresh(ctx, noWorkspace, func(s *session) error {
		status, err = s.Status(ctx)
		return err
	})
	return status, err
}

// knownModels lists the models inside the binary, and the configured folder.
func (a *app) knownModels(cfg *config.Loaded, stateDir string) []modelInfo {
	const builtIn = "built in"
	settings := cfg.Embedding
	local := settings.Provider == "local" && settings.Local.ModelPath == ""
	quality, tooSmall := settings.Local.Quality, a.embedders(cfg, stateDir).AllowsTransformer()
	unnamed, best := local && settings.Model == "", quality == provider.QualityBest || quality == provider.QualityAuto && tooSmall == ""
	list := []modelInfo{{Name: provider.BuiltIn, State: builtIn, Dim: static.New().Dim(), About: "no download, a few microseconds per text",
		Configured: unnamed && !best || local && settings.Model == provider.BuiltIn}}
	m := modelInfo{Name: provider.Transformer, State: builtIn, Dim: transformer.Dim,
		About: "no download; finds what is asked in other words", Configured: unnamed && best || local && settings.Model == provider.Transformer}
	if quality == provider.QualityAuto && tooSmall != "" {
		m.About += "; not used: " + tooSmall
	}
	list = append(list, m)
	if dir := settings.Local.ModelPath; dir != "" {
		list = append(list, modelInfo{Name: filepath.Base(dir), State: "in " + dir, Configured: settings.Provider == "local"})
	}
	return list
}

func hasName(embedder, name string) bool {
	return name == provider.BuiltIn && strings.HasPrefix(embedder, "static/") || name == provider.Transformer && embedder == transformer.Model || strings.HasPrefix(embedder, "hugot/"+name+"@")
}

func printModels(w io.Writer, list []modelInfo, settings config.Embedding, status memory.Status) {
	display.Columns(w, 0, func(table io.Writer) {
		for _, m := range list {
			mark, serving := " ", ""
			if m.Configured {
				mark = "*"
			}
			if len(m.Serving) > 0 {
				serving = "serves " + strings.Join(m.Serving, ", ")
			}
			dim := ""
			if m.Dim > 0 {
				dim = fmt.Sprintf("%d dimensions", m.Dim)
			}
			fmt.Fprintf(table, "%s %s\t%s\t%s\t%s\t%s\n", mark, m.Name, m.State, dim, m.About, serving)
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
