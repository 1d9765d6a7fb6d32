package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
)

func (a *app) scenesCommand() *cobra.Command {
	c := &cobra.Command{Use: "scenes"}
	c.AddCommand(a.scenesList(), a.scenesShow())
	return c
}

func (a *app) scenesList() *cobra.Command {
	var r memory.ListRequest
	limit := 0
	c := question(a, "list", arguments{}, api.Backend.Scenes, &r, &r.Workspace, func(w io.Writer, answer memory.ScenesAnswer) {
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
	memory.Scene
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
		r.Scene, r.Properties, r.Sort = s.ID, true, "created_at"
		var all memory.ListAnswer
		if all, err = listAll(b, ctx, r); err != nil {
			return pages, err
		}
		pages = append(pages, scenePage{s, all.Memories})
	}
	return pages, err
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
