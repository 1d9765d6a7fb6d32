package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/hostsetup"
	"github.com/memory-tiered/memory/internal/clients"
)

// each runs something for every client that fits, and returns all errors. With --json it
// prints one document with the answers of all.
func (s *clientSetup) each(fits func(hostsetup.ClientOptions) bool, o hostsetup.ClientOptions, run func() error) (n int, err error) {
	s.together = &memory.List[clientAnswer]{}
	for _, client := range clients.All() {
		if o.Client = client; !fits(o) {
			continue
		}
		n++
		s.client = client
		runErr := run()
		if errors.Is(runErr, errInputEnded) {
			break
		}
		if runErr != nil && !errors.Is(runErr, errFound) {
			err = errors.Join(err, fmt.Errorf("setup %s: %w", client.Name, runErr))
		} else if runErr != nil && err == nil {
			err = runErr
		}
	}
	if s.json && n > 0 {
		err = errors.Join(err, writeJSON(s.out, map[string]any{"clients": s.together}))
	}
	return n, err
}

// runAll sets up every client that is installed.
func (s *clientSetup) runAll(ctx context.Context) error {
	o, _, err := s.options(ctx)
	if err != nil {
		return err
	}
	isInstalled := func(o hostsetup.ClientOptions) bool { return o.Env.Has(o.Client) }
	n, err := s.each(isInstalled, o, func() error { return s.run(ctx) })
	if n == 0 {
		return &memory.Error{Kind: memory.ErrNotFound, Message: "no client that setup knows is installed", Hint: "memory setup --help lists the clients"}
	}
	return err
}

func (a *app) setupRemoveCommand() *cobra.Command {
	s := clientSetup{app: a}
	var all bool
	c := newCommand("remove", arguments{}, func(c *cobra.Command) error {
		if !all {
			return usageError(c, "--all is missing; for one client: memory setup NAME remove")
		}
		o, _, err := s.options(c.Context())
		if err != nil {
			return err
		}
		n, err := s.each(isSetUp, o, func() error { return s.remove(c.Context()) })
		if n == 0 {
			return &memory.Error{Kind: memory.ErrNotFound, Message: "no client is set up with this memory", Hint: "memory setup status shows them"}
		}
		return err
	})
	c.Flags().BoolVar(&all, "all", false, "every client that is set up")
	c.Flags().BoolVar(&s.yes, "yes", false, "do not ask")
	return c
}

// isSetUp reports whether a client uses this memory, by its files or by our record.
func isSetUp(o hostsetup.ClientOptions) bool {
	return hostsetup.Recorded(o.StateDir, o.Client) || hostsetup.StatusOf(o).Wired != "no"
}

// setupStatus is the answer of setup status.
type setupStatus struct {
	Service bool                     `json:"service"` // it answers
	Clients memory.List[clientState] `json:"clients"`
}

type clientState struct {
	hostsetup.ClientStatus
	Prompts *memory.HookStatus `json:"prompts"` // null: none since the service started
}

func (a *app) setupStatusCommand() *cobra.Command {
	s := clientSetup{app: a, noService: true}
	return newCommand("status", arguments{}, func(c *cobra.Command) error {
		o, _, err := s.options(c.Context())
		if err != nil {
			return err
		}
		return printAnswer(a, a.clientStates(c.Context(), o), printClientStates)
	})
}

func (a *app) clientStates(ctx context.Context, o hostsetup.ClientOptions) (answer setupStatus) {
	prompts := map[string]memory.HookStatus{}
	status, err := daemonStatus(ctx, o.StateDir)
	for _, h := range status.Hooks {
		prompts[h.Client] = h
	}
	answer.Service = err == nil
	for _, c := range clients.All() {
		o.Client = c
		state := clientState{ClientStatus: hostsetup.StatusOf(o)}
		if h, ok := prompts[c.Name]; ok {
			state.Prompts = &h
		}
		answer.Clients = append(answer.Clients, state)
	}
	return answer
}

// unsetClients lists the installed clients that do not use this memory, or only in part.
func (a *app) unsetClients(ctx context.Context, o hostsetup.ClientOptions) (unset []hostsetup.ClientStatus) {
	all := []hostsetup.ClientStatus{hostsetup.OpenClawStatus(o.Env, o.StateDir)}
	for _, c := range a.clientStates(ctx, o).Clients {
		all = append(all, c.ClientStatus)
	}
	for _, c := range all {
		if c.Installed && (c.Wired != "yes" || c.Trusted != nil && !*c.Trusted) {
			unset = append(unset, c)
		}
	}
	return unset
}

func printClientStates(w io.Writer, answer setupStatus) {
	display.Columns(w, 0, func(table io.Writer) {
		for _, c := range answer.Clients {
			if c.Installed || c.Wired != "no" {
				fmt.Fprintf(table, "%s\t%s\t%s\n", c.Client, c.Text(c.Prompts), c.Error)
			}
		}
	})
	if !answer.Service {
		fmt.Fprintln(w, "the service does not answer: the first hook starts it, or memory serve")
	}
}
