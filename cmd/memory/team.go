package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/cmd/memory/team"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/workspace"
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
	c.AddCommand(a.teamInit(), a.teamShare(), a.teamForget(), a.teamStatus(), a.teamDriver())
	return c
}

// folderArgument is at most one folder.
func folderArgument(to *string) arguments {
	args := fileArgument(0, to)
	args.complete = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return args
}

func (a *app) teamDriver() *cobra.Command {
	dir := ""
	return newCommand("driver [DIR]", folderArgument(&dir), func(c *cobra.Command) error {
		at, err := a.workspaceFolder(dir)
		if err == nil {
			err = a.installDriver(c.Context(), at, team.WorkspaceFiles)
		}
		if err != nil {
			return err
		}
		return a.printLine(map[string]string{"path": at}, "git merges the decisions in %s", display.Name(at))
	})
}

func (a *app) installDriver(ctx context.Context, dir string, attributes []string) error {
	added, err := team.InstallDriver(ctx, dir, attributes)
	if added {
		a.note("commit %s, so that other clones use the driver too", display.Name(filepath.Join(dir, ".gitattributes")))
	}
	return err
}

// teamInit makes the folder of a team, or joins with one that is there.
func (a *app) teamInit() *cobra.Command {
	dir := ""
	c := newCommand("init [DIR]", folderArgument(&dir), func(c *cobra.Command) (err error) {
		isNamed := dir != ""
		dir, err = filepath.Abs(dir)
		if err == nil && !isNamed {
			dir, err = team.FindFolder(c.Context(), dir)
		}
		if err == nil {
			err = a.refusePersonal(dir)
		}
		if err == nil {
			err = a.installDriver(c.Context(), dir, team.AllMarkdown)
		}
		if err != nil {
			return err
		}
		r := memory.WorkspaceRequest{Path: folder.RealPath(dir), Client: workspace.ClientTeam, Progress: a.show}
		return a.withoutRefresh(c.Context(), writesSettings, func(s *session) error {
			info, err := s.AddWorkspace(c.Context(), r)
			if err != nil {
				return err
			}
			return a.printLine(info, "%s  %s", info.Name, display.Name(info.Path))
		})
	})
	c.Aliases = []string{"join"}
	return c
}

// refusePersonal returns an error for a folder whose files are memories of a person.
func (a *app) refusePersonal(dir string) error {
	cfg, _, err := a.load()
	if err != nil {
		return err
	}
	for _, w := range registry.OfPersons(registry.Workspaces(cfg)) {
		if workspace.SameFolder(w.Path, dir) || folder.Contains(filepath.Join(folder.RealPath(w.Path), "memory"), folder.RealPath(dir)) {
			return memory.Conflict("%s is in your workspace %s", dir, w.Name).WithHint("name another folder")
		}
	}
	return nil
}

// teams returns the folders of teams by their names.
func (a *app) teams() (map[string]string, error) {
	cfg, _, err := a.load()
	if err != nil {
		return nil, err
	}
	teams := map[string]string{}
	for _, w := range registry.Workspaces(cfg) {
		if w.Client == workspace.ClientTeam {
			teams[w.Name] = w.Path
		}
	}
	return teams, nil
}

// teamNamed returns the folder of a team: the named one, or the only one.
func (a *app) teamNamed(name string) (team.Folder, string, error) {
	teams, err := a.teams()
	names := slices.Sorted(maps.Keys(teams))
	if name == "" && len(names) == 1 {
		name = names[0]
	}
	dir, isTeam := teams[name]
	switch {
	case err != nil || isTeam:
	case name == "" && len(names) > 1:
		err = memory.Conflict("there are several teams: %s", strings.Join(names, ", ")).WithHint("name one of them")
	default:
		err = &memory.Error{Kind: memory.ErrNotFound, Message: strings.TrimSpace("there is no team " + name), Hint: "memory team init makes one, or joins with one"}
	}
	return team.Folder{Dir: dir, Env: a.env}, name, err
}

// teamFlag adds the flag --team.
func (a *app) teamFlag(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "team", "", "the `name` of the team; default: the only one")
	complete(c, "team", func(*cobra.Command, string) []string {
		teams, _ := a.teams() // an error completes nothing
		return slices.Sorted(maps.Keys(teams))
	})
}

func (a *app) printProposal(w io.Writer, p team.Proposal) {
	p.Path = display.Name(p.Path)
	fmt.Fprintln(w, p)
	if p.Branch != "" {
		a.note("git push origin %s, or git merge %s, brings it to the team", p.Branch, p.Branch)
	}
}

// teamShare proposes a personal memory to a team, if the person agrees.
func (a *app) teamShare() *cobra.Command {
	var r memory.ShowRequest
	name, topic, yes := "", "", false
	c := newCommand("share ID", a.idArgument(&r.ID), func(c *cobra.Command) error {
		to, _, err := a.teamNamed(name)
		if err != nil {
			return err
		}
		return a.withSession(c.Context(), readsIndex, func(s *session) error {
			r.Workspace = s.Workspace
			m, err := s.Backend.Show(c.Context(), r)
			if err == nil {
				err = team.CheckShared(m.Memory)
			}
			if err != nil {
				return err
			}
			agreed, err := a.confirmed(yes, fmt.Sprintf("Propose %q to everybody who reads %s?", display.MemoryLine(m.Text, 200), display.Name(to.Dir)))
			if err != nil || !agreed {
				return err
			}
			return printed(a, a.printProposal)(to.Add(c.Context(), topic, m.Text))
		})
	})
	a.teamFlag(c, &name)
	topicFlag(c, &topic)
	c.Flags().BoolVarP(&yes, "yes", "y", false, "propose it without asking")
	return c
}

func topicFlag(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "topic", "general", "the `topic` in the team's memory, which is the name of a file")
}

// proposeText proposes a new text to a team. What other flags declare cannot be part of it.
func (a *app) proposeText(c *cobra.Command, topic, text string) (err error) {
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Changed && f.Name != "team" && f.Name != "topic" {
			err = usageError(c, "--team takes no --%s", f.Name)
		}
	})
	to, _, teamErr := a.teamNamed(a.workspaceFlag)
	if err = cmp.Or(err, teamErr); err != nil {
		return err
	}
	return printed(a, a.printProposal)(to.Add(c.Context(), topic, text))
}

// teamForget proposes that a team forgets a memory. memory forget hides it from one person.
func (a *app) teamForget() *cobra.Command {
	var r memory.ShowRequest
	name := ""
	c := newCommand("forget ID", one("the id", &r.ID, nil), func(c *cobra.Command) error {
		to, workspace, err := a.teamNamed(name)
		if err != nil {
			return err
		}
		a.workspaceFlag = workspace
		return a.withSession(c.Context(), readsIndex, func(s *session) error {
			r.Workspace = workspace
			m, err := s.Show(c.Context(), r)
			if err != nil {
				return err
			}
			return printed(a, a.printProposal)(to.Forget(c.Context(), m.Memory, time.Now()))
		})
	})
	a.teamFlag(c, &name)
	return c
}

func (a *app) teamStatus() *cobra.Command {
	name := ""
	c := newCommand("status", arguments{}, func(c *cobra.Command) error {
		of, workspace, err := a.teamNamed(name)
		if err != nil {
			return err
		}
		status, err := of.Status(c.Context())
		status.Name = workspace
		return printed(a, printTeam)(status, err)
	})
	a.teamFlag(c, &name)
	return c
}

func printTeam(w io.Writer, s team.Status) {
	driver := "not set up here: memory team init"
	if s.Driver {
		driver = "set up"
	}
	fmt.Fprintf(w, "%s  %s\nmerge driver  %s\n", s.Name, display.Name(s.Path), driver)
	for _, author := range slices.Sorted(maps.Keys(s.Members)) {
		fmt.Fprintf(w, "member  %s: %d\n", display.Name(author), s.Members[author])
	}
	for _, p := range s.Proposals {
		fmt.Fprintf(w, "proposal  %s  %s, %s: %s\n", display.Name(p.Branch), display.Time(p.At), display.Name(p.Author), display.Name(p.Title))
	}
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
