package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/must"
)

func TestWriteReplacesTheContentAndTheMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	for _, content := range []string{"one", "two"} {
		must.Do(t, atomicfile.Write(path, []byte(content), 0o640))
		got, err := os.ReadFile(path)
		if err != nil || string(got) != content {
			t.Errorf("%q, %v", got, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info, err)
	}
	expectOnly(t, path)
}

func TestFailedWriteKeepsTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	must.Do(t, os.WriteFile(path, []byte("old"), 0o600))
	refused := errors.New("refused")
	err := atomicfile.WriteWith(path, 0o600, func(f *os.File) error {
		if _, err := f.WriteString("half of a"); err != nil {
			return err
		}
		return refused
	})
	if got, readErr := os.ReadFile(path); !errors.Is(err, refused) || readErr != nil || string(got) != "old" {
		t.Errorf("%v, %q, %v", err, got, readErr)
	}
	expectOnly(t, path)
}

// A temporary file may contain text that is to be forgotten. Other programs have
// files beside it, whose names may look similar.
func TestRemoveTemporaryRemovesOnlyTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "words.db")
	for _, name := range []string{".words.db.memory-123", ".words.db.memory-456-journal", "words.db", ".words.db-1", ".other.db.memory-1", ".words"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	interrupted := must.Get(atomicfile.CreateTemporary(path))(t)
	must.Do(t, interrupted.Close())
	if err := atomicfile.RemoveTemporary(path, "", filepath.Join(dir, "missing", "words.db")); err != nil {
		t.Error(err)
	}
	var left []string
	files, err := os.ReadDir(dir)
	for _, f := range files {
		left = append(left, f.Name())
	}
	if want := []string{".other.db.memory-1", ".words", ".words.db-1", "words.db"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("left: %q, %v; want %q", left, err, want)
	}
}

// expectOnly checks that a folder contains one file and nothing else.
func expectOnly(t *testing.T, path string) {
	t.Helper()
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 || files[0].Name() != filepath.Base(path) {
		t.Errorf("the folder contains %v, %v", files, err)
	}
}
