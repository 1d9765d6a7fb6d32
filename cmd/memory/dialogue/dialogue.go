// Package dialogue has the questions of memory setup on a terminal. It asks for the folder of
// the notes, for each client, and for the memories of other systems.
package dialogue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/workspace"
)

// Options are the subjects of the questions, and what a yes does.
type Options struct {
	Out     io.Writer
	Heading func(title string) string
	Ask     func(question string) (reply string, err error)
	Agrees  func(question string) (bool, error) // no if the person types nothing

	Ended   error // what a question returns if the input has ended; Run returns it then
	Printed error // what a step returns if it has printed its error itself; Run returns it if a step failed

	Home   string // what ~ means
	Folder string // is proposed for the notes

	Workspaces func(context.Context) ([]memory.WorkspaceInfo, error)
	Register   func(ctx context.Context, folder string) error // makes the folder too

	Clients []Client // that do not use this memory
	Systems []System // with memories
}

// Client is a client of an agent. SetUp shows the changes and asks by itself. It registers the
// folder if no workspace is registered.
type Client struct {
	Title string
	SetUp func(ctx context.Context, folder string) error
}

// System is another memory system. Preview shows what would come over, and returns how many
// memories that are.
type System struct {
	Name, Path string
	Preview    func(context.Context) (memories int, err error)
	Import     func(context.Context) error
}

// questions is one run of the dialogue.
type questions struct {
	Options
	failed bool
}

// Run asks all questions. A step that fails does not end the dialogue. The end of the input does.
func Run(ctx context.Context, o Options) error {
	err := (&questions{Options: o}).run(ctx)
	if errors.Is(err, o.Ended) {
		fmt.Fprintln(o.Out, "the input has ended, so nothing more was changed; memory setup asks again")
	}
	return err
}

func (q *questions) run(ctx context.Context) error {
	if err := q.askFolder(ctx); err != nil {
		return err
	}
	for _, c := range q.Clients {
		if ctx.Err() == nil {
			q.heading(c.Title)
			if err := q.report(c.SetUp(ctx, q.Folder)); err != nil {
				return err
			}
		}
	}
	if err := q.offerSystems(ctx); err != nil {
		return err
	}
	if _, err := q.needWorkspace(ctx); ctx.Err() != nil || err != nil {
		return errors.Join(ctx.Err(), err)
	}
	if q.failed {
		return q.Printed
	}
	q.heading("done")
	fmt.Fprintln(q.Out, "memory                      shows what helps next\nmemory setup status         shows the clients\nmemory setup NAME remove    takes a setup back")
	return nil
}

func (q *questions) heading(title string) { fmt.Fprintf(q.Out, "\n%s\n", q.Heading(title)) }

// report prints why a step failed. It returns the error if no other step can follow.
func (q *questions) report(err error) error {
	if errors.Is(err, q.Ended) {
		return err
	}
	q.failed = q.failed || err != nil
	if err == nil || errors.Is(err, q.Printed) || errors.Is(err, context.Canceled) {
		return nil
	}
	fmt.Fprintln(q.Out, err)
	if hint := api.Describe(err).Hint; hint != "" {
		fmt.Fprintf(q.Out, "hint: %s\n", hint)
	}
	return nil
}

// askFolder asks for the folder of the notes, if no workspace is registered.
func (q *questions) askFolder(ctx context.Context) error {
	q.heading("your notes")
	known, err := q.Workspaces(ctx)
	if err != nil || len(known) > 0 {
		for _, w := range known {
			fmt.Fprintf(q.Out, "workspace %s: %s\n", w.Name, display.Name(w.Path))
		}
		return err
	}
	reply, err := q.Ask(fmt.Sprintf("Folder of the Markdown notes that are memories [%s] ", display.Name(q.Folder)))
	if err != nil || reply == "" {
		return err
	}
	if rest, inHome := strings.CutPrefix(reply, "~"); inHome && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		reply = filepath.Join(q.Home, rest)
	}
	q.Folder, err = filepath.Abs(reply)
	return err
}

// offerSystems brings memories of other systems over. The folder of a workspace has its
// memories already.
func (q *questions) offerSystems(ctx context.Context) error {
	known, err := q.Workspaces(ctx)
	for _, s := range q.Systems {
		_, served := registry.NameOf(known, s.Path)
		if err == nil && ctx.Err() == nil && !served && !workspace.SameFolder(s.Path, q.Folder) {
			q.heading("memories of " + s.Name)
			err = q.report(q.offer(ctx, s))
		}
	}
	return err
}

func (q *questions) offer(ctx context.Context, s System) error {
	if agreed, err := q.Agrees(fmt.Sprintf("%s has some. Show what would come over?", display.Name(s.Path))); err != nil || !agreed {
		return err
	}
	if served, err := q.needWorkspace(ctx); err != nil || !served {
		return err
	}
	if n, err := s.Preview(ctx); err != nil || n == 0 {
		return err
	}
	if agreed, err := q.Agrees("Bring them over?"); err != nil || !agreed {
		return err
	}
	err := s.Import(ctx)
	if err == nil {
		fmt.Fprintf(q.Out, "back to how it was: memory migrate --from %s --rollback\n", s.Name)
	}
	return err
}

// needWorkspace registers the folder if no setup has done so and the person agrees. It asks
// once, and reports whether there is a workspace.
func (q *questions) needWorkspace(ctx context.Context) (served bool, err error) {
	known, err := q.Workspaces(ctx)
	if err != nil || len(known) > 0 || q.Folder == "" {
		return len(known) > 0, err
	}
	agreed, err := q.Agrees(fmt.Sprintf("Serve the folder %s as the workspace %s?", display.Name(q.Folder), memory.DefaultWorkspace))
	if err == nil && agreed {
		err = q.Register(ctx, q.Folder)
	}
	q.Folder = ""
	return agreed && err == nil, err
}
