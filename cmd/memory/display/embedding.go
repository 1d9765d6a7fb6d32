package display

import (
	"fmt"

	"github.com/memory-tiered/memory"
)

// Embedding returns the model that serves a workspace, and how far a change of it is.
func Embedding(e memory.EmbeddingStats) string {
	text := servingText(e)
	if n := e.Next; n != nil {
		text += fmt.Sprintf("; %s is filled in the background: %d of %d texts", n.Model, n.Done, n.Total)
		if n.Error != "" {
			text += " (" + n.Error + ")"
		}
		if n.Waiting != "" {
			text += ", waits: " + n.Waiting
		}
	}
	return text
}

func servingText(e memory.EmbeddingStats) string {
	switch {
	case e.Dim == 0 && e.Error != "":
		return e.Provider + ": keyword search only: " + e.Error
	case e.Dim == 0:
		return e.Provider + ": keyword search only"
	case e.Error != "" && e.Pending == 0:
		return fmt.Sprintf("%s, %d dimensions: %s", e.Model, e.Dim, e.Error)
	case e.Error != "":
		return fmt.Sprintf("%s, %d dimensions, %d pending: %s", e.Model, e.Dim, e.Pending, e.Error)
	case e.Pending > 0:
		return fmt.Sprintf("%s, %d dimensions, %d pending", e.Model, e.Dim, e.Pending)
	}
	return fmt.Sprintf("%s, %d dimensions", e.Model, e.Dim)
}
