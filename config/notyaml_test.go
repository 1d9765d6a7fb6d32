package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
)

func TestEditingWhatIsNotYAMLNamesTheFileAndTheLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("foo: [bar\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, globs := config.AddWorkspace(file, "notes", "/tmp", "", []string{"*.md"})
	for name, err := range map[string]error{
		"set": config.Set(file, "scoring.recency", "0.1"), "unset": config.Unset(file, "scoring.recency"),
		"rename": config.RenameWorkspace(file, "a", "b"), "globs": globs,
	} {
		var known *memory.Error
		if err == nil || !strings.Contains(err.Error(), file+":1: ") || !errors.As(err, &known) || !strings.Contains(known.Hint, "correct the file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
