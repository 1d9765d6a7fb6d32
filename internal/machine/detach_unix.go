//go:build unix

package machine

import (
	"os/exec"
	"syscall"
)

// StartDetached starts a program that outlives this one and its terminal. It returns the id
// of its process.
func StartDetached(command *exec.Cmd) (pid int, err error) {
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		return 0, err
	}
	pid = command.Process.Pid // Release clears it
	return pid, command.Process.Release()
}
