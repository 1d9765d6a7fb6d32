package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/hostsetup"
)

// hostSetup is the command openclaw setup.
type hostSetup struct {
	*app
	hostFlags
	choices                 hostsetup.Choices
	yes, preview, noService bool
}

func (a *app) openclawSetupCommand(use string) *cobra.Command {
	s := hostSetup{app: a}
	c := newCommand(use, arguments{}, func(c *cobra.Command) error { return s.run(c.Context()) })
	s.add(c)
	flags := c.Flags()
	flags.BoolVar(&s.yes, "yes", false, "do not ask")
	flags.BoolVar(&s.preview, "preview", false, "show the changes and make none")
	flags.BoolVar(&s.noService, "no-service", false, "do not install the service with the operating system")
	flags.BoolVar(&s.choices.KeepDreaming, "keep-dreaming", false, "leave OpenClaw's dreaming as it is")
	flags.BoolVar(&s.choices.KeepTrajectory, "keep-trajectory", false, "let OpenClaw store every prompt as it does")
	return c
}

// setupAnswer is the answer of openclaw setup.
type setupAnswer struct {
	Action       string                        `json:"action"`
	Preview      bool                          `json:"preview"`
	Installation hostsetup.Installation        `json:"installation"`
	Version      string                        `json:"version"`
	Changes      memory.List[hostsetup.Change] `json:"changes"`
	Diff         string                        `json:"diff"`
	Backup       string                        `json:"backup"`
	Plugin       string                        `json:"plugin"`
	Workspaces   memory.List[hostsetup.Agent]  `json:"workspaces"`
	Service      setupService                  `json:"service"`
	Warnings     memory.List[string]           `json:"warnings"`
	Inspection   *hostsetup.Inspection         `json:"inspection"` // null in a preview
	Next         memory.List[string]           `json:"next"`
}

type setupService struct {
	Install bool   `json:"install"`
	Reason  string `json:"reason"` // why not
}

func (s *hostSetup) run(ctx context.Context) error {
	o, err := s.hostOptions(s.hostFlags)
	if err != nil {
		return err
	}
	if s.env("OPENCLAW_NIX_MODE") == "1" || s.env("OPENCLAW_CONFIG_READONLY") == "1" {
		s.preview = true
		s.note("the environment makes OpenClaw's configuration read-only, so this is a preview: make the changes where the file is made")
	}
	answer := setupAnswer{Action: "setup", Preview: s.preview, Installation: o.Host.Installation, Plugin: hostsetup.PluginDir(o.StateDir)}
	version, note, err := o.Host.Version(ctx)
	if err != nil {
		return err
	}
	answer.Version, o.Version = version, version
	if note != "" {
		answer.Warnings = append(answer.Warnings, note)
	}
	if s.noService {
		answer.Service.Reason = "--no-service"
	} else {
		answer.Service.Reason = o.Machine.(*hostMachine).serviceRefusal(ctx)
	}
	answer.Service.Install = answer.Service.Reason == ""
	o.Choices, o.Service = s.choices, answer.Service.Install
	if s.preview {
		return s.show(ctx, o, answer)
	}
	return s.whileSetup(ctx, o.StateDir, func() error { return s.apply(ctx, o, &answer) })
}

// show prints what a setup would do.
func (s *hostSetup) show(ctx context.Context, o hostsetup.Options, answer setupAnswer) error {
	o.Preview = true
	setup, err := hostsetup.Prepare(ctx, o)
	if err == nil {
		answer.describe(setup)
	}
	return printed(s.app, s.printPlan)(answer, err)
}

func (answer *setupAnswer) describe(setup *hostsetup.Setup) {
	answer.Changes, answer.Workspaces = setup.Plan.Changes, setup.Agents
	answer.Diff = setup.Plan.Diff(setup.Host.Installation.Config)
	answer.Warnings = append(answer.Warnings, setup.Warnings()...)
}

// apply makes the changes after the person has agreed.
func (s *hostSetup) apply(ctx context.Context, o hostsetup.Options, answer *setupAnswer) error {
	setup, err := hostsetup.Prepare(ctx, o)
	if err != nil {
		return err
	}
	answer.describe(setup)
	if !s.yes && s.terminal && !s.json {
		s.printPlan(s.err, *answer)
	}
	if agreed, err := s.confirmed(s.yes, "Make these changes?"); err != nil || !agreed {
		return err
	}
	if err := setup.Run(ctx); err != nil {
		return err
	}
	if answer.Inspection, err = setup.Check(ctx); err != nil {
		return err
	}
	answer.Workspaces, answer.Backup = setup.Agents, setup.Backup()
	answer.Next = nextSteps(*answer)
	return printAnswer(s.app, *answer, s.printDone)
}

// nextSteps lists what the person does now.
func nextSteps(answer setupAnswer) (steps []string) {
	if !answer.Service.Install {
		steps = append(steps, "the gateway starts the service; without a gateway, run: memory serve")
	}
	steps = append(steps, "restart the gateway if it runs: openclaw gateway restart",
		"write to your agent, then look at what works: memory openclaw status",
		"what the agent was given in its last turn: memory last",
		"back to how it was: memory openclaw remove")
	return steps
}

// printPlan prints the changes with their reasons.
func (s *hostSetup) printPlan(w io.Writer, answer setupAnswer) {
	fmt.Fprintf(w, "OpenClaw %s: %s\n\n", answer.Version, display.Name(answer.Installation.Config))
	if len(answer.Changes) == 0 {
		fmt.Fprintln(w, "its configuration stays as it is")
	}
	s.printDiff(w, answer.Diff)
	if len(answer.Changes) > 0 {
		fmt.Fprintln(w, "\nwhy:")
	}
	for _, c := range answer.Changes {
		fmt.Fprintf(w, "  %s\n      %s\n", c.Path, c.Reason)
	}
	fmt.Fprintf(w, "\nalso:\n  writes the plugin into %s\n", display.Name(answer.Plugin))
	for _, agent := range answer.Workspaces {
		fmt.Fprintf(w, "  serves the folder of the agent %s: %s\n", agent.ID, display.Name(agent.Dir))
	}
	if answer.Service.Install {
		fmt.Fprintln(w, "  installs the service, which starts at login: memory service status")
	} else {
		fmt.Fprintf(w, "  installs no service: %s\n", display.Line(answer.Service.Reason, s.width))
	}
	printWarnings(w, answer.Warnings)
}

func printWarnings(w io.Writer, warnings []string) {
	for _, warning := range warnings {
		fmt.Fprintf(w, "note: %s\n", warning)
	}
}

// printDone prints what was done and what comes next.
func (s *hostSetup) printDone(w io.Writer, answer setupAnswer) {
	fmt.Fprintf(w, "OpenClaw %s uses this memory: %s\n", answer.Version, display.Name(answer.Installation.Config))
	if answer.Backup != "" {
		fmt.Fprintf(w, "backup: %s\n", display.Name(answer.Backup))
	}
	fmt.Fprintf(w, "the host loads the plugin %s with %d hooks and %d tools\n", answer.Inspection.Version, len(answer.Inspection.Hooks), len(answer.Inspection.Tools))
	for _, agent := range answer.Workspaces {
		fmt.Fprintf(w, "the agent %s has the workspace %s: %s\n", agent.ID, agent.Workspace, display.Name(agent.Dir))
	}
	printWarnings(w, answer.Warnings)
	fmt.Fprintln(w, "\nnext:")
	for _, step := range answer.Next {
		fmt.Fprintf(w, "  %s\n", step)
	}
}
