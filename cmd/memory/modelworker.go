package main

import (
	"context"
	"os"
	"os/exec"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory/embed/minilm"
)

// workerName is the command that runs the transformer. People do not use it.
const workerName = "run-transformer"

// modelWorker is the process that runs the transformer for another process of this
// program.
func (a *app) modelWorker() *cobra.Command {
	return &cobra.Command{
		Use:    workerName + " DIR",
		Short:  "run the transformer for another process of this program",
		Hidden: true,
		Args:   argumentCount(1, 1, "the folder of the model's files"),
		RunE: func(c *cobra.Command, args []string) error {
			// Ctrl-C reaches every process of a terminal. This one ends with its input.
			signal.Ignore(os.Interrupt)
			os.Stdout = os.Stderr // a library that prints must not disturb the answers
			return minilm.Serve(c.Context(), a.in, a.rawOut, args[0])
		},
	}
}

// transformerCommand returns the command that runs the transformer: this program, also
// after its file was replaced.
func transformerCommand(dir string) *exec.Cmd {
	const itself = "/proc/self/exe" // Linux: the file that runs, even if it was deleted
	program := itself
	if _, err := os.Stat(itself); err != nil {
		if program, err = os.Executable(); err != nil {
			program = os.Args[0]
		}
	}
	command := exec.CommandContext(context.Background(), program, "model", workerName, dir) // it outlives the question that starts it
	command.Args[0] = os.Args[0]
	return command
}
