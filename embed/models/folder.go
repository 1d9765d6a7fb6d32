package models

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"github.com/memory-tiered/memory"
)

// findFile returns where a folder has a file: at its top, or at the path of the
// publisher.
func findFile(dir string, f File) string {
	if top := filepath.Join(dir, f.Name); exists(top) {
		return top
	}
	return filepath.Join(dir, filepath.FromSlash(f.sourcePath()))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// describe describes the model in a folder. A model with a name of the catalogue must
// have the pinned files.
func describe(name, dir string, pinned Model, known bool) (Model, error) {
	m := Model{Name: name, Source: "folder"}
	for _, f := range []File{{Name: "model.onnx", Path: "onnx/model.onnx"}, {Name: "tokenizer.json"}, {Name: "config.json"}} {
		n, digest, err := hashFile(findFile(dir, f))
		if err != nil {
			return m, memory.Unavailable(err, "%s contains no model", dir).WithHint("a model needs model.onnx, tokenizer.json and config.json")
		}
		f.Bytes, f.SHA256 = n, digest
		m.Files = append(m.Files, f)
	}
	if known && m.Digest() != pinned.Digest() {
		return m, memory.Conflict("the files in %s are not those of %s in the catalogue", dir, name).
			WithHint("use another name: memory model pull my-%s --from %s", name, dir)
	}
	if known {
		return pinned, nil
	}
	var err error
	m.Dim, err = checkSupported(dir, m.Files)
	return m, err
}

// Describe describes the model in a folder outside of a store.
func Describe(name, dir string) (Model, error) { return describe(name, dir, Model{}, false) }

// checkSupported returns the dimension of a model, or an error if its vectors would be
// wrong.
func checkSupported(dir string, files []File) (int, error) {
	var tokenizer struct {
		Model struct {
			Type string `json:"type"`
		} `json:"model"`
	}
	var config struct {
		Hidden int    `json:"hidden_size"`
		Type   string `json:"model_type"`
	}
	for i, to := range []any{1: &tokenizer, 2: &config} {
		if to == nil {
			continue
		}
		src, err := os.ReadFile(findFile(dir, files[i]))
		if err == nil {
			err = json.Unmarshal(src, to)
		}
		if err != nil {
			return 0, memory.Unavailable(err, "%s is not a model's", findFile(dir, files[i]))
		}
	}
	if tokenizer.Model.Type != "WordPiece" || config.Hidden <= 0 {
		return 0, memory.Invalid("model", "the model in %s is not supported (tokens by %s)", dir, tokenizer.Model.Type).
			WithHint("BERT models with WordPiece tokens are supported, for example all-MiniLM-L6-v2 and gte-small; Ollama or llama.cpp can serve others (embedding.baseUrl)")
	}
	return config.Hidden, nil
}

func copyFile(ctx context.Context, from, to string, report func(int64)) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return memory.Unavailable(err, "read the model")
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return memory.Unavailable(err, "write the model")
	}
	defer func() {
		if closed := out.Close(); err == nil && closed != nil {
			err = memory.Unavailable(closed, "write the model")
		}
	}()
	_, err = io.Copy(out, &progressReader{in, 0, func(n int64) { report(n) }})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return memory.Unavailable(err, "write the model")
	}
	return nil
}
