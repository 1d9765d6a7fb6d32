package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/provider"
	"github.com/memory-tiered/memory/engine"
)

func (a *app) modelUse() *cobra.Command {
	var wait bool
	c := &cobra.Command{
		Use:   "use NAME",
		Short: "make vectors with another model from now on",
		Long: `use writes the choice into the configuration, after the model has made a vector to
show that it works. Every text then gets its vector of the new model, and until
the last one has it, the former model goes on answering: there is no moment
without vector search. A running service does that in the background and follows
the configuration by itself; without one this command does it, and what is
interrupted the next command or the service goes on with.

NAME is a pulled model, static (the one in the binary), openai or gemini (with
:MODEL for another than the provider's default), auto, or none.`,
		Example: `  memory model use all-MiniLM-L6-v2
  memory model use openai:text-embedding-3-large
  memory model use static`,
		Args:              arguments(1, 1, "the model's name"),
		ValidArgsFunction: a.completeModel,
		RunE: func(c *cobra.Command, args []string) error {
			e, err := a.chooseModel(c.Context(), args[0])
			if err != nil {
				return err
			}
			status, err := a.changeModel(c.Context(), e, wait)
			if err != nil {
				return err
			}
			return a.answer(map[string]any{"model": e.Model(), "dim": e.Dim(), "workspaces": embeddings(status)}, func(w io.Writer) error {
				return printChange(w, e, status)
			})
		},
	}
	c.Flags().BoolVar(&wait, "wait", false, "wait until the service has changed to it")
	return c
}

// embeddings is each workspace's part of a status that is about models.
func embeddings(status memory.Status) map[string]memory.EmbeddingStats {
	of := map[string]memory.EmbeddingStats{}
	for _, w := range status.Workspaces {
		of[w.Name] = w.Embedding
	}
	return of
}

// choices are the keys that a choice sets or takes out.
func choices(name string) []config.Change {
	selected, model, _ := strings.Cut(name, ":")
	switch selected {
	case "openai", "gemini", "auto", "none":
	case provider.BuiltIn:
		selected, model = "local", ""
	default:
		selected, model = "local", name
	}
	changes := []config.Change{{Key: "embedding.provider", Value: selected}, {Key: "embedding.model", Value: model}}
	if selected == "local" {
		changes = append(changes, config.Change{Key: "embedding.local.modelPath"}, config.Change{Key: "embedding.dimensions"})
	}
	return changes
}

// chooseModel tries a choice, and writes it into the configuration if it works.
func (a *app) chooseModel(ctx context.Context, name string) (embed.Embedder, error) {
	cfg, stateDir, err := a.load()
	if err != nil {
		return nil, err
	}
	changes := choices(name)
	wanted := provider.SettingsOf(cfg.Embedding)
	wanted.Provider, wanted.Model = changes[0].Value, changes[1].Value
	if wanted.Provider == "local" {
		wanted.Path, wanted.Dimensions = "", 0
	}
	for key, variable := range map[string]string{"embedding.provider": "MEMORY_EMBEDDING_PROVIDER", "embedding.model": "MEMORY_EMBEDDING_MODEL"} {
		if cfg.Sources[key] == variable {
			return nil, memory.Conflict("the variable %s says which model is used", variable).WithHint("unset it, or change it")
		}
	}
	e, err := a.embedders(cfg, stateDir).Make(ctx, wanted)
	if err != nil {
		return nil, err
	}
	if _, err := e.Embed(ctx, embed.Query, []string{"Does this model answer?"}); err != nil {
		return nil, memory.Unavailable(err, "%s does not work; nothing was changed", e.Model())
	}
	return e, config.SetAll(cfg.File, changes)
}

// changeModel has every workspace changed to the model: by the service, or here.
func (a *app) changeModel(ctx context.Context, to embed.Embedder, wait bool) (memory.Status, error) {
	s, err := a.open(ctx, anywhere, false)
	if err != nil {
		return memory.Status{}, err
	}
	bar := a.progress()
	if e, here := s.Backend.(*engine.Engine); here {
		_, err = e.ChangeModel(ctx, 0, bar.show)
	} else if wait {
		err = a.awaitChange(ctx, s, to, bar)
	}
	bar.done()
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return memory.Status{}, errors.Join(memory.Unavailable(nil, "interrupted; the former model serves until the change has been finished").
			WithHint("memory index, or the service, goes on with it"), s.Close())
	}
	status, failed := s.Status(context.WithoutCancel(ctx))
	return status, errors.Join(err, failed, s.Close())
}

// awaitChange looks now and then how far the service is.
func (a *app) awaitChange(ctx context.Context, s *session, to embed.Embedder, bar *progress) error {
	const look = 200 * time.Millisecond
	for {
		status, err := s.Status(ctx)
		if err != nil {
			return err
		}
		at, waiting := memory.Progress{Stage: "embed"}, false
		for _, w := range status.Workspaces {
			if w.Embedding.Model == to.Model() || to.Dim() == 0 && w.Embedding.Dim == 0 {
				continue
			}
			waiting = true
			if n := w.Embedding.Next; n != nil {
				at.Done, at.Total = at.Done+n.Done, at.Total+n.Total
				if n.Error != "" {
					return memory.Unavailable(nil, "%s: %s", w.Name, n.Error).WithHint("the service tries again by itself")
				}
			}
		}
		if !waiting {
			return nil
		}
		bar.show(at)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(look):
		}
	}
}

func printChange(w io.Writer, e embed.Embedder, status memory.Status) error {
	fmt.Fprintf(w, "%s is used from now on\n", e.Model())
	if e.Remote() {
		fmt.Fprintln(w, "texts go to another machine: private ones are kept back, secrets masked; memories without a vector are found by their words")
	}
	for _, ws := range status.Workspaces {
		fmt.Fprintf(w, "%s: %s\n", ws.Name, embeddingText(ws.Embedding))
	}
	return nil
}
