// Package hugot embeds with a sentence transformer on this machine: a BERT model
// as ONNX, run by hugot's session in pure Go. It alone knows what that library
// needs to be kept from: texts of any length, batches of any shape, empty ones.
//
// Only models with a BERT WordPiece tokeniser come out right, such as
// all-MiniLM-L6-v2. Where the library does not build, [Open] says so.
package hugot

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/memory-tiered/memory"
)

// Files are what a model's folder holds.
var Files = []string{"model.onnx", "tokenizer.json", "config.json"}

// Options says which model is run.
type Options struct {
	Dir     string // holds [Files]
	Name    string // as people know it: all-MiniLM-L6-v2
	Digest  string // tells it from another of that name
	Query   string // what the model wants before a question
	Passage string // and before what is kept
}

// digestLen is how many hexadecimal digits of the digest are in the model's
// name: as many as the built-in model has.
const digestLen = 12

func (o Options) modelName() string {
	return "hugot/" + o.Name + "@" + o.Digest[:min(len(o.Digest), digestLen)]
}

// ErrUnavailable says that this build has no session to run a model with.
var ErrUnavailable = errors.New("this build cannot run sentence transformers: it is for a processor that the library does not know")

// dimension reads how many numbers a vector will have, and that the folder is
// there: cheap enough for every start.
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
	// The largest BERT has 1024; beyond 8192 no index takes a vector.
	const most = 8192
	if err := json.Unmarshal(src, &c); err != nil || c.Hidden <= 0 || c.Hidden > most {
		return 0, memory.Unavailable(err, "%s says no dimension", filepath.Join(dir, "config.json")).
			WithHint("pull the model again: memory model pull")
	}
	return c.Hidden, nil
}

func missingFile(dir, name string, cause error) error {
	return memory.Unavailable(cause, "the embedding model has no %s in %s", name, dir).
		WithHint("pull it: memory model pull; or name another one: embedding.local.modelPath")
}
