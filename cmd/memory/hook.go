package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/internal/machine"
	"github.com/memory-tiered/memory/service/unit"
)

func (a *app) hookCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "hook CLIENT EVENT",
		Args: cobra.ArbitraryArgs, // a wrong call is no failure either

		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return nil
			}
			var answer hookAnswer
			a.patiently(c.Context(), func(ctx context.Context) {
				answered := make(chan hookAnswer, 1)
				go func() { answered <- a.answerHook(ctx, args[0], args[1]) }()
				select {
				case answer = <-answered:
					fmt.Fprint(a.rawOut, answer.output)
				case <-ctx.Done(): // also if the input does not end
				}
			})
			if answer.noService != "" {
				a.startDaemon(c.Context(), answer.noService)
			}
			return nil
		},
	}
}

// How long the client of an agent waits for a hook, and for the start of its MCP server. A
// turn has several of them. So after one without an answer, the next ones get less time for a
// while. That is enough for a service that answers again.
const (
	patience      = 300 * time.Millisecond
	shortPatience = 40 * time.Millisecond
	shortFor      = time.Minute
)

// patiently runs what the client of an agent waits for, and ends its context in time.
func (a *app) patiently(ctx context.Context, run func(context.Context)) {
	stamp, limit := "", patience
	if stateDir, err := a.stateDir(); err == nil {
		stamp = filepath.Join(stateDir, "hook-late")
	}
	info, err := os.Stat(stamp)
	if err == nil && time.Since(info.ModTime()).Abs() < shortFor {
		limit = shortPatience
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	run(ctx)
	isLate := errors.Is(ctx.Err(), context.DeadlineExceeded)
	switch { // a stamp that cannot be changed costs time, and no answer
	case isLate && limit == patience && stamp != "":
		_ = os.WriteFile(stamp, nil, 0o600)
	case !isLate && err == nil:
		_ = os.Remove(stamp)
	}
}

// maxHookInput bounds the input of a hook: the body of a request may have as much.
const maxHookInput = 1<<20 - 1<<10

// hookAnswer is what a hook prints. noService is the state folder if no service serves it.
type hookAnswer struct{ output, noService string }

// answerHook returns what the hook prints. It reads no configuration and no index: the
// service decides what an event means. Every failure is nothing.
func (a *app) answerHook(ctx context.Context, client, event string) (found hookAnswer) {
	var input map[string]any
	stateDir, err := a.stateDir()
	if err != nil || json.NewDecoder(io.LimitReader(a.in, maxHookInput)).Decode(&input) != nil {
		return found
	}
	daemon := api.Dial(socketPath(stateDir))
	defer daemon.Close()
	answer, err := daemon.Hook(ctx, memory.HookRequest{Client: client, Event: event, Input: input, Workspace: a.workspaceFlag})
	if errors.Is(err, memory.ErrUnavailable) && !errors.Is(err, api.ErrNoAnswer) {
		found.noService = stateDir
	}
	return hookAnswer{answer.Output, found.noService}
}

// startPause is the time between two attempts of hooks to start a service.
const startPause = 10 * time.Second

// startDaemon starts a service for the next hooks. One that is installed belongs to the
// system, and a state folder that does not exist was never set up.
func (a *app) startDaemon(ctx context.Context, stateDir string) {
	stamp := startedFile(stateDir)
	if info, err := os.Stat(stamp); err == nil && time.Since(info.ModTime()) < startPause {
		return
	}
	binary, err := unit.Binary()
	if m, _, managed := a.serviceManager(false); err != nil || managed == nil && m.Installed() || os.WriteFile(stamp, nil, 0o600) != nil {
		return
	}
	command := exec.CommandContext(context.WithoutCancel(ctx), binary, "serve", "--state-dir", stateDir, "--log-file", logFile(stateDir)) // it outlives the hook
	if pid, err := machine.StartDetached(command); err == nil {                                                                           // or else the next hook tries again
		_ = os.WriteFile(stamp, []byte(strconv.Itoa(pid)), 0o600) // without it, removing the setup leaves the service running
	}
}

// startedFile contains the process id of the service that a hook has started last.
func startedFile(stateDir string) string { return filepath.Join(stateDir, "hook-start") }

// stopStarted stops the service if a hook has started it. It reports whether it did.
func stopStarted(ctx context.Context, stateDir string) bool {
	content, err := os.ReadFile(startedFile(stateDir))
	pid, parseErr := strconv.Atoi(string(content))
	if err != nil || parseErr != nil {
		return false
	}
	process, err := os.FindProcess(pid)
	if err != nil || !isService(ctx, stateDir, process) {
		return false
	}
	if process.Signal(os.Interrupt) != nil { // Windows has no interrupts
		err = process.Kill()
	}
	for ctx.Err() == nil && err == nil && daemonAnswers(ctx, stateDir) {
		time.Sleep(stopPoll)
	}
	return err == nil
}

// stopPoll is the time between two looks at a service that starts or stops, and startTime is
// how long one takes to start.
const (
	stopPoll  = 50 * time.Millisecond
	startTime = 5 * time.Second
)

// isService reports whether a process is the service of a state folder. One that still starts
// gets time to answer.
func isService(ctx context.Context, stateDir string, process *os.Process) bool {
	for deadline := time.Now().Add(startTime); time.Now().Before(deadline); time.Sleep(stopPoll) {
		if status, err := daemonStatus(ctx, stateDir); err == nil && status.Daemon != nil {
			return status.Daemon.PID == process.Pid
		}
		if process.Signal(syscall.Signal(0)) != nil { // it has ended
			return false
		}
	}
	return false
}
