package commands

import (
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/ageing"
)

// DestroyByPerson is the error for a user's request to destroy. It would remove the copies
// of other users too.
func DestroyByPerson() error {
	return &memory.Error{Kind: memory.ErrForbidden, Field: "action", Message: "only a person at the machine can destroy a memory, without naming a user",
		Hint: "forget it; memory destroy ID removes every copy"}
}

// Validate refuses a request for a decision that can never succeed.
func Validate(r memory.DecideRequest) error {
	moves := r.Action == memory.ActionPromote || r.Action == memory.ActionDemote
	switch {
	case r.Action == "":
		return memory.Invalid("action", "the action is missing").WithHint("one of: forget, restore, pin, unpin, promote, demote, archive, destroy, undo")
	case r.Tier != "" && !moves:
		return memory.Invalid("tier", "%s takes no tier", r.Action).WithHint("only promote and demote take a tier")
	case r.Only && r.Action == memory.ActionDestroy:
		return memory.Invalid("only", "destroy always removes every copy of a text").WithHint("use only with forget and restore")
	case r.Only && r.Action != memory.ActionForget && r.Action != memory.ActionRestore:
		return memory.Invalid("only", "%s applies to single memories anyway", r.Action).WithHint("use only with forget and restore")
	case !slices.Contains([]string{"", "cli", "tool", "agent"}, r.Source) && (r.Source != ageing.AuditedAs || r.Action != memory.ActionArchive):
		return memory.Invalid("source", "unknown source %q", r.Source).WithHint("one of: cli, tool, agent")
	case r.For == memory.AudienceModel && (r.Missing || r.Filter != nil && r.Filter.Forgotten || r.Action == memory.ActionRestore && len(r.IDs) == 0):
		return ForgottenForModel()
	case r.Missing && r.Action != memory.ActionDestroy:
		return memory.Invalid("missing", "only destroy takes missing").WithHint("leave it out")
	case len(r.Receipt) > 0 && r.For == memory.AudienceModel:
		return DestroyByPerson()
	case len(r.Receipt) > 0 && r.Action != memory.ActionDestroy:
		return memory.Invalid("receipt", "only destroy has a receipt").WithHint("leave it out")
	case r.Confirm && r.Action != memory.ActionDestroy:
		return memory.Invalid("confirm", "only destroy needs to be confirmed").WithHint("leave it out")
	case r.Action == memory.ActionDestroy && !r.Confirm && !r.Preview:
		return memory.Invalid("confirm", "destroy cannot be undone, and it was not confirmed").
			WithHint("check with preview first, then set confirm; memory forget can be undone")
	case r.Count != 0 && r.Action != memory.ActionUndo, r.Count < 0:
		return memory.Invalid("count", "a count of %d is not possible here", r.Count).WithHint("only undo takes a count, of 1 or more")
	case r.Action == memory.ActionUndo && (len(r.IDs) > 0 || r.Query != "" || r.Filter != nil):
		return memory.Invalid("ids", "undo reverses whole commands").WithHint("memory undo 2 reverses the last two")
	}
	return nil
}

// ForgottenForModel returns the error for a model's request for forgotten or missing
// memories.
func ForgottenForModel() error {
	return memory.Invalid("forgotten", "no answer for a model contains forgotten memories").
		WithHint("leave out forgotten, or let a person search: memory search --forgotten")
}
