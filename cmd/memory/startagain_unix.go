//go:build unix

package main

import (
	"os"
	"syscall"

	"github.com/memory-tiered/memory"
)

// startAgain replaces this process with the new binary. The process keeps its id, so
// the service manager notices no end.
func startAgain(_ error, environ []string) error {
	binary, err := os.Executable()
	if err == nil {
		err = syscall.Exec(binary, os.Args, environ)
	}
	return memory.Unavailable(err, "start the new binary").WithHint("start it by hand: memory serve")
}
