//go:build !unix

package machine

import "os/exec"

// StartLow starts a program. Only Unix gives it a low priority.
func StartLow(command *exec.Cmd) error { return command.Start() }
