//go:build nohugot || !(amd64 || arm64)

package hugot

import "github.com/memory-tiered/memory/embed"

// Available says whether this build can run a model.
const Available = false

// Open fails: the library does not build here, or was left out.
func Open(Options) (embed.Embedder, error) { return nil, ErrUnavailable }
