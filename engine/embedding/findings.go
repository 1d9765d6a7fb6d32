package embedding

import (
	"context"
	"fmt"

	"github.com/memory-tiered/memory"
)

// Findings finds texts without a vector, which vector search does not find, and a model that
// answers wrongly. A service makes vectors and checks the model in the background.
func (m *Models) Findings(ctx context.Context, provider string, isService, isServed bool) ([]memory.Finding, error) {
	stats, err := m.Stats(ctx, provider, isServed)
	switch {
	case err != nil:
		return nil, err
	case stats.Error == "" && stats.Next != nil && stats.Next.Error != "":
		return []memory.Finding{{Severity: memory.SeverityWarning, Message: "the change to " + stats.Next.Model + " does not continue: " + stats.Next.Error}}, nil
	case stats.Error == "" && isService:
		return nil, nil
	case stats.Error == "" && stats.Pending == 0:
		model := m.AnsweringEmbedder(ctx)
		if model.Dim() == 0 {
			return nil, nil
		}
		var found []memory.Finding
		if err := Golden(ctx, model); err != nil {
			found = append(found, memory.Finding{Severity: memory.SeverityError, Message: "a check of the embedding model failed: " + err.Error(), Fix: "memory model list shows others"})
		}
		return found, nil
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
