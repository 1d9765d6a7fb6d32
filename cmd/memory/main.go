// Command memory is the service, and what people and scripts use to ask it.
//
// This package alone links everything together: configuration, embedding
// providers, the engine, the socket. One file a command.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"
)

// version is set by the linker for a release.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv, environ: os.Environ()}
	a.terminal = term.IsTerminal(int(os.Stdout.Fd())) && term.IsTerminal(int(os.Stdin.Fd()))
	a.width = terminalWidth(os.Stdout)
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// app is one run of the program: where it reads and writes, and the flags that
// every command has.
type app struct {
	in       io.Reader
	out, err io.Writer // the answer alone; everything else
	env      func(string) string
	environ  []string
	terminal bool // a person sits there: prompts, colour, progress
	width    int

	stateDirFlag, configFlag, workspaceFlag string
	json                                    bool
}

// run runs one command line and gives its exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	if errors.Is(err, errFound) {
		return exitFound
	}
	return a.fail(command, args, err)
}

// noWidth is the width of a screen that does not say how wide it is.
const noWidth = 100

func terminalWidth(f *os.File) int {
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	return noWidth
}
