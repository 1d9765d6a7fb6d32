// Package minilm is the sentence transformer in the binary: all-MiniLM-L6-v2 with its
// weights in 4 and 6 bits. README.md describes the file, its format and its origin.
//
// The weights are expanded into a folder, because the library reads them from there. A
// process of its own runs the model. If that process runs out of memory or fails, the
// program goes on without it, and its memory returns to the system when it ends.
package minilm

import (
	"errors"

	"github.com/memory-tiered/memory/embed/hugot"
)

// Model is the name of the model's vectors. It has the beginning of the SHA-256 of the
// expanded weights; a test compares them.
const Model = "minilm/all-MiniLM-L6-v2-e4l6@3c3e4e3e6687"

// Dim is the length of a vector.
const Dim = 384

// Available reports whether this build contains the model.
const Available = hugot.Available

// DiskBytes is the size of the expanded weights, with the other files.
const DiskBytes = modelBytes + 466_247 + 612

// ErrUnavailable reports that this build does not contain the model.
var ErrUnavailable = errors.New("this build cannot run the transformer: its library does not support this processor")
