package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/cmd/memory/team"
	"github.com/memory-tiered/memory/internal/folder"
)

// mergeFileCommand is what git runs to merge a file. It needs no state folder.
func (a *app) mergeFileCommand() *cobra.Command {
	var files []string
	args := arguments{least: 4, most: 4, missing: "a file", read: func(given []string) error { files = given; return nil }}
	c := newCommand("merge-file BASE OURS THEIRS PATH", args, func(c *cobra.Command) error {
		conflicts, err := team.MergeFile(c.Context(), files[0], files[1], files[2], files[3])
		if err == nil && conflicts {
			err = errFound
		}
		return err
	})
	c.Hidden = true
	return c
}

func (a *app) teamCommand() *cobra.Command {
	c := &cobra.Command{Use: "team"}
	c.AddCommand(a.teamDriver())
	return c
}

func (a *app) teamDriver() *cobra.Command {
	dir := ""
	return newCommand("driver [DIR]", arguments{most: 1, read: func(given []string) error { dir = strings.Join(given, ""); return nil }}, func(c *cobra.Command) error {
		at, err := a.workspaceFolder(dir)
		if err != nil {
			return err
		}
		added, err := team.InstallDriver(c.Context(), at, team.WorkspaceFiles)
		if err != nil {
			return err
		}
		if added {
			a.note("commit %s, so that other clones use the driver too", filepath.Join(at, ".gitattributes"))
		}
		return a.printLine(map[string]string{"path": at}, "git merges the decisions in %s", at)
	})
}

// workspaceFolder returns a folder that the command line names, or else that of its workspace.
func (a *app) workspaceFolder(dir string) (string, error) {
	if dir != "" {
		full, err := filepath.Abs(dir)
		return folder.RealPath(full), err
	}
	cfg, _, err := a.load()
	if err != nil {
		return "", err
	}
	known := registry.Workspaces(cfg)
	t, err := a.resolveTarget(known)
	for _, w := range known {
		if w.Name == t.name {
			return w.Path, err
		}
	}
	return t.dir, err
}
