package lookup

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// auditSources lists the sources that the audit names.
var auditSources = []string{"cli", "tool", "agent", "file", "capture", "decay"}

// ValidateAudit returns why a request for the audit cannot be answered.
func ValidateAudit(r memory.AuditRequest) error {
	actions := memory.AuditActions()
	switch {
	case r.Limit < 0:
		return memory.Invalid("limit", "the limit %d is negative", r.Limit).WithHint("0 means no limit")
	case r.Offset < 0:
		return memory.Invalid("offset", "the offset %d is negative", r.Offset).WithHint("it is the number of decisions to skip")
	case r.Action != "" && !slices.Contains(actions, r.Action):
		return memory.Invalid("action", "unknown action %q", r.Action).WithHint("one of: %s", strings.Join(actions, ", "))
	case r.Source != "" && !slices.Contains(auditSources, r.Source):
		return memory.Invalid("source", "unknown source %q", r.Source).WithHint("one of: %s", strings.Join(auditSources, ", "))
	}
	return nil
}
