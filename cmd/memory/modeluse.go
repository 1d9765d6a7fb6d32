package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/provider"
	"github.com/memory-tiered/memory/engine"
)

func (a *app) modelUse() *cobra.Command {
	var name string
	known := func(*cobra.Command, string) []string { return modelNames }
	return newCommand("use NAME", one("the model's name", &name, known), func(c *cobra.Command) error {
		e, err := a.tryModel(c.Context(), name)
		if err != nil {
			return err
		}
		status, err := a.switchModel(c.Context())
		if err != nil {
			return err
		}
		workspaces := map[string]memory.EmbeddingStats{}
		for _, w := range status.Workspaces {
			workspaces[w.Name] = w.Embedding
		}
		return printAnswer(a, map[string]any{"model": e.Model(), "dim": e.Dim(), "workspaces": workspaces}, func(w io.Writer, _ map[string]any) {
			printChange(w, e, status)
		})
	})
}

// configChanges returns the settings that select a model.
func configChanges(name string) ([]config.Change, error) {
	selected, model, _ := strings.Cut(name, ":")
	quality, folder := "", ""
	switch selected {
	case "openai", "gemini", "auto", "none":
	case provider.BuiltIn, provider.Transformer, "local":
		quality, selected, model = qualityOf(selected), "local", ""
	default:
		dir, err := filepath.Abs(name)
		if info, statErr := os.Stat(dir); err != nil || statErr != nil || !info.IsDir() {
			return nil, &memory.Error{Kind: memory.ErrNotFound, Field: "model", Message: "there is no model and no folder " + name,
				Hint: "name one of " + strings.Join(modelNames, ", ") + ", or the folder of a sentence transformer"}
		}
		selected, model, folder = "local", "", dir
	}
	changes := []config.Change{{Key: "embedding.provider", Value: selected}, {Key: "embedding.model", Value: model}}
	if quality != "" {
		changes = append(changes, config.Change{Key: qualityKey, Value: quality})
	}
	if selected == "local" {
		changes = append(changes, config.Change{Key: modelPathKey, Value: folder}, config.Change{Key: "embedding.dimensions"})
	}
	return changes, nil
}

const modelPathKey = "embedding.local.modelPath"

const qualityKey = "embedding.local.quality"

// qualityOf returns the quality that selects a model inside the binary, or both.
func qualityOf(builtIn string) string {
	switch builtIn {
	case provider.BuiltIn:
		return provider.QualityFast
	case provider.Transformer:
		return provider.QualityBest
	}
	return provider.QualityAuto
}

// tryModel makes a vector with a model, and writes the model into the configuration
// if that works.
func (a *app) tryModel(ctx context.Context, name string) (embed.Embedder, error) {
	cfg, stateDir, err := a.load()
	if err != nil {
		return nil, err
	}
	changes, err := configChanges(name)
	if err != nil {
		return nil, err
	}
	for _, change := range changes {
		if variable := cfg.Sources[change.Key]; strings.HasPrefix(variable, "MEMORY_") {
			return nil, memory.Conflict("the environment variable %s selects the model", variable).WithHint("unset or change the variable")
		}
	}
	settings := provider.SettingsOf(cfg.Embedding)
	settings.Provider, settings.Model = changes[0].Value, changes[1].Value
	if settings.Provider == "local" {
		settings.Dimensions = 0
	}
	for _, change := range changes {
		switch change.Key {
		case qualityKey:
			settings.Quality = strings.TrimSuffix(change.Value, provider.QualityAuto)
		case modelPathKey:
			settings.Path = change.Value
		}
	}
	e, err := a.embedders(cfg, stateDir).Make(ctx, settings)
	if err != nil {
		return nil, err
	}
	if _, err := e.Embed(ctx, embed.Query, []string{"Does this model answer?"}); err != nil {
		return nil, memory.Unavailable(err, "%s does not work; nothing was changed", e.Model())
	}
	return e, config.SetAll(cfg.File, changes)
}

// switchModel switches every workspace to the configured model. If a service runs, it
// does the work.
func (a *app) switchModel(ctx context.Context) (memory.Status, error) {
	var status memory.Status
	err := a.withoutRefresh(ctx, writesSettings, func(s *session) (err error) {
		if e, here := s.Backend.(*engine.Engine); here {
			_, err = e.ChangeModel(ctx, 0, a.show)
		}
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			return memory.Unavailable(nil, "interrupted; the old model answers until the switch is complete").
				WithHint("memory index or the service continues the switch")
		}
		var failed error
		status, failed = s.Status(context.WithoutCancel(ctx))
		return errors.Join(err, failed)
	})
	return status, err
}

// serves reports whether a workspace is searched with a model.
func serves(w memory.WorkspaceStatus, e embed.Embedder) bool {
	return w.Embedding.Model == e.Model() || e.Dim() == 0 && w.Embedding.Dim == 0
}

func printChange(w io.Writer, e embed.Embedder, status memory.Status) {
	isServing := true
	for _, ws := range status.Workspaces {
		isServing = isServing && serves(ws, e)
	}
	if isServing {
		fmt.Fprintf(w, "%s is used from now on\n", e.Model())
	} else {
		fmt.Fprintf(w, "%s is used when it has a vector of every text; until then the present model answers\n", e.Model())
	}
	if e.Remote() {
		fmt.Fprintln(w, "texts are sent to another machine, but no private ones, and with secrets masked; keyword search finds memories without a vector")
	}
	printEmbeddings(w, status)
}
