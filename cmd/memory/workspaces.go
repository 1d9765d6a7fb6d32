package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/workspace"
)

func (a *app) workspaceCommand() *cobra.Command {
	c := &cobra.Command{Use: "workspace"}
	c.AddCommand(a.workspaceAdd(), a.workspaceList(), a.workspaceRemove(), a.workspaceRename())
	return c
}

func (a *app) workspaceAdd() *cobra.Command {
	var r memory.WorkspaceRequest
	var native bool
	c := &cobra.Command{
		Use:  "add DIR | --native",
		Args: argumentCount(0, 1, ""),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case native && (len(args) > 0 || r.Name+r.Client != "" || len(r.Patterns()) > 0):
				return usageError(c, "--native takes no folder, name or pattern")
			case native:
				return a.addNative(c.Context())
			case len(args) == 0:
				return usageError(c, "the folder is missing")
			}
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			r.Path = folder.RealPath(dir)
			return a.withoutRefresh(c.Context(), writesSettings, func(s *session) error { return a.addWorkspace(c.Context(), s, r) })
		},
	}
	c.Flags().StringVar(&r.Name, "name", "", "the name (default: the name of the folder)")
	c.Flags().BoolVar(&r.All, "all", false, "index every Markdown file below the folder: the pattern "+memory.AllMarkdown)
	c.Flags().StringArrayVar(&r.Globs, "glob", nil, "index files that match this `pattern` too; ** matches any number of folders; repeatable")
	c.Flags().BoolVar(&native, "native", false, "register the memories that agents' clients keep by themselves")
	c.Flags().BoolFunc("docs", "the folder has documents, which only a search that asks for them finds: Markdown, text, HTML and PDF", func(string) error { r.Client = workspace.ClientDocuments; return nil })
	completeWords[string](c, "glob", nil)
	return c
}

func (a *app) addWorkspace(ctx context.Context, s *session, r memory.WorkspaceRequest) error {
	r.Progress = a.show
	info, err := s.AddWorkspace(ctx, r)
	if err != nil {
		return err
	}
	if len(info.Added) == 0 && len(r.Patterns()) > 0 {
		a.note("nothing changed, because the workspace has these patterns already")
	}
	for _, pattern := range info.Unmatched {
		a.note("no Markdown file matches %s; a pattern is relative to the folder, and ** matches any number of folders", display.Name(pattern))
	}
	return printAnswer(a, info, func(w io.Writer, info memory.WorkspaceInfo) {
		fmt.Fprintf(w, "%s  %s\n", info.Name, info.Path)
		if len(info.Added) > 0 {
			fmt.Fprintf(w, "patterns added: %s\n", strings.Join(info.Added, ", "))
		}
		if info.Coverage != nil {
			fmt.Fprintf(w, "indexed: %s\n", display.Coverage(*info.Coverage, nil, info.Client))
		}
		status, _ := s.Status(ctx) // without it, the faults are not counted
		for _, ws := range status.Workspaces {
			if n := len(ws.Faults); n > 0 && ws.Name == info.Name {
				a.note("%s; memory status lists them", display.Plural(n, "fault in the files", "faults in the files"))
			}
		}
		if len(r.Patterns()) == 0 && info.Client == "" { // else the person has chosen
			a.noteNotCovered(info.Path, info.Coverage)
		}
	})
}

func (a *app) workspaceList() *cobra.Command {
	return newCommand("list", arguments{}, func(c *cobra.Command) error {
		return a.withoutRefresh(c.Context(), noWorkspace, func(s *session) error {
			return printed(a, printWorkspaces)(listWorkspaces(c.Context(), s))
		})
	})
}

// listWorkspaces lists the workspaces with counts of their files.
func listWorkspaces(ctx context.Context, s *session) (memory.WorkspacesAnswer, error) {
	listed, err := s.Workspaces(ctx)
	if err != nil {
		return listed, err
	}
	status, err := s.Status(ctx)
	if errors.Is(err, memory.ErrForbidden) { // a token of some workspaces
		return listed, nil
	} else if err != nil {
		return listed, err
	}
	for i, info := range listed.Workspaces {
		for _, ws := range status.Workspaces {
			if ws.Name == info.Name {
				listed.Workspaces[i].Coverage = ws.Coverage
			}
		}
	}
	return listed, nil
}

func printWorkspaces(w io.Writer, listed memory.WorkspacesAnswer) {
	display.Columns(w, 0, func(table io.Writer) {
		for _, ws := range listed.Workspaces {
			fmt.Fprintf(table, "%s\t%s", ws.Name, display.Name(ws.Path))
			if ws.Coverage != nil {
				fmt.Fprintf(table, "\t%s", display.Coverage(*ws.Coverage, ws.Globs, ws.Client))
			}
			fmt.Fprintln(table)
		}
	})
}

func (a *app) workspaceRemove() *cobra.Command {
	var name string
	return newCommand("remove NAME", one("the name", &name, nil), func(c *cobra.Command) error {
		return a.withoutRefresh(c.Context(), writesSettings, func(s *session) error {
			left := registry.LeftOnServer(a.load, a.environ, name)
			if err := s.RemoveWorkspace(c.Context(), name); err != nil {
				return err
			}
			a.notes(left)
			return a.printLine(map[string]string{"removed": name}, "%s is no longer served", name)
		})
	})
}

func (a *app) workspaceRename() *cobra.Command {
	var names []string
	args := arguments{least: 2, most: 2, missing: "a name", read: func(given []string) error { names = given; return nil }}
	return newCommand("rename FROM TO", args, func(c *cobra.Command) error {
		return a.withoutRefresh(c.Context(), writesSettings, func(s *session) error {
			info, err := s.RenameWorkspace(c.Context(), names[0], names[1])
			if err != nil {
				return err
			}
			return a.printLine(info, "%s  %s", info.Name, info.Path)
		})
	})
}
