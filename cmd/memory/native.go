package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/folder"
)

// addNative registers the memories that agents' clients keep by themselves, and lists them.
func (a *app) addNative(ctx context.Context) error {
	answer, _, err := a.followNative(ctx, "")
	if err != nil {
		return err
	}
	if len(answer.Workspaces) == 0 {
		a.note("no client of an agent has memories of its own yet; the service registers them when they appear")
	}
	return printAnswer(a, answer, printNative)
}

// followNative registers the memories that a client keeps by itself; empty: those of all. A
// service finds later ones, because the configuration lists the clients from now on.
func (a *app) followNative(ctx context.Context, client string) (answer memory.WorkspacesAnswer, already bool, err error) {
	cfg, _, err := a.load()
	home, homeErr := a.home()
	if err := errors.Join(err, homeErr); err != nil {
		return answer, false, err
	}
	found, already, err := registry.FollowClients(cfg.File, a.environ, home, a.env, client)
	if err != nil {
		return answer, false, err
	}
	return answer, already, a.withoutRefresh(ctx, writesSettings, func(s *session) error {
		for _, f := range found {
			info, err := s.AddWorkspace(ctx, memory.WorkspaceRequest{Path: folder.RealPath(f.Path), Client: f.Client, Progress: a.show})
			if err != nil {
				return err
			}
			answer.Workspaces = append(answer.Workspaces, info)
		}
		return nil
	})
}

func printNative(w io.Writer, answer memory.WorkspacesAnswer) {
	display.Columns(w, 0, func(table io.Writer) {
		for _, ws := range answer.Workspaces {
			fmt.Fprintf(table, "%s\t%s\t%s\n", ws.Name, ws.Client, display.Name(ws.Path))
		}
	})
}

// folderHelp describes the flag of a question's folder.
const folderHelp = "ask from this `folder`, as an agent in it does: the memories of agents' clients answer too"

// askFrom opens a session for a question from a folder. It names no workspace then, so that
// several answer, unless the command line names one.
func (a *app) askFrom(ctx context.Context, from *string, run func(*session) error) (err error) {
	if *from == "" || a.workspaceFlag != "" {
		return a.withSession(ctx, readsIndex, run)
	}
	if *from, err = filepath.Abs(*from); err != nil {
		return err
	}
	*from = folder.RealPath(*from)
	return a.withSession(ctx, noWorkspace, func(s *session) error {
		if err := indexAll(ctx, s); err != nil {
			return err
		}
		return run(s)
	})
}

// indexAll reads the changed files of every workspace, which a service has done already. If
// another command writes, the index stays as it is.
func indexAll(ctx context.Context, s *session) error {
	if s.Daemon {
		return nil
	}
	listed, err := s.Workspaces(ctx)
	for _, w := range listed.Workspaces {
		if err == nil {
			_, err = s.Index(ctx, memory.IndexRequest{Workspace: w.Name, EmbedWithin: refreshTimeout}, nil)
		}
		if errors.Is(err, memory.ErrUnavailable) {
			err = nil
		}
	}
	return err
}

// everywhere is the backend of a command line that names no workspace. A memory that its
// workspace does not have may be one of an agent's client.
type everywhere struct {
	api.Backend
	folder string // where an agent works: its questions go to the memories of clients too; empty: no agent asks
}

func (b everywhere) Show(ctx context.Context, r memory.ShowRequest) (memory.ShowAnswer, error) {
	answer, err := b.Backend.Show(ctx, r)
	if errors.Is(err, memory.ErrNotFound) {
		r.Workspace = ""
		return b.Backend.Show(ctx, r)
	}
	return answer, err
}

func (b everywhere) Decide(ctx context.Context, r memory.DecideRequest) (memory.DecideAnswer, error) {
	answer, err := b.Backend.Decide(ctx, r)
	if errors.Is(err, memory.ErrNotFound) && len(r.IDs) == 1 {
		r.Workspace = ""
		return b.Backend.Decide(ctx, r)
	}
	return answer, err
}

func (b everywhere) Recall(ctx context.Context, r memory.RecallRequest) (memory.RecallAnswer, error) {
	if b.folder != "" {
		r.Workspace, r.Folder = "", b.folder
	}
	return b.Backend.Recall(ctx, r)
}

func (b everywhere) Search(ctx context.Context, r memory.SearchRequest) (memory.SearchAnswer, error) {
	if b.folder != "" {
		r.Workspace, r.Folder = "", b.folder
	}
	return b.Backend.Search(ctx, r)
}

// readableClients lists the clients whose conversations can be captured.
func readableClients() (names []string) {
	for _, c := range clients.WithMemories() {
		if len(c.Transcripts) > 0 {
			names = append(names, c.Name)
		}
	}
	return names
}

// transcriptsOf returns a client, and the files of the conversations that it keeps.
func (a *app) transcriptsOf(name string) (client clients.Client, files []string, err error) {
	if client = clients.Named(name); len(client.Transcripts) == 0 {
		return client, nil, memory.Invalid("", "the conversations of %q cannot be read", name).WithHint("name one of %s, or convert them: memory capture FILE", strings.Join(readableClients(), ", "))
	}
	home, err := a.home()
	if err != nil {
		return client, nil, err
	}
	dir := client.Dir(home, a.env)
	if files = client.TranscriptFiles(dir); len(files) == 0 {
		err = &memory.Error{Kind: memory.ErrNotFound, Message: "there are no conversations in " + dir, Hint: "start " + name + " once, or set " + client.Moved}
	}
	return client, files, err
}

// captureFrom captures the conversations that a client keeps.
func (a *app) captureFrom(ctx context.Context, name string, r memory.CaptureRequest) error {
	client, files, err := a.transcriptsOf(name)
	if err != nil {
		return err
	}
	need := writesSettings
	if r.Preview {
		need = noWorkspace
	}
	return a.withSession(ctx, need, func(s *session) error {
		print := func(w io.Writer, answer memory.CaptureAnswer) { display.CapturedFrom(w, answer, len(files)) }
		return printed(a, print)(a.captureFiles(ctx, s, client, files, r))
	})
}

// captureFiles captures the conversation of each file. A message is examined once in its
// session, so that a second run keeps nothing twice.
func (a *app) captureFiles(ctx context.Context, s *session, client clients.Client, files []string, r memory.CaptureRequest) (memory.CaptureAnswer, error) {
	answer := memory.CaptureAnswer{Action: "capture", Preview: r.Preview}
	r.Workspace, r.Agent = a.workspaceFlag, client.Name
	for i, name := range files {
		a.show(memory.Progress{Stage: "read", Done: i, Total: len(files)})
		c, err := readConversation(name)
		if err != nil {
			return answer, err
		}
		if len(c.Messages) == 0 {
			continue
		}
		r.Session, r.Folder = client.Name+":"+c.Session, c.Messages[0].Folder
		if err := captureAll(ctx, s, r, toCapture(c.Messages), &answer, map[string]string{}); err != nil {
			return answer, fmt.Errorf("capture %s: %w", name, err)
		}
	}
	return answer, nil
}

func readConversation(name string) (c clients.Conversation, err error) {
	file, err := os.Open(name)
	if err != nil {
		return c, memory.Unavailable(err, "read a conversation")
	}
	defer file.Close()
	if c, err = clients.ReadTranscript(file); err != nil {
		return c, memory.Unavailable(err, "read the conversation %s", name)
	}
	return c, nil
}

func toCapture(messages []clients.Message) (all []memory.CaptureMessage) {
	for _, m := range messages {
		all = append(all, memory.CaptureMessage{Key: m.Key, Role: m.Role, Content: shortenContent(memory.MessageContent(m.Text)), At: m.At})
	}
	return all
}
