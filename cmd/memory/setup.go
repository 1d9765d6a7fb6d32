package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/service/unit"
)

// clientSetup is the command setup for one client.
type clientSetup struct {
	*app
	client                                     hostsetup.Client
	yes, preview, noTrust, noService, noNative bool
	folder                                     string                     // becomes the workspace main; empty: a usual one
	together                                   *memory.List[clientAnswer] // the answers of several clients; nil: one client
}

func (a *app) setupCommand() *cobra.Command {
	s := clientSetup{app: a}
	var all bool
	c := &cobra.Command{
		Use:  "setup [CLIENT [remove]]",
		Args: argumentCount(0, 2, ""),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			words := [][]string{hostsetup.ClientNames(), {"remove"}, nil}
			return words[min(len(args), 2)], cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && !all && a.terminal && !a.json && !s.yes && !s.preview:
				return s.dialogue(c.Context())
			case len(args) == 0 && !all:
				return a.helpOf(c)
			case len(args) == 0:
				return s.runAll(c.Context())
			case all:
				return usageError(c, "--all takes no client")
			}
			if s.client = clients.Named(args[0]); s.client.Name == "" {
				return usageError(c, "unknown client %q", args[0])
			}
			switch {
			case len(args) == 1:
				return s.run(c.Context())
			case args[1] != "remove":
				return usageError(c, "unexpected argument %q", args[1])
			case s.noTrust || s.noNative || s.noService:
				return usageError(c, "remove takes only --yes and --preview")
			}
			return s.remove(c.Context())
		},
	}
	s.flags(c)
	c.Flags().BoolVar(&all, "all", false, "set up every client that is installed, except OpenClaw")
	openclaw := a.openclawSetupCommand("openclaw")
	openclaw.AddCommand(a.openclawRemoveCommand())
	c.AddCommand(openclaw, a.setupStatusCommand(), a.setupRemoveCommand())
	return c
}

func (s *clientSetup) flags(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&s.yes, "yes", false, "do not ask")
	flags.BoolVar(&s.preview, "preview", false, "show the changes and make none")
	flags.BoolVar(&s.noTrust, "no-trust", false, "do not make the client trust our hooks")
	flags.BoolVar(&s.noNative, "no-native", false, "do not search the memories that the client keeps by itself")
	flags.BoolVar(&s.noService, "no-service", false, "do not install the service with the operating system")
}

// clientAnswer is the answer of setup and of remove for one client.
type clientAnswer struct {
	Action  string                             `json:"action"`
	Client  string                             `json:"client"`
	Preview bool                               `json:"preview"`
	Missing string                             `json:"missing,omitempty"` // why the client is not installed
	Files   memory.List[changedFile]           `json:"files"`
	Kept    memory.List[string]                `json:"kept,omitempty"` // edited since: only our entries were taken out
	Service *setupService                      `json:"service,omitempty"`
	Folder  string                             `json:"folder,omitempty"` // becomes the workspace main
	Checks  memory.List[hostsetup.ClientCheck] `json:"checks"`
	Next    memory.List[string]                `json:"next"`
	Native  bool                               `json:"native"` // its own memories are searched too
	title   string
	trusts  bool
}

type changedFile struct {
	Path   string `json:"path"`
	Action string `json:"action"`
	Diff   string `json:"diff,omitempty"`
}

func (s *clientSetup) run(ctx context.Context) error {
	o, service, err := s.options(ctx)
	if err != nil {
		return err
	}
	answer := clientAnswer{Action: "setup", Client: s.client.Name, Preview: s.preview, Service: &service, Folder: o.Folder, Native: o.Native, title: s.client.Title}
	if s.preview {
		setup, err := hostsetup.PrepareClient(ctx, o)
		if err != nil {
			return err
		}
		answer.describe(setup.Changes, true)
		if setup.Missing != nil {
			answer.Missing = setup.Missing.Error()
		}
		return s.print(answer, s.printPlan)
	}
	err = s.whileSetup(ctx, o.StateDir, func() error { return s.apply(ctx, o, &answer) })
	if err != nil || answer.Checks == nil {
		return err
	}
	if err := s.print(answer, s.printClientDone); err != nil {
		return err
	}
	for _, check := range answer.Checks {
		if !check.OK && check.Name != "trust" {
			return errFound
		}
	}
	return nil
}

// print prints the answer of one client, or keeps it for the document of all.
func (s *clientSetup) print(answer clientAnswer, text func(io.Writer, clientAnswer)) error {
	if s.together == nil || !s.json {
		return printAnswer(s.app, answer, text)
	}
	*s.together = append(*s.together, answer)
	return nil
}

// apply makes the changes after the person has agreed, and tries them.
func (s *clientSetup) apply(ctx context.Context, o hostsetup.ClientOptions, answer *clientAnswer) error {
	setup, err := hostsetup.PrepareClient(ctx, o)
	if err != nil {
		return err
	}
	answer.trusts = o.Trust && setup.NeedsTrust()
	if !s.yes && s.terminal && !s.json {
		answer.describe(setup.Changes, true)
		s.printPlan(s.err, *answer)
	}
	if agreed, err := s.confirmed(s.yes, "Make these changes?"); err != nil || !agreed {
		return err
	}
	if err := setup.Run(ctx); err != nil {
		return err
	}
	answer.describe(setup.Changes, false)
	answer.Checks = setup.Check(ctx)
	answer.Next = append(answer.Next, s.client.Next...)
	if len(setup.Untrusted()) > 0 {
		answer.Next = append(answer.Next, "start "+s.client.Program+", and trust the hooks of memory when it asks (or: /hooks)")
	}
	if !answer.Service.Install && len(s.client.Events) > 0 {
		answer.Next = append(answer.Next, "the first hook starts the service; to start it now: memory serve")
	}
	answer.Next = append(answer.Next, "what the agent was given: memory last", "back to how it was: memory setup "+s.client.Name+" remove")
	return nil
}

func (answer *clientAnswer) describe(changes []hostsetup.FileChange, diff bool) {
	answer.Files = nil
	for _, change := range changes {
		f := changedFile{Path: change.Path, Action: change.Action()}
		if diff {
			f.Diff = change.Diff()
		}
		answer.Files = append(answer.Files, f)
	}
}

// options finds what the setup of a client needs.
func (s *clientSetup) options(ctx context.Context) (o hostsetup.ClientOptions, service setupService, err error) {
	_, stateDir, err := s.load()
	if err != nil {
		return o, service, err
	}
	home, homeErr := s.home()
	program, programErr := unit.Binary()
	if err := errors.Join(homeErr, programErr); err != nil {
		return o, service, err
	}
	machine := &hostMachine{app: s.app, stateDir: stateDir}
	o = hostsetup.ClientOptions{
		Client: s.client, Env: hostsetup.Environment{Get: s.env, Home: home}, Program: program, StateDir: stateDir,
		Preview: s.preview, Trust: !s.noTrust, Native: !s.noNative && len(s.client.Memories) > 0, Machine: machine,
	}
	if stateDir != filepath.Join(home, ".openclaw", "memory") {
		o.Options = []string{"--state-dir", stateDir}
	}
	if service.Reason = "--no-service"; !s.noService {
		service.Reason = machine.serviceRefusal(ctx)
	}
	service.Install = service.Reason == ""
	o.Service = service.Install
	return o, service, s.chooseWorkspace(ctx, &o, home)
}

// chooseWorkspace pins the workspace that the command line names. Without any workspace,
// the setup makes one.
func (s *clientSetup) chooseWorkspace(ctx context.Context, o *hostsetup.ClientOptions, home string) error {
	known, err := s.ownWorkspaces(ctx, o.Machine)
	if err != nil {
		return err
	}
	isNamed := s.workspaceFlag != "" || s.env("MEMORY_WORKSPACE") != ""
	if !isNamed && len(known) > 0 {
		return nil
	}
	if !isNamed {
		o.Folder = cmp.Or(s.folder, filepath.Join(home, "memory"))
		if t, err := s.defaultTarget(known); err == nil && t.dir != "" && s.folder == "" {
			o.Folder = t.dir
		}
		return nil
	}
	t, err := s.resolveTarget(known)
	switch {
	case err != nil:
		return err
	case t.name != "":
		o.Options = append(o.Options, "--workspace", t.name)
	case len(known) == 0:
		o.Folder = t.dir
	default:
		return memory.Conflict("%s is not registered as a workspace", t.dir).WithHint("register it first: memory workspace add %s", t.dir)
	}
	return nil
}

func (s *clientSetup) remove(ctx context.Context) error {
	o, _, err := s.options(ctx)
	if err != nil {
		return err
	}
	answer := clientAnswer{Action: "remove", Client: s.client.Name, Preview: s.preview, title: s.client.Title}
	if s.preview {
		_, removal, err := hostsetup.PrepareRemoval(o)
		if err != nil {
			return err
		}
		answer.describe(removal.Changes, true)
		answer.Kept = removal.Kept
		return s.print(answer, s.printDiffs)
	}
	if agreed, err := s.confirmed(s.yes, "Take the setup of "+s.client.Title+" back?"); err != nil || !agreed {
		return err
	}
	err = s.whileSetup(ctx, o.StateDir, func() error {
		setup, removal, err := hostsetup.PrepareRemoval(o)
		if err != nil {
			return err
		}
		answer.describe(removal.Changes, false)
		answer.Kept = removal.Kept
		return setup.Remove(ctx, removal)
	})
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(clients.All(), func(c clients.Client) bool { o.Client = c; return isSetUp(o) }) && stopStarted(ctx, o.StateDir) {
		s.note("stopped the service that a hook had started")
	}
	return s.print(answer, func(w io.Writer, answer clientAnswer) {
		s.printFiles(w, answer)
		for _, path := range answer.Kept {
			fmt.Fprintf(w, "somebody changed %s after the setup, so only our entries were taken out\n", display.Name(path))
		}
		fmt.Fprintln(w, "your Markdown and the index stay")
	})
}

// printPlan prints the changes of the files, and what else the setup does.
func (s *clientSetup) printPlan(w io.Writer, answer clientAnswer) {
	fmt.Fprintln(w, answer.title+":")
	if answer.Missing != "" {
		fmt.Fprintf(w, "%s; setup would make these changes\n", answer.Missing)
	}
	s.printDiffs(w, answer)
	if answer.trusts {
		fmt.Fprintln(w, "The trusted_hash lines make it run our hooks without asking you; --no-trust leaves them out.")
	}
	if answer.Folder != "" {
		fmt.Fprintf(w, "also: serves the folder %s as the workspace main\n", display.Name(answer.Folder))
	}
	if answer.Native {
		fmt.Fprintln(w, "also: searches the memories that it keeps by itself, and only reads them; --no-native leaves them out")
	}
	if answer.Service.Install {
		fmt.Fprintln(w, "also: installs the service, which starts at login (memory service status)")
	} else {
		fmt.Fprintf(w, "installs no service: %s\n", display.Line(answer.Service.Reason, s.width))
	}
}

// printDiffs prints how each file changes.
func (s *clientSetup) printDiffs(w io.Writer, answer clientAnswer) {
	for _, f := range answer.Files {
		if f.Action == "unchanged" {
			fmt.Fprintf(w, "unchanged  %s\n", display.Name(f.Path))
		}
		s.printDiff(w, f.Diff)
	}
}

func (s *clientSetup) printFiles(w io.Writer, answer clientAnswer) {
	for _, f := range answer.Files {
		fmt.Fprintf(w, "%-9s  %s\n", f.Action, display.Name(f.Path))
	}
}

// printClientDone prints what was done, whether it works, and what comes next.
func (s *clientSetup) printClientDone(w io.Writer, answer clientAnswer) {
	fmt.Fprintf(w, "%s uses this memory\n", answer.title)
	s.printFiles(w, answer)
	if answer.Folder != "" {
		fmt.Fprintf(w, "workspace  main: %s\n", display.Name(answer.Folder))
	}
	for _, check := range answer.Checks {
		mark := "ok"
		if !check.OK {
			mark = "failed"
		}
		fmt.Fprintf(w, "%-9s  %s\n", mark, display.Line(check.Detail, s.width))
	}
	fmt.Fprintln(w, "\nnext:")
	for _, step := range answer.Next {
		fmt.Fprintf(w, "  %s\n", step)
	}
}
