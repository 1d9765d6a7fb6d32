package machine

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// StartDetached starts a program that outlives this one and its console. It returns the id
// of its process.
func StartDetached(command *exec.Cmd) (pid int, err error) {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
	if err := command.Start(); err != nil {
		return 0, err
	}
	pid = command.Process.Pid // Release clears it
	return pid, command.Process.Release()
}
