package hugot_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/embed/hugot"
)

// FuzzCheckFolder: a folder is refused, or the dimension of its model has a size that the
// index takes.
func FuzzCheckFolder(f *testing.F) {
	for _, seed := range [][2]string{{`{"hidden_size":384}`, `{"model":{"type":"WordPiece"}}`}, {`{"hidden_size":-1}`, ""}, {`{"hidden_size":1e9}`, "[]"}, {"{", `{"model":[]}`}, {`{"hidden_size":384}`, `{"model":{"type":"BPE"}}`}} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, config, tokenizer []byte) {
		for _, name := range hugot.Files {
			content := map[string][]byte{"config.json": config, "tokenizer.json": tokenizer}[name]
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if n, err := hugot.CheckFolder(dir); err == nil && (n < 1 || n > 8192) {
			t.Fatalf("%s: the dimension is %d", config, n)
		}
	})
}
