package main

import (
	"path/filepath"
	"runtime"

	"github.com/memory-tiered/memory/internal/folder"
)

// cacheDir returns the folder for files that a program can get again; empty: none is known.
func (a *app) cacheDir() string {
	if dir := a.env("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if runtime.GOOS == "windows" {
		return a.env("LocalAppData")
	}
	home, err := a.home()
	switch {
	case err != nil:
		return ""
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Caches")
	}
	return filepath.Join(home, ".cache")
}

// lanceReaderFolder returns where npm installs what reads LanceDB: in the user's cache.
// It is never in the state folder, where the database itself may be. Empty: a temporary
// folder.
func (a *app) lanceReaderFolder(stateDir string) string {
	dir := filepath.Join(a.cacheDir(), "memory-tiered", "lancedb")
	below, err := filepath.Rel(folder.Identify(stateDir).Path, folder.Identify(dir).Path)
	if !filepath.IsAbs(dir) || err == nil && filepath.IsLocal(below) {
		return ""
	}
	return dir
}
