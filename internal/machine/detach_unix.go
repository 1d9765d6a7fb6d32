//go:build unix

package machine

import (
	"os/exec"
	"syscall"
)

// StartDetached starts a program that outlives this one and its terminal.
func StartDetached(command *exec.Cmd) error {
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		return err
	}
	return command.Process.Release()
}
