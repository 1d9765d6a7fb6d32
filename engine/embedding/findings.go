package embedding

import (
	"context"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// Findings finds texts without a vector, which vector search does not find, and a model that
// answers wrongly. A service makes vectors in the background.
func (m *Models) Findings(ctx context.Context, provider string, isService, isServed bool) ([]memory.Finding, error) {
	stats, err := m.Stats(ctx, provider, isServed)
	switch {
	case err != nil:
		return nil, err
	case stats.Error == "" && stats.Next != nil && stats.Next.Error != "":
		return []memory.Finding{{Severity: memory.SeverityWarning, Message: "the change to " + stats.Next.Model + " does not continue: " + stats.Next.Error}}, nil
	case stats.Error == "" && stats.Pending == 0:
		return m.modelFindings(ctx, isService)
	case stats.Error == "" && isService:
		return nil, nil
	}
	if stats.Pending == 0 { // all have one, and another model answers questions
		return []memory.Finding{{Severity: memory.SeverityWarning, Message: stats.Error}}, nil
	}
	message := fmt.Sprintf("%d texts have no vector", stats.Pending)
	if stats.Error != "" {
		message += ": " + stats.Error
	}
	return []memory.Finding{{Severity: memory.SeverityWarning, Message: message, Fix: "memory index"}}, nil
}

// modelFindings checks the model that answers. A service asks it the known questions itself.
func (m *Models) modelFindings(ctx context.Context, isService bool) ([]memory.Finding, error) {
	model := m.AnsweringEmbedder(ctx)
	if model.Dim() == 0 {
		return nil, nil
	}
	if !isService {
		if failed := goldenFindings(ctx, model); failed != nil {
			return failed, nil
		}
	}
	different, err := m.drift(ctx, model)
	if different == "" || err != nil {
		return nil, err
	}
	return []memory.Finding{{Severity: memory.SeverityWarning, Message: different, Fix: "memory doctor --fix"}}, nil
}

// goldenFindings asks a model the known questions.
func goldenFindings(ctx context.Context, model embed.Embedder) []memory.Finding {
	if err := Golden(ctx, model); err != nil {
		return []memory.Finding{{Severity: memory.SeverityError, Message: "a check of the embedding model failed: " + err.Error(), Fix: "memory model list shows others"}}
	}
	return nil
}

// mendLimit bounds how long the doctor waits for vectors.
const mendLimit = time.Minute

// Mend makes the missing vectors, and those of a model that has drifted.
func (m *Models) Mend(ctx context.Context, now time.Time) error {
	if _, err := m.dropIfDrifted(ctx); err != nil {
		return err
	}
	_, err := m.EmbedPending(ctx, now, mendLimit, func(memory.Progress) {})
	return err
}
