package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	repository  = "https://github.com/memory-tiered/memory"
	description = "Memory for AI agents, with Markdown as the source of truth"
)

// systems maps the systems of Go to those of a manifest.
var systems = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}

// writeBundle packs a program and its manifest into DIR/memory_VERSION_PLATFORM.mcpb.
func writeBundle(dir, binary, platform, version string) error {
	goos, _, _ := strings.Cut(platform, "_")
	system := systems[goos]
	if system == "" || version == "" {
		return fmt.Errorf("no bundle of version %q for %q", version, platform)
	}
	program := "server/memory" + filepath.Ext(binary)
	manifest, err := json.MarshalIndent(manifestOf(program, system, version), "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(dir, "memory_"+version+"_"+platform+".mcpb"))
	if err != nil {
		return err
	}
	archive := zip.NewWriter(out)
	err = errors.Join(
		addFile(archive, "manifest.json", 0o644, strings.NewReader(string(manifest)+"\n")),
		addProgram(archive, program, binary),
		archive.Close(),
	)
	return errors.Join(err, out.Close())
}

func addProgram(archive *zip.Writer, name, path string) error {
	src, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(addFile(archive, name, 0o755, src), src.Close())
}

// fileTime is the time of every file of a bundle, so that two builds are equal. It is the
// earliest one of the format.
var fileTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func addFile(archive *zip.Writer, name string, mode os.FileMode, content io.Reader) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: fileTime}
	header.SetMode(mode)
	w, err := archive.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, content)
	return err
}

// manifestOf returns the manifest of a bundle, as the specification of MCP bundles
// describes it in version 0.3.
func manifestOf(program, system, version string) map[string]any {
	return map[string]any{
		"manifest_version": "0.3",
		"name":             "memory",
		"display_name":     "Memory",
		"version":          version,
		"description":      description,
		"author":           map[string]string{"name": "memory-tiered", "url": repository},
		"repository":       map[string]string{"type": "git", "url": repository},
		"homepage":         repository,
		"license":          "Apache-2.0",
		"server": map[string]any{
			"type":        "binary",
			"entry_point": program,
			"mcp_config": map[string]any{
				"command": "${__dirname}/" + program,
				"args":    []string{"mcp", "--workspace", "${user_config.folder}"},
			},
		},
		"user_config": map[string]any{
			"folder": map[string]any{
				"type": "directory", "title": "Notes", "required": true,
				"description": "The folder with MEMORY.md and memory/, in which memories are kept",
			},
		},
		"compatibility": map[string]any{"platforms": []string{system}},
	}
}
