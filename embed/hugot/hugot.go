// Package hugot embeds with a sentence transformer on this machine: a BERT model in
// ONNX format, run by the hugot library in pure Go. The package protects the library
// from input that it fails on: long texts, empty batches, and batches of any size.
//
// Only models with a BERT WordPiece tokeniser give correct vectors, for example
// all-MiniLM-L6-v2. Where the library does not build, [Open] returns
// [ErrUnavailable].
package hugot

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/memory-tiered/memory"
)

// Files are the files in a model's folder.
var Files = []string{"model.onnx", "tokenizer.json", "config.json"}

// Options configure the model.
type Options struct {
	Dir     string // contains [Files]
	Name    string // for example all-MiniLM-L6-v2
	Digest  string // of the files; different models may have one name
	Query   string // prefix that the model needs before a query
	Passage string // prefix that the model needs before a passage
}

// digestLen is how many hexadecimal digits of the digest are in the model's name: as
// many as in that of the built-in model.
const digestLen = 12

func (o Options) modelName() string {
	return "hugot/" + o.Name + "@" + o.Digest[:min(len(o.Digest), digestLen)]
}

// ErrUnavailable reports that this build cannot run a model.
var ErrUnavailable = errors.New("this build cannot run sentence transformers: the library does not support this processor")

// dimension reads the dimension of the vectors, and checks that the files exist. It is
// fast enough for every start.
func dimension(dir string) (int, error) {
	for _, name := range Files {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
			return 0, missingFile(dir, name, err)
		}
	}
	src, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil {
		return 0, missingFile(dir, "config.json", err)
	}
	var c struct {
		Hidden int `json:"hidden_size"`
	}
	const maxDim = 8192 // the limit of the index; the largest BERT has 1024
	if err := json.Unmarshal(src, &c); err != nil || c.Hidden <= 0 || c.Hidden > maxDim {
		return 0, memory.Unavailable(err, "%s has no valid hidden_size", filepath.Join(dir, "config.json")).
			WithHint("pull the model again: memory model pull")
	}
	return c.Hidden, nil
}

func missingFile(dir, name string, cause error) error {
	return memory.Unavailable(cause, "the embedding model has no %s in %s", name, dir).
		WithHint("pull it with memory model pull, or set embedding.local.modelPath to another folder")
}
