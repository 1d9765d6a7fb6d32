// Package hugot embeds with a sentence transformer on this machine: a BERT model in
// ONNX format, run by the hugot library in pure Go. The package protects the library
// from input that it fails on: long texts, empty batches, and batches of any size.
//
// Only models with a BERT WordPiece tokeniser give correct vectors, for example
// all-MiniLM-L6-v2. Where the library does not build, [Open] returns
// [ErrUnavailable].
package hugot

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
)

// Files are the files in a model's folder.
var Files = []string{"model.onnx", "tokenizer.json", "config.json"}

// Options configure the model.
type Options struct {
	Dir    string // contains [Files]
	Name   string // for example all-MiniLM-L6-v2
	Digest string // of the files; different models may have one name
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
			WithHint("copy the model again")
	}
	return c.Hidden, nil
}

func missingFile(dir, name string, cause error) error {
	return memory.Unavailable(cause, "the embedding model has no %s in %s", name, dir).
		WithHint("set embedding.local.modelPath to a folder with %s", strings.Join(Files, ", "))
}

// OpenFolder returns the model in a folder that a person has chosen.
func OpenFolder(dir string) (embed.Embedder, error) {
	if _, err := dimension(dir); err != nil {
		return nil, err
	}
	if err := checkTokens(filepath.Join(dir, "tokenizer.json")); err != nil {
		return nil, err
	}
	h := sha256.New()
	for _, name := range Files {
		digest, err := digestOf(filepath.Join(dir, name))
		if err != nil {
			return nil, memory.Unavailable(err, "read the embedding model in %s", dir)
		}
		fmt.Fprintf(h, "%s %s\n", name, digest)
	}
	return Open(Options{Dir: dir, Name: filepath.Base(filepath.Clean(dir)), Digest: hex.EncodeToString(h.Sum(nil))})
}

// checkTokens returns an error if the tokens of a model would be wrong.
func checkTokens(file string) error {
	var tokenizer struct {
		Model struct {
			Type string `json:"type"`
		} `json:"model"`
	}
	src, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(src, &tokenizer)
	}
	if err != nil {
		return memory.Unavailable(err, "%s is not a model's", file)
	}
	if tokenizer.Model.Type != "WordPiece" {
		return memory.Invalid("embedding.local.modelPath", "the model in %s is not supported (tokens by %s)", filepath.Dir(file), tokenizer.Model.Type).
			WithHint("BERT models with WordPiece tokens are supported, for example all-MiniLM-L6-v2 and gte-small; Ollama or llama.cpp can serve others (embedding.baseUrl)")
	}
	return nil
}

func digestOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}
