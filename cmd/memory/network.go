package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/api/caller"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/cmd/memory/registry"
	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/service"
)

func tokens(stateDir string) caller.Tokens {
	return caller.Tokens{Path: filepath.Join(stateDir, "tokens.json"), Now: time.Now}
}

// networkLoops returns the loop that answers other machines, and where it does. There is none
// without a port in the configuration.
func networkLoops(ctx context.Context, r *reloader, e *engine.Engine) (loops []service.Loop, address string, err error) {
	s := r.started.Server
	if s.Listen == "" {
		return nil, "", nil
	}
	listener, err := api.ListenNetwork(ctx, s.Listen, s.Certificate, s.Key)
	if err != nil {
		return nil, "", err
	}
	who := &caller.Authenticator{Tokens: tokens(r.stateDir), PerMinute: s.RequestsPerMinute}
	if s.OIDC.Issuer != "" {
		who.Provider = &caller.Provider{Issuer: s.OIDC.Issuer, Audience: s.OIDC.Audience, Claim: s.OIDC.Claim,
			Workspaces: s.OIDC.Workspaces, Identities: r.identities}
	}
	address = listener.Addr().String()
	r.log.Info("serving other machines", "address", address)
	return []service.Loop{func(ctx context.Context) error {
		return api.Serve(ctx, listener, e, api.Options{Version: version, Log: r.log, Authenticate: who.Authenticate})
	}}, address, nil
}

// tokenVariable has the token for a service on another machine, or where it is.
const tokenVariable = "MEMORY_REMOTE_TOKEN"

// dialRemote returns a session with the service of another machine.
func (a *app) dialRemote(ctx context.Context, address string, need access) (*session, error) {
	if a.remote == nil {
		token, err := config.Reveal(ctx, tokenVariable, a.env(tokenVariable), a.env)
		if err != nil {
			return nil, err
		}
		if a.remote, err = api.DialURL(address, token); err != nil {
			return nil, err
		}
		a.remote.Version, a.remote.Warn = version, func(message string) { a.note("%s", message) }
	}
	s := &session{Backend: a.remote, Daemon: true, Remote: true, close: func() error { return nil }}
	if !need.selectsWorkspace() {
		return s, nil
	}
	listed, err := a.remote.Workspaces(ctx)
	if err == nil {
		s.Workspace, err = a.remoteWorkspace(listed.Workspaces)
	}
	return s, err
}

// remoteWorkspace returns the workspace of a command line. The folders of a server are not those
// of this machine, so only a name selects one.
func (a *app) remoteWorkspace(known []memory.WorkspaceInfo) (string, error) {
	var names []string
	for _, w := range registry.OfPersons(known) {
		names = append(names, w.Name)
	}
	name := cmp.Or(a.workspaceFlag, a.env("MEMORY_WORKSPACE"))
	switch {
	case slices.Contains(names, name):
		return name, nil
	case name == "" && slices.Contains(names, memory.DefaultWorkspace):
		return memory.DefaultWorkspace, nil
	case name == "" && len(names) == 1:
		return names[0], nil
	}
	message := "there is no workspace " + name + " on the server for this token"
	if name == "" {
		message = "the server has several workspaces for this token"
	}
	return "", &memory.Error{Kind: memory.ErrNotFound, Field: "workspace", Message: message,
		Hint: "name one of these with -w: " + strings.Join(names, ", ")}
}

// errOnServer reports a command that needs the files themselves.
func errOnServer() error {
	return memory.Conflict("the files are on the server").WithHint("memory ui, memory search and memory show ID show the texts")
}

func (a *app) tokenCommand() *cobra.Command {
	c := &cobra.Command{Use: "token"}
	c.AddCommand(a.tokenCreate(), a.tokenList(), a.tokenRevoke())
	return c
}

// madeToken is a new token with its secret.
type madeToken struct {
	caller.Caller
	Secret string `json:"token"`
}

func (a *app) tokenCreate() *cobra.Command {
	var made madeToken
	var days int
	c := newCommand("create NAME", one("the name", &made.Name, nil), func(c *cobra.Command) error {
		if err := config.CheckName("token", made.Name); err != nil {
			return err
		}
		if given := c.Flags().Changed; given("user") && made.User == "" || given("workspaces") && len(made.Workspaces) == 0 || given("days") && days < 1 {
			return memory.Invalid("", "a limit is empty").WithHint("leave out each limit that the token does not need")
		}
		cfg, stateDir, err := a.load()
		if err != nil {
			return err
		}
		for _, name := range made.Workspaces {
			if _, known := cfg.Workspaces[name]; !known {
				return &memory.Error{Kind: memory.ErrNotFound, Field: "workspaces", Message: "there is no workspace " + name, Hint: "memory workspace list lists them"}
			}
		}
		made.User = memory.FoldUser(made.User)
		if _, known := identities(cfg)[made.User]; made.User != "" && !known {
			return &memory.Error{Kind: memory.ErrNotFound, Field: "user", Message: "there is no identity " + made.User, Hint: "memory config set identities." + made.User + " CHANNEL:ID makes it"}
		}
		made.Secret, err = tokens(stateDir).Create(made.Caller, time.Duration(days)*24*time.Hour)
		return printed(a, func(w io.Writer, made madeToken) {
			fmt.Fprintln(w, made.Secret)
			a.note("it is not shown again; on the other machine, set MEMORY_REMOTE_URL and MEMORY_REMOTE_TOKEN")
		})(made, err)
	})
	c.Flags().StringVar(&made.User, "user", "", "the identity whose memories it reaches, beside everybody's")
	c.Flags().StringSliceVar(&made.Workspaces, "workspaces", nil, "the workspaces that it reaches, between commas (default: all)")
	c.Flags().BoolVar(&made.Model, "model", false, "a model reads the answers: nothing private, quarantined, expired or forgotten")
	c.Flags().IntVar(&days, "days", 0, "how many days it is valid (default: until it is revoked)")
	return c
}

func (a *app) tokenList() *cobra.Command {
	return newCommand("list", arguments{}, func(*cobra.Command) error {
		stateDir, err := a.stateDir()
		if err != nil {
			return err
		}
		all, err := tokens(stateDir).List()
		for i := range all {
			all[i].Hash = ""
		}
		return printed(a, printTokens)(listedTokens{all}, err)
	})
}

type listedTokens struct {
	Tokens memory.List[caller.Token] `json:"tokens"`
}

func printTokens(w io.Writer, listed listedTokens) {
	display.Columns(w, 0, func(table io.Writer) {
		for _, t := range listed.Tokens {
			reach := slices.Clone(t.Workspaces)
			if t.User != "" {
				reach = append(reach, "user "+t.User)
			}
			if t.Model {
				reach = append(reach, "for a model")
			}
			until := "no end"
			if !t.Expires.IsZero() {
				until = "until " + t.Expires.Format(time.DateOnly)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\n", t.Name, cmp.Or(strings.Join(reach, ", "), "everything"), until)
		}
	})
}

func (a *app) tokenRevoke() *cobra.Command {
	var name string
	return newCommand("revoke NAME", one("the name", &name, nil), func(*cobra.Command) error {
		stateDir, err := a.stateDir()
		if err == nil {
			err = tokens(stateDir).Revoke(name)
		}
		if err != nil {
			return err
		}
		return a.printLine(map[string]string{"revoked": name}, "revoked %s", name)
	})
}
