package main

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/service"
	"github.com/memory-tiered/memory/workspace"
)

// countMarkdown counts the Markdown files of a folder that are memories and that are
// not. It returns nil if the folder cannot be read.
func countMarkdown(ctx context.Context, dir string, o workspace.Options) *memory.Coverage {
	w, err := workspace.Open(dir, o)
	if err != nil {
		return nil
	}
	defer w.Close()
	ctx, cancel := context.WithTimeout(ctx, engine.CountTime)
	defer cancel()
	if _, err := w.Scan(ctx); err != nil && ctx.Err() == nil { // finds what links lead to
		return nil
	}
	c, err := w.Coverage(ctx, workspace.DefaultCoverageEntries)
	if err != nil {
		return nil
	}
	return &c
}

// noteNotCovered reports the Markdown files of a folder that no pattern matches, with
// the command that includes them.
func (a *app) noteNotCovered(dir string, c *memory.Coverage) {
	if c == nil || c.NotCovered == 0 {
		return
	}
	fmt.Fprintf(a.err, "note: %s\nnote: %s\n", display.NotCovered(dir, *c), display.IncludeHint(dir))
}

// reportNotCovered returns a loop of the service that reports once which Markdown files
// of the command line's folder are not memories. Counting must not delay the start.
func (a *app) reportNotCovered(cfg *config.Loaded, stateDir string) service.Loop {
	return func(ctx context.Context) error {
		t, err := a.resolveTarget(registry.Workspaces(cfg))
		if err == nil && t.explicit && t.name != "" {
			r := registry.Registry{File: cfg.File, Environ: a.environ, StateDir: stateDir}
			if w, err := r.WorkspaceConfig(cfg, t.name); err == nil {
				a.noteNotCovered(w.Dir, countMarkdown(ctx, w.Dir, w.Options))
			}
		}
		return nil
	}
}
