package openclaw_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/plugin/openclaw"
)

func TestFilesAreThoseOfTheFolder(t *testing.T) {
	for _, pattern := range []string{"LICENSE", "README.md", "*.json", "src/*"} {
		onDisk, err := filepath.Glob(pattern)
		if err != nil || len(onDisk) == 0 {
			t.Fatalf("%s: %q, %v", pattern, onDisk, err)
		}
		for _, name := range onDisk {
			if name == "tsconfig.json" {
				continue // only for checking types
			}
			want := must.Get(os.ReadFile(name))(t)
			if got, err := fs.ReadFile(openclaw.Files(), filepath.ToSlash(name)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is not in the package as it is on the disk: %v", name, err)
			}
		}
	}
	want := must.Get(os.ReadFile("../../LICENSE"))(t)
	if got, err := fs.ReadFile(openclaw.Files(), "LICENSE"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the package has another LICENSE: %v", err)
	}
}

// TestNpmPacksTheSameFiles compares the files with the package that npm makes of the folder.
func TestNpmPacksTheSameFiles(t *testing.T) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed")
	}
	dir := t.TempDir()
	command := exec.Command(npm, "pack", "--json", "--offline", "--ignore-scripts", "--pack-destination", dir)
	command.Env = append(os.Environ(), "npm_config_cache="+t.TempDir(), "npm_config_update_notifier=false")
	out, err := command.Output()
	if err != nil {
		var failed *exec.ExitError
		errors.As(err, &failed)
		t.Fatalf("npm pack: %v\n%s", err, failed.Stderr)
	}
	var made []struct {
		Filename string `json:"filename"`
	}
	if err := json.Unmarshal(out, &made); err != nil || len(made) != 1 {
		t.Fatalf("npm pack wrote %s (%v)", out, err)
	}
	theirs := must.Get(os.ReadFile(filepath.Join(dir, made[0].Filename)))(t)
	files := map[string]string{}
	must.Do(t, fs.WalkDir(openclaw.Files(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			var content []byte
			content, err = fs.ReadFile(openclaw.Files(), name)
			files["package/"+name] = string(content)
		}
		return err
	}))
	if want := unpack(t, theirs); !maps.Equal(files, want) {
		t.Errorf("the program has %q, npm packs %q", names(files), names(want))
	}
}

// unpack returns the files of a package by name. It checks that a host can read them.
func unpack(t *testing.T, packed []byte) map[string]string {
	t.Helper()
	plain := must.Get(gzip.NewReader(bytes.NewReader(packed)))(t)
	files := map[string]string{}
	for archive := tar.NewReader(plain); ; {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		content := must.Get(io.ReadAll(archive))(t)
		if head.Mode&0o777 != 0o644 || !strings.HasPrefix(head.Name, "package/") {
			t.Errorf("%s has mode %o", head.Name, head.Mode)
		}
		files[head.Name] = string(content)
	}
}

func names(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }
