package engine

import (
	"context"
	"io"
	"maps"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/commands"
	"github.com/memory-tiered/memory/engine/lookup"
	"github.com/memory-tiered/memory/engine/statefolder"
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
	if len(r.Receipt) > 0 {
		if who.Model || who.Users != nil {
			return memory.VerifyAnswer{}, commands.DestroyByPerson()
		}
		return e.verifyReceipt(ctx, s, r.Receipt, progress)
	}
	text, err := lookup.TextToVerify(ctx, s.db, who, r, s.zone())
	if err != nil {
		return memory.VerifyAnswer{}, err
	}
	routes := verify.Routes{Backend: e, Workspace: s.Name}
	if who.Users != nil {
		routes.User = &verify.User{Sender: r.Sender, For: r.For}
		return routes.Find(ctx, text) // the files have everybody's memories
	}
	routes.Users = slices.Sorted(maps.Keys(e.options().Identities))
	answer, err := routes.Find(ctx, text)
	if err != nil {
		return memory.VerifyAnswer{}, err
	}
	files, err := e.scanFiles(ctx, s, verify.NewMatcher(text), progress)
	if err != nil {
		return answer, err
	}
	hosts, err := verify.Hosts{Dirs: e.hostDirs(), Workspace: s.Dir}.Find(ctx, verify.NewMatcher(text), progress)
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

// scanFiles looks for texts in every file of the state folder and the workspace. It also looks in
// the passages of documents, whose files may be compressed.
func (e *Engine) scanFiles(ctx context.Context, s *workspaceState, texts *verify.Matcher, progress func(memory.Progress)) (memory.VerifyAnswer, error) {
	files := verify.Files{StateDir: e.options().StateDir, Database: s.DBPath, Snapshots: statefolder.Snapshots(s.DBPath), Workspace: s.Dir, ReadOpen: e.readOpenDatabases, Progress: progress}
	if folder, err := s.openFolder(); err == nil {
		if _, err := folder.Scan(ctx); err == nil { // reads the ignore file
			files.Indexed = folder.Indexable
		}
	}
	answer, err := files.Find(ctx, texts)
	for _, o := range e.openWorkspaces() {
		if o.Options.Documents && o != s && err == nil {
			err = lookup.AddDocuments(ctx, o.db, o.Name, o.Dir, texts, &answer)
		}
	}
	return answer, err
}

// readOpenDatabases passes the files of every open database to read.
func (e *Engine) readOpenDatabases(read func(path string, r io.Reader) error) error {
	for _, s := range e.openWorkspaces() {
		if err := s.db.RawFiles(read); err != nil {
			return err
		}
	}
	return nil
}
