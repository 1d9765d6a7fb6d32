//go:build nohugot || !(amd64 || arm64)

package hugot

import "github.com/memory-tiered/memory/embed"

// Available reports whether this build can run a model.
const Available = false

// Open returns ErrUnavailable: the build is without the library.
func Open(Options) (embed.Embedder, error) { return nil, ErrUnavailable }
