package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const (
	registryName   = "io.github.memory-tiered/memory"
	registrySchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
	image          = "ghcr.io/memory-tiered/memory"
)

type object = map[string]any

// printEntry prints the entry of the MCP registry for the bundles in a folder.
func printEntry(out io.Writer, dir, version string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.mcpb"))
	if err != nil || len(files) == 0 || version == "" {
		return fmt.Errorf("%d bundles of version %q in %s: %w", len(files), version, dir, err)
	}
	stdio := object{"type": "stdio"}
	var packages []object
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		packages = append(packages, object{
			"registryType": "mcpb",
			"identifier":   repository + "/releases/download/v" + version + "/" + filepath.Base(file),
			"fileSha256":   hex.EncodeToString(sum[:]),
			"transport":    stdio,
		})
	}
	packages = append(packages, object{
		"registryType": "oci",
		"identifier":   image + ":" + version,
		"transport":    stdio,
		"runtimeArguments": []object{{
			"type": "named", "name": "-v", "description": "The folder with MEMORY.md", "isRequired": true,
			"value": "{folder}:/notes", "variables": object{"folder": object{"format": "filepath", "isRequired": true}},
		}, {
			"type": "named", "name": "-v", "description": "The index, which outlives the container", "value": "memory-state:/state",
		}},
		"packageArguments": []object{{"type": "positional", "value": "mcp"}},
	})
	entry, err := json.MarshalIndent(object{
		"$schema":     registrySchema,
		"name":        registryName,
		"title":       "Memory",
		"description": description,
		"version":     version,
		"repository":  object{"url": repository, "source": "github"},
		"packages":    packages,
	}, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", entry)
	return err
}
