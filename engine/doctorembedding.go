package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// findUnembedded finds texts without a vector, which vector search does not find.
func (e *Engine) findUnembedded(ctx context.Context, s *workspaceState) ([]memory.Finding, error) {
	stats, err := e.embeddingStats(ctx, s)
	switch {
	case err != nil:
		return nil, err
	case stats.Error == "" && stats.Next != nil && stats.Next.Error != "":
		return []memory.Finding{{Severity: memory.SeverityWarning, Message: "the change to " + stats.Next.Model + " does not continue: " + stats.Next.Error, Fix: fixCommand}}, nil
	case stats.Error == "" && (stats.Pending == 0 || e.daemon != nil): // a service fills them in the background
		return nil, nil
	}
	if stats.Pending == 0 { // all have one, and another model answers questions
		return []memory.Finding{{Severity: memory.SeverityWarning, Message: stats.Error, Fix: fixCommand}}, nil
	}
	message := fmt.Sprintf("%d texts have no vector", stats.Pending)
	if stats.Error != "" {
		message += ": " + stats.Error
	}
	return []memory.Finding{{Severity: memory.SeverityWarning, Message: message, Fix: "memory index"}}, nil
}

// mendEmbedLimit bounds how long the doctor waits for vectors, or for a model to load.
const mendEmbedLimit = time.Minute

func (e *Engine) mendUnembedded(ctx context.Context, name string) error {
	s, err := e.lookup(name)
	if err != nil {
		return err
	}
	if _, err = s.embedPending(ctx, e.now(), mendEmbedLimit, func(memory.Progress) {}); err != nil {
		return err
	}
	l, loadable := s.serving.Load().Embedder.(embed.Loadable)
	if !loadable || l.Failure() == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, mendEmbedLimit)
	defer cancel()
	return l.Load(ctx)
}
