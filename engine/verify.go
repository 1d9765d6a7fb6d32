package engine

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/verify"
)

// Verify looks for a text on every route and in every file that is ours or that
// we index. For a user, it looks only on the routes, as this user. It changes nothing.
// progress may be nil.
func (e *Engine) Verify(ctx context.Context, r memory.VerifyRequest, progress func(memory.Progress)) (memory.VerifyAnswer, error) {
	s, who, err := e.ask(r.Workspace, r.Sender, r.For)
	if err != nil {
		return memory.VerifyAnswer{}, err
	}
	text, err := e.textToVerify(ctx, s, who, r)
	if err != nil {
		return memory.VerifyAnswer{}, err
	}
	routes := verify.Routes{Searcher: e, Lister: e, Historian: e, Workspace: s.Name}
	if who.Users != nil {
		routes.User = &verify.User{Sender: r.Sender, For: r.For}
		return routes.Find(ctx, text) // the files have everybody's memories
	}
	routes.Users = slices.Sorted(maps.Keys(e.options().Identities))
	answer, err := routes.Find(ctx, text)
	if err != nil {
		return memory.VerifyAnswer{}, err
	}
	files, err := e.scanFiles(ctx, s, []string{text}, progress)
	if err != nil {
		return answer, err
	}
	hosts, err := verify.Hosts{Dirs: e.hostDirs(), Workspace: s.Dir}.Find(ctx, []string{text}, progress)
	for _, more := range []memory.VerifyAnswer{files, hosts} {
		answer.Found += more.Found
		answer.Checked = append(answer.Checked, more.Checked...)
	}
	return answer, err
}

func (e *Engine) hostDirs() []string {
	if hosts := e.options().Hosts; hosts != nil {
		return hosts.HostDirs()
	}
	return nil
}

// textToVerify returns the text of a request: its own, or that of the memory
// that it names.
func (e *Engine) textToVerify(ctx context.Context, s *workspaceState, who memory.View, r memory.VerifyRequest) (string, error) {
	switch {
	case r.For == memory.AudienceModel && r.Text != "":
		return "", memory.Invalid("text", "a model looks for a memory, not for a text").WithHint("give the id of a memory")
	case r.ID != "" && r.Text != "":
		return "", memory.Invalid("text", "a request names either a text or an id, not both").WithHint("leave one of them out")
	case r.ID == "" && strings.TrimSpace(r.Text) == "":
		return "", memory.Invalid("text", "there is no text to look for").WithHint("give a text, or the id of a memory")
	case r.ID == "":
		return r.Text, nil
	}
	m, err := lookup.FindFor(ctx, s.db, who, r.ID)
	if !errors.Is(err, memory.ErrNotFound) || who.Users != nil {
		return m.Text, err // an id is made from a text: a user may not learn whether it existed
	}
	past, auditErr := s.db.Audit(ctx, memory.AuditRequest{ID: r.ID, Action: string(memory.ActionDestroy), Limit: 1})
	if auditErr == nil && past.Total > 0 {
		return "", memory.NotFound(r.ID).WithHint("it was destroyed on %s and its text is not kept; give the text itself to look for it",
			past.Audit[0].At.In(s.zone()).Format("2006-01-02 15:04"))
	}
	return "", err
}

// scanFiles looks for texts in every file of the state folder and the workspace.
func (e *Engine) scanFiles(ctx context.Context, s *workspaceState, texts []string, progress func(memory.Progress)) (memory.VerifyAnswer, error) {
	files := verify.Files{StateDir: e.options().StateDir, Database: s.DBPath, Workspace: s.Dir, ReadOpen: e.readOpenDatabases, Progress: progress}
	if folder, err := s.openFolder(); err == nil {
		if _, err := folder.Scan(ctx); err == nil { // reads the ignore file
			files.Indexed = folder.Indexable
		}
	}
	return files.Find(ctx, texts)
}

// readOpenDatabases passes the files of every open database to read.
func (e *Engine) readOpenDatabases(read func(path string, r io.Reader) error) error {
	for _, s := range e.sortedWorkspaces() {
		if s.openErr == nil {
			if err := s.db.RawFiles(read); err != nil {
				return err
			}
		}
	}
	return nil
}
