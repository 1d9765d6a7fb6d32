package engine

import (
	"reflect"

	"github.com/memory-tiered/memory"
)

// keepEdited removes the fields that an edit of a file has changed since from a row of the
// audit. It removes them from the difference of its declarations too. It reports whether the row still
// has something to reverse.
func keepEdited(row memory.AuditRow, oldDeclared memory.Declared, newDeclared *memory.Declared, edited []string) (isLeft bool) {
	removed := false
	for _, field := range edited {
		if _, changed := row.Old[field]; !changed {
			continue
		}
		removed = true
		delete(row.Old, field)
		switch field {
		case "forgotten":
			newDeclared.Forgotten, newDeclared.ForgottenAt, newDeclared.Only = oldDeclared.Forgotten, oldDeclared.ForgottenAt, oldDeclared.Only
		case "pinned":
			newDeclared.Pinned = oldDeclared.Pinned
		case "tier":
			newDeclared.Tier, newDeclared.Since, newDeclared.SinceDay = oldDeclared.Tier, oldDeclared.Since, oldDeclared.SinceDay
		}
	}
	if !removed {
		return true
	}
	for field := range row.Old {
		if field != declaredKey {
			return true
		}
	}
	return !reflect.DeepEqual(*newDeclared, oldDeclared)
}

// isAllEdited reports whether the undo of a command changed nothing, because edits of
// files have decided about all its memories since.
func isAllEdited(a memory.DecideAnswer) bool {
	for _, u := range a.Unchanged {
		if u.Reason != memory.EditedSince {
			return false
		}
	}
	return len(a.Changed) == 0 && len(a.Unchanged) > 0
}
