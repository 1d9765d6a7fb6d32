package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

func (a *app) workspaceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "workspace",
		Short: "manage workspaces: add, list, remove, rename",
		Long: `A workspace is a folder with MEMORY.md and memory/. One service serves several
workspaces, each with its own name and database.`,
		Example: `  memory workspace add ~/notes
  memory workspace list`,
	}
	c.AddCommand(a.workspaceAdd(), a.workspaceList(), a.workspaceRemove(), a.workspaceRename())
	return c
}

// withoutWorkspace runs a command that needs no single workspace.
func (a *app) withoutWorkspace(ctx context.Context, need access, run func(*session) error) error {
	s, err := a.open(ctx, need, false)
	if err != nil {
		return err
	}
	defer s.Close()
	return run(s)
}

func (a *app) workspaceAdd() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:     "add DIR",
		Short:   "register a folder and index it",
		Example: "  memory workspace add ~/notes\n  memory workspace add --name team ~/team-notes",
		Args:    argumentCount(1, 1, "the folder"),
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			return a.withoutWorkspace(c.Context(), writesSettings, func(s *session) error {
				info, err := s.AddWorkspace(c.Context(), memory.WorkspaceRequest{Name: name, Path: realPath(dir)})
				if err != nil {
					return err
				}
				return a.printAnswer(info, func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "%s  %s\n", info.Name, info.Path)
					return err
				})
			})
		},
	}
	c.Flags().StringVar(&name, "name", "", "the name (default: the name of the folder)")
	return c
}

func (a *app) workspaceList() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "list the registered workspaces",
		Example: "  memory workspace list",
		Args:    argumentCount(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withoutWorkspace(c.Context(), noWorkspace, func(s *session) error {
				listed, err := s.Workspaces(c.Context())
				if err != nil {
					return err
				}
				return a.printAnswer(listed, func(w io.Writer) error {
					table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
					for _, ws := range listed.Workspaces {
						fmt.Fprintf(table, "%s\t%s\n", ws.Name, ws.Path)
					}
					return table.Flush()
				})
			})
		},
	}
}

func (a *app) workspaceRemove() *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "stop serving a workspace; its Markdown and its database stay",
		Args:  argumentCount(1, 1, "the name"), Example: "  memory workspace remove old-notes",
		RunE: func(c *cobra.Command, args []string) error {
			return a.withoutWorkspace(c.Context(), writesSettings, func(s *session) error {
				if err := s.RemoveWorkspace(c.Context(), args[0]); err != nil {
					return err
				}
				return a.printAnswer(map[string]string{"removed": args[0]}, func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "%s is no longer served\n", args[0])
					return err
				})
			})
		},
	}
}

func (a *app) workspaceRename() *cobra.Command {
	return &cobra.Command{
		Use:   "rename FROM TO",
		Short: "rename a workspace; its database and backup move with it",
		Long: `rename gives a workspace another name. Its database and backup move with it. If a
removed workspace had the new name, its database is set aside: in a folder below
workspaces in the state folder, whose name has the time.`,
		Args: argumentCount(2, 2, "a name"), Example: "  memory workspace rename notes main",
		RunE: func(c *cobra.Command, args []string) error {
			return a.withoutWorkspace(c.Context(), writesSettings, func(s *session) error {
				info, err := s.RenameWorkspace(c.Context(), args[0], args[1])
				if err != nil {
					return err
				}
				return a.printAnswer(info, func(w io.Writer) error {
					_, err := fmt.Fprintf(w, "%s  %s\n", info.Name, info.Path)
					return err
				})
			})
		},
	}
}
