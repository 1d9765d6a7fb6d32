// Command memory is the service and its command line.
//
// Package main alone links everything together: the configuration, the embedding
// providers, the engine and the socket. Each command has a file.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/internal/extract"
)

// version is a semantic version. The linker sets it in a release.
var version = "0.1.0-dev"

func main() {
	extract.ServeIfChild()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv, environ: os.Environ()}
	a.terminal, a.width = term.IsTerminal(int(os.Stdout.Fd())) && term.IsTerminal(int(os.Stdin.Fd())), terminalWidth(os.Stdout)
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// app is one run of the program: its input and output, its environment, and the
// flags of every command.
type app struct {
	in       io.Reader
	out, err io.Writer // out gets the answer, err everything else

	lines          *bufio.Reader   // of in, once something was asked
	rawOut, rawErr io.Writer       // the same without the filter, for editors and progress bars
	colours        display.Colours // marks the colours of this program, which the filter keeps
	interrupted    <-chan struct{} // closed by Ctrl-C
	env            func(string) string
	environ        []string
	terminal       bool              // a person uses it: prompts, colours, progress bars
	progress       *display.Progress // of the work that runs; nil: none has shown any
	width          int
	remote         *api.Client   // the service of another machine; nil: none was asked yet
	hold           func() string // why work in the background has to wait; nil: no service runs
	turns          chan struct{} // holds one token while a session of an MCP server is open; nil: no such server runs

	stateDirFlag, configFlag, workspaceFlag string
	json                                    bool
	fileNoted                               bool // the notes about the configuration file are printed

	logLevel slog.LevelVar // of the service's log; Reload changes it
}

// run runs one command line and returns its exit code.
func (a *app) run(ctx context.Context, args []string) int {
	a.rawOut, a.rawErr = a.out, a.err
	a.colours, a.interrupted = display.NewColours(), ctx.Done()
	a.out, a.err = display.NewWriter(a.out, a.colours), display.NewWriter(a.err, a.colours)
	root := a.root()
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd { // it prints summaries
		addHelp(root)
	}
	root.SetArgs(negativeAsValue(args))
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	command, err := root.ExecuteContextC(ctx)
	a.endProgress()
	if err == nil || errors.Is(err, errInputEnded) {
		return exitOK
	}
	if errors.Is(err, errFound) {
		return exitFound
	}
	return a.reportError(command, args, err)
}

// defaultWidth is the line width for output that is not a terminal.
const defaultWidth = 100

func terminalWidth(f *os.File) int {
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	return defaultWidth
}

func (a *app) versionCommand() *cobra.Command {
	return newCommand("version", arguments{}, func(*cobra.Command) error {
		commit, date := buildOrigin()
		v := map[string]string{"version": version, "commit": commit, "date": date, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH}
		return a.printLine(v, "memory %s (commit %s of %s, %s, %s/%s)", version, cmp.Or(commit, "unknown"), cmp.Or(date, "unknown date"), v["go"], v["os"], v["arch"])
	})
}

// buildOrigin returns the commit that the binary was built from and its time. Both
// are empty if the build had no repository. "-dirty" marks uncommitted changes.
func buildOrigin() (commit, date string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", ""
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)] + commit
		case "vcs.modified":
			if s.Value == "true" {
				commit += "-dirty"
			}
		case "vcs.time":
			date = s.Value
		}
	}
	return commit, date
}
