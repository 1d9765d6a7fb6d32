package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/sharing"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/knowledge"
)

func (a *app) scenesCommand() *cobra.Command {
	c := &cobra.Command{Use: "scenes"}
	c.AddCommand(a.scenesList(), a.scenesShow(), a.scenesSync())
	return c
}

func (a *app) scenesList() *cobra.Command {
	var r memory.ListRequest
	limit := 0
	c := question(a, "list", arguments{}, api.Backend.Scenes, &r, &r.Workspace, func(w io.Writer, answer knowledge.ScenesAnswer) {
		display.Scenes(w, answer.Scenes)
		a.noteShown(len(answer.Scenes), answer.Total)
		a.noteGaps(0, nil, answer.Stale)
	})
	c.Flags().IntVar(&limit, "limit", 0, "at most this many; 0: no limit")
	c.Flags().StringVar(&r.Entity, "entity", "", "only scenes with a memory about the person or thing with this `name`")
	r.Limit = &limit
	a.entityFlags(c, &r)
	return c
}

// scenePage is a scene with its memories.
type scenePage struct {
	knowledge.Scene
	Memories memory.List[memory.Memory] `json:"memories"` // newest first
}

func (a *app) scenesShow() *cobra.Command {
	var r memory.ListRequest
	c := question(a, "show ID", one("the id", &r.Scene, a.completeScene), readScenes, &r, &r.Workspace, func(w io.Writer, pages []scenePage) {
		for i, page := range pages {
			if i > 0 {
				fmt.Fprintln(w)
			}
			display.Scene(w, page.Scene, a.width)
			a.printMemories(w, memory.ListAnswer{Memories: page.Memories})
		}
	})
	a.userFlag(c, &r.Sender, "", readerHelp)
	return c
}

// readScenes reads the scenes that an id means, with their memories.
func readScenes(b api.Backend, ctx context.Context, r memory.ListRequest) (pages []scenePage, err error) {
	found, err := b.Scenes(ctx, r)
	for _, s := range found.Scenes {
		r.Scene = s.ID
		of, err := newestFirst(b, ctx, r)
		if err != nil {
			return pages, err
		}
		pages = append(pages, scenePage{s, of})
	}
	return pages, err
}

// syncAnswer lists the files of scenes in the folder of another agent.
type syncAnswer struct {
	Files   memory.List[sharing.File] `json:"files"`
	Preview bool                      `json:"preview"`
}

func (a *app) scenesSync() *cobra.Command {
	var ids []string
	to, yes := "", false
	args := arguments{most: -1, read: func(given []string) error { ids = given; return nil }, complete: firstArgument(a.completeScene)}
	c := newCommand("sync [ID…] --to FOLDER", args, func(c *cobra.Command) error {
		return a.withSession(c.Context(), readsIndex, func(s *session) error {
			answer := syncAnswer{Preview: !yes}
			var err error
			if answer.Files, err = a.planSync(c.Context(), s, ids, to); err != nil {
				return err
			}
			for _, f := range answer.Files {
				if yes {
					err = errors.Join(err, f.Write())
				}
			}
			return printed(a, a.printSync)(answer, err)
		})
	})
	c.Flags().StringVar(&to, "to", "", "the `folder` of the other agent: its workspace")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "write; without it, the changes are only shown")
	return c
}

func (a *app) printSync(w io.Writer, answer syncAnswer) {
	for _, f := range answer.Files {
		display.Synced(w, f.Path, f.Added, f.Removed, f.Unchanged, a.width)
		if len(f.LeftOut) > 0 {
			a.note("%s cannot be written as bullets, and are left out", display.MemoryCount(len(f.LeftOut)))
		}
	}
	if answer.Preview {
		a.note("nothing is written; --yes writes")
	}
}

// planSync plans the files of scenes, or of all that the folder has. The other agent gets what a
// model of the owner may read, and no word of anything else.
func (a *app) planSync(ctx context.Context, s *session, ids []string, to string) (files []sharing.File, err error) {
	there, err := os.Stat(to)
	full, absErr := filepath.Abs(to)
	if err = cmp.Or(err, absErr); to == "" || err != nil || !there.IsDir() || folder.Contains(folder.RealPath(s.Dir), folder.RealPath(full)) {
		return nil, memory.Invalid("to", "%q is not the folder of another agent", to)
	}
	isKnown := len(ids) == 0
	teams, err := a.teams()
	for _, dir := range teams {
		if folder.Contains(folder.RealPath(dir), folder.RealPath(full)) {
			err = memory.Conflict("%s is the memory of a team", to).WithHint("memory team share ID proposes one memory")
		}
	}
	if err != nil {
		return nil, err
	}
	if isKnown {
		if ids, err = sharing.Synced(to, s.Workspace); err != nil {
			return nil, err
		}
	}
	model := memory.ListRequest{Workspace: s.Workspace, For: memory.AudienceModel, Sender: memory.Sender{User: memory.OwnerIdentity}}
	readable, err := listAll(s, ctx, model)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		r := memory.ListRequest{Workspace: s.Workspace, Filter: memory.Filter{Scene: id}}
		pages, err := readScenes(s, ctx, r)
		if len(pages) > 1 {
			err = memory.Conflict("%s may be %d scenes", id, len(pages)).WithHint("type more digits")
		}
		if isKnown && errors.Is(err, memory.ErrNotFound) {
			pages, err = []scenePage{{Scene: knowledge.Scene{ID: id}}}, nil
		}
		if err != nil {
			return nil, err
		}
		of := pages[0].Scene
		model.Scene, of.Title = of.ID, "Scene "+of.ID
		if shown, err := s.Scenes(ctx, model); err == nil && len(shown.Scenes) == 1 && of.Kind != "conversation" {
			of.Title = shown.Scenes[0].Title
		}
		members := memory.IDsOf(pages[0].Memories)
		shared := slices.DeleteFunc(slices.Clone(readable.Memories), func(m memory.Memory) bool {
			return !slices.Contains(members, m.ID) || m.User != "" && m.User != memory.OwnerIdentity
		})
		slices.SortFunc(shared, func(a, b memory.Memory) int { return a.CreatedAt.Compare(b.CreatedAt) })
		f, err := sharing.Plan(to, s.Workspace, of, shared)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// completeScene completes the id of a scene.
func (a *app) completeScene(c *cobra.Command, typed string) (found []string) {
	_ = a.withSession(c.Context(), readsIndex, func(s *session) error { // an error completes nothing
		all, err := s.Scenes(c.Context(), memory.ListRequest{Workspace: s.Workspace})
		for _, each := range all.Scenes {
			if strings.HasPrefix(each.ID, strings.ToLower(typed)) {
				found = append(found, each.ID+"\t"+display.Name(each.Title))
			}
		}
		return err
	})
	return found
}
