package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/must"
)

// fakeStore puts a program before the real one that reads the store of this system. It
// prints the secret of one name.
func fakeStore(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the store of this system is no program on the path")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\n[ \"$*\" = \"lookup service memory-tiered username openai\" ] && echo kept && exit 0\n[ \"$5\" = locked ] && echo 'the store is locked' >&2\nexit 1\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, "secret-tool"), []byte(script), 0o700))
	t.Setenv("PATH", dir)
}

func TestKeyComesFromTheCredentialStore(t *testing.T) {
	fakeStore(t)
	given := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(given, "gemini"), []byte("given\n"), 0o600))
	for _, tt := range []struct{ text, given, want, fails string }{
		{"credential:openai", "", "kept", ""},
		{"credential:gemini", given, "given", ""}, // what systemd gives a service
		{"credential:openai", given, "kept", ""},
		{"credential:gemini", "", "", "it has no such secret"},
		{"credential:locked", "", "", "the store is locked"},
		{"credential:../openai", given, "", "is not the name of a credential"},
		{"credential:", given, "", "is not the name of a credential"},
	} {
		got, err := config.Reveal(t.Context(), "embedding.apiKey", tt.text, func(name string) string {
			return map[string]string{"CREDENTIALS_DIRECTORY": tt.given}[name]
		})
		if got != tt.want || (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("%s, %s: %q, %v", tt.text, tt.given, got, err)
		}
	}
	t.Setenv("PATH", t.TempDir())
	_, err := config.Reveal(t.Context(), "embedding.apiKey", "credential:openai", func(string) string { return "" })
	var known *memory.Error
	if !errors.As(err, &known) || !strings.Contains(known.Hint, "secret-tool store --label=memory service memory-tiered username openai") {
		t.Errorf("without the program: %v", err)
	}
}
