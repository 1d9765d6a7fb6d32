package engine

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/together"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/folder"
	"github.com/memory-tiered/memory/internal/git"
	"github.com/memory-tiered/memory/workspace"
)

// AddNative registers the folders of memories that agents' clients have made since the last
// call, and returns their workspaces.
func (e *Engine) AddNative(ctx context.Context) (added []memory.WorkspaceInfo, err error) {
	if e.options().Registry == nil || e.options().ReadOnly {
		return nil, nil
	}
	found, err := e.options().Registry.NewNative()
	for _, f := range found {
		info, addErr := e.AddWorkspace(ctx, memory.WorkspaceRequest{Path: f.Path, Client: f.Client})
		if err = errors.Join(err, addErr); addErr == nil {
			added = append(added, info)
		}
	}
	return added, err
}

// together returns the source of a question from a folder: the workspace that is asked, and the
// memories that agents' clients and teams keep. It is nil if the workspace answers alone, such as
// one that the question names. What a client puts before its model by itself is left out of the
// blocks for that client.
func (e *Engine) together(asked *workspaceState, r memory.RecallRequest) *together.Source {
	if r.Folder == "" || r.Workspace != "" {
		return nil
	}
	var parts []together.Part
	if asked.isOfPerson() {
		parts = append(parts, together.Part{Index: asked.db, Workspace: asked.Name})
	}
	repository := git.Find(r.Folder)
	here := clients.Slugs(r.Folder, repository.Top(r.Folder), repository.WorkTrees(r.Folder))
	for _, s := range e.clientWorkspaces(nil) {
		if s.Options.Documents {
			continue
		}
		client := clients.Named(s.Client)
		part := together.Part{Index: s.db, Workspace: s.Name, Team: s.isOfTeam()}
		if top := projectOf(s.Dir); part.Team && top != folder.RealPath(s.Dir) && top != projectOf(r.Folder) {
			part.Project = filepath.Base(top) // a repository of its own is about no project
		}
		if slug := client.FolderAt(s.Dir).Slug; slug != "" && !slices.Contains(here, slug) {
			_, part.Project = clients.Project(slug)
		}
		if r.Agent == s.Client {
			part.Given = client.Loads
		}
		if part.Project == "" || !r.Standing {
			parts = append(parts, part)
		}
	}
	if asked.isOfPerson() && len(parts) == 1 {
		return nil
	}
	return together.New(parts)
}

// isOfPerson reports whether no client, team or library of documents has written the memories.
func (s *workspaceState) isOfPerson() bool { return s.Client == "" }

// isOfTeam reports whether a team has written the memories.
func (s *workspaceState) isOfTeam() bool { return s.Client == workspace.ClientTeam }

// documents returns the source of a question to documents; nil if there are none.
func (e *Engine) documents(name string, pushed bool) *together.Source {
	var all []together.Part
	for _, s := range e.openWorkspaces() {
		all = append(all, together.Part{Index: s.db, Workspace: s.Name, Documents: s.Options.Documents && s.isThere(), Pushed: s.Pushed})
	}
	return together.Documents(all, name, pushed)
}

// isThere reports whether the workspace's folder can be read now.
func (s *workspaceState) isThere() bool {
	folder, err := s.Folder()
	return err == nil && folder.Check() == nil
}

// offerUses stores the uses of an answer with the workspaces that its memories are from, and
// the receipt with the workspace that was asked. all is nil if that answered alone. Passages of
// documents do not age, so that their uses are not counted.
func (e *Engine) offerUses(s *workspaceState, all *together.Source, id, session string, users []string, hits []memory.Hit, kind index.UseKind, receipt *memory.Receipt) {
	hits = slices.DeleteFunc(slices.Clone(hits), func(h memory.Hit) bool { return h.Documents != "" })
	if all == nil {
		s.uses.AddOffer(id, session, users, hits, kind, receipt)
		return
	}
	of := map[string][]memory.Hit{s.Name: nil}
	for _, h := range hits {
		of[all.Owner(h.ID)] = append(of[all.Owner(h.ID)], h)
	}
	for _, o := range e.openWorkspaces() {
		switch own, asked := of[o.Name]; {
		case o == s:
			s.uses.AddOffer(id, session, users, own, kind, receipt)
		case asked:
			o.uses.AddOffer(id, session, users, own, kind, nil)
		}
	}
}

// clientWorkspaces returns the workspaces of the memories that agents' clients keep, but for one.
func (e *Engine) clientWorkspaces(but *workspaceState) []*workspaceState {
	return slices.DeleteFunc(e.openWorkspaces(), func(s *workspaceState) bool { return s == but || s.Client == "" })
}

// holding returns the workspace that is asked, and the one that has a memory with an id or a prefix
// of one. If the request names no workspace, and one memory, that may be another one.
func (e *Engine) holding(ctx context.Context, named string, ids ...string) (asked, holds *workspaceState, err error) {
	if named != "" || len(ids) != 1 {
		asked, err = e.lookup(named)
		return asked, asked, err
	}
	if asked, err = e.lookupAnswering("", ""); err != nil {
		return nil, nil, err
	}
	if prefix, invalid := memory.ParseIDPrefix(ids[0]); invalid == nil { // or else the caller reports it
		for _, s := range append([]*workspaceState{asked}, e.clientWorkspaces(asked)...) {
			if found, err := s.db.FindByPrefix(ctx, memory.View{}, prefix); err != nil || len(found) > 0 {
				return asked, s, err
			}
		}
	}
	return asked, asked, nil
}

// refuseHidden returns an error for a memory of documents, a client or a team that repeats what a
// workspace of a person hides.
func (e *Engine) refuseHidden(ctx context.Context, who memory.View, m memory.Memory, of *workspaceState) error {
	for _, s := range e.openWorkspaces() {
		if of.isOfPerson() || !s.isOfPerson() {
			continue
		}
		if hidden, err := s.db.Hidden(ctx, who); err != nil {
			return err
		} else if hidden.HidesMemory(m, of.isOfTeam()) {
			return memory.NotFound(string(m.ID))
		}
	}
	return nil
}
