package engine

import (
	"context"

	"github.com/memory-tiered/memory"
)

// OpenInspector opens the pages for a browser, and returns their address with a token that
// works once.
func (e *Engine) OpenInspector(context.Context) (memory.InspectorAnswer, error) {
	if e.inspector == nil {
		return memory.InspectorAnswer{}, memory.Unavailable(nil, "no service runs").WithHint("memory ui serves the pages itself then")
	}
	address, err := e.inspector()
	return memory.InspectorAnswer{Address: address}, err
}
