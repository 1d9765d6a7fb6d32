package main

import (
	"context"
	"fmt"
	"strings"

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
	fmt.Fprintf(a.err, "note: %s\nnote: %s\n", notCoveredText(dir, *c), includeHint(dir))
}

// notCoveredText reports how many Markdown files are not memories.
func notCoveredText(dir string, c memory.Coverage) string {
	text := fmt.Sprintf("%s has %s that no pattern matches, such as %s", display.Name(dir), notMatchedText(c), display.Name(c.Example))
	text += reasonText(c)
	if c.Files == 0 && !c.More {
		text += "; no file is indexed"
	}
	return text
}

// notMatchedText returns how many files are not covered.
func notMatchedText(c memory.Coverage) string {
	switch {
	case c.More:
		return fmt.Sprintf("more than %d Markdown files", c.NotCovered)
	case c.NotCovered == 1:
		return "1 Markdown file"
	}
	return fmt.Sprintf("%d Markdown files", c.NotCovered)
}

// reasonText returns why the files beside MEMORY.md are not memories, if they could be.
func reasonText(c memory.Coverage) string {
	if c.Reason == "" {
		return ""
	}
	return fmt.Sprintf("; because of %s, those beside MEMORY.md are no topic files", display.Name(c.Reason))
}

// filesText returns how many Markdown files are memories.
func filesText(c memory.Coverage) string {
	least := ""
	if c.More {
		least = "at least "
	}
	if c.Files == 1 {
		return least + "1 Markdown file"
	}
	return fmt.Sprintf("%s%d Markdown files", least, c.Files)
}

// coverageText returns what the patterns of a workspace match, on one line.
func coverageText(c memory.Coverage, globs []string) string {
	text := filesText(c)
	if len(globs) > 0 {
		text += ", patterns " + strings.Join(globs, ", ")
	}
	if c.NotCovered > 0 {
		count, _, _ := strings.Cut(notMatchedText(c), " Markdown")
		text += fmt.Sprintf("; %s not matched by a pattern", count)
	}
	return text
}

func includeHint(dir string) string {
	return fmt.Sprintf("memory workspace add %s --all indexes all of them; --glob PATTERN instead of --all indexes some", display.Name(registry.ShellQuote(dir)))
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
