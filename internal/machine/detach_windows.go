package machine

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// StartDetached starts a program that outlives this one and its console.
func StartDetached(command *exec.Cmd) error {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
	if err := command.Start(); err != nil {
		return err
	}
	return command.Process.Release()
}
