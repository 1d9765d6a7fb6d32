package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/api"
	"github.com/memory-tiered/memory/config"
)

// editedSetting is a setting after an edit, and whether the service uses it.
type editedSetting struct {
	config.Setting
	serviceUse
}

// serviceState is how a running service treats an edited setting.
type serviceState string

const (
	serviceNone    serviceState = "not running"
	serviceUses    serviceState = "in force"
	serviceRestart serviceState = "needs a restart"
	serviceSame    serviceState = "unchanged" // it had the value already, or its environment overrides the file
	serviceOther   serviceState = "other file"
	serviceFailed  serviceState = "not reloaded"
)

// serviceUse reports whether a running service uses an edited setting.
type serviceUse struct {
	State serviceState `json:"service"`

	pid  int
	file string
	err  error
}

// note returns what a person should know, with the command that helps.
func (u serviceUse) note() string {
	switch u.State {
	case serviceUses:
		return "note: the running service uses it now\n"
	case serviceRestart:
		return fmt.Sprintf("note: the running service uses it after a restart: stop it (kill %d), then start it with memory serve\n", u.pid)
	case serviceSame:
		return "note: nothing changed for the running service: it had this value already, or a variable of its environment overrides the file\n"
	case serviceOther:
		return fmt.Sprintf("note: the running service reads another file: %s\n", u.file)
	case serviceFailed:
		return fmt.Sprintf("note: the running service does not use it yet (%v): memory reload makes it read the file\n", u.err)
	}
	return ""
}

// reloadFor makes a running service read its configuration again, and reports what
// became of a key.
func (a *app) reloadFor(ctx context.Context, key string, cfg *config.Loaded, stateDir string) serviceUse {
	client := api.Dial(socketPath(stateDir))
	defer client.Close()
	if err := probe(ctx, client); errors.Is(err, api.ErrNoAnswer) {
		return serviceUse{State: serviceFailed, err: err}
	} else if err != nil {
		return serviceUse{State: serviceNone}
	}
	answer, err := client.Reload(ctx)
	if err != nil {
		return serviceUse{State: serviceFailed, err: err}
	}
	use := serviceUse{State: serviceSame, file: answer.File}
	isKey := func(changed string) bool { return changed == key || isBelow(changed, key) }
	switch {
	case !sameFile(answer.File, cfg.File):
		use.State = serviceOther
	case slices.ContainsFunc(answer.Restart, isKey):
		use.State, use.pid = serviceRestart, servicePID(ctx, client)
	case slices.ContainsFunc(answer.Applied, isKey):
		use.State = serviceUses
	}
	return use
}

// isBelow reports whether a key belongs to a group, such as a whole workspace.
func isBelow(key, group string) bool {
	return len(key) > len(group) && key[:len(group)+1] == group+"."
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return a == b || errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

func servicePID(ctx context.Context, client *api.Client) int {
	status, err := client.Status(ctx)
	if err != nil || status.Daemon == nil {
		return 0
	}
	return status.Daemon.PID
}

// putBack writes a file as it was before an edit; readErr is the error of reading it
// then.
func putBack(file string, before []byte, readErr error) error {
	var err error
	if readErr == nil {
		err = os.WriteFile(file, before, 0o600)
	} else if errors.Is(readErr, os.ErrNotExist) {
		err = os.Remove(file)
	}
	if err != nil {
		return memory.Unavailable(err, "write the configuration back")
	}
	return nil
}
