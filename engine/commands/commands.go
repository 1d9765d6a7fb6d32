// Package commands changes what is known of memories, as a person or an agent asks. A command
// makes a plan from the index and the files, and [plan.Executor] carries it out. Undo carries
// out the inverse plan.
package commands

import (
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/receipts"
)

// Commands are the commands of one workspace. The caller holds the lock of ingests.
type Commands struct {
	*plan.Executor
	Uses *receipts.Buffer // has the prompts of recalls
}
