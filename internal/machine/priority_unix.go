//go:build unix

package machine

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// LowPriority is the nice value of a program that [StartLow] starts. On a core that
// another program uses all the time it gets a quarter. On an idle core it gets all.
const LowPriority = 5

// StartLow starts a program with a low priority.
func StartLow(command *exec.Cmd) error {
	if command.SysProcAttr == nil {
		command.SysProcAttr = &syscall.SysProcAttr{}
	}
	command.SysProcAttr.Setpgid = true // the priority of a group is that of all threads
	if err := command.Start(); err != nil {
		return err
	}
	_ = unix.Setpriority(unix.PRIO_PGRP, command.Process.Pid, LowPriority) // without it, the program is only less polite
	return nil
}
