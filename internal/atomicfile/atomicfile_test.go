package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/internal/atomicfile"
)

func TestWriteReplacesTheContentAndTheMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	for _, content := range []string{"one", "two"} {
		if err := atomicfile.Write(path, []byte(content), 0o640); err != nil {
			t.Fatal(err)
		}
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
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
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

func TestRemoveTemporaryRemovesWhatACrashLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	if err := atomicfile.Write(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	left, err := atomicfile.CreateTemporary(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := left.Close(); err != nil {
		t.Fatal(err)
	}
	atomicfile.RemoveTemporary(path)
	expectOnly(t, path)
}

// expectOnly checks that a folder contains one file and nothing else.
func expectOnly(t *testing.T, path string) {
	t.Helper()
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 || files[0].Name() != filepath.Base(path) {
		t.Errorf("the folder contains %v, %v", files, err)
	}
}
