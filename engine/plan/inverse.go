package plan

import (
	"encoding/json"
	"reflect"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// RecordUndo writes to the audit which command was undone, in one row at least.
func (p *Plan) RecordUndo(batch string, rows []memory.AuditRow) {
	if len(p.Rows) == 0 {
		p.Rows = append(p.Rows, memory.AuditRow{At: p.At, Action: p.Action, ID: rows[0].ID, Source: p.Source, Batch: p.Batch,
			Old: map[string]any{}, New: map[string]any{}})
	}
	for _, row := range p.Rows {
		row.New["undid"] = batch
	}
}

// Reverse adds the reverse of one row of the audit to the plan, without the fields
// that an edit of a file has decided since.
func (p *Plan) Reverse(decl index.Declarations, row memory.AuditRow, edited []string) error {
	oldDeclared, newDeclared, err := declaredIn(row)
	if err != nil {
		return err
	}
	if isLeft := keepEdited(row, oldDeclared, &newDeclared, edited); !isLeft {
		p.Unchanged = append(p.Unchanged, memory.UnchangedMemory{ID: decl.Memory.ID, Reason: memory.EditedSince})
		return nil
	}
	_, hadDeclaration := row.Old[declaredKey]
	if was, ok := row.Old["forgotten"].(bool); ok && !was && !hadDeclaration && decl.Own.Forgotten != nil && *decl.Own.Forgotten {
		// A copy that was edited has a line of its own.
		p.Unchanged = append(p.Unchanged, memory.UnchangedMemory{ID: decl.Memory.ID, Reason: memory.EditedSince})
		return nil
	}
	after := decl.Memory
	after.Missing = after.Missing || IsStored(row)
	if v, ok := row.Old["forgotten"].(bool); ok {
		after.Forgotten = v
		only, _ := row.New["only"].(bool)
		switch {
		case only || oldDeclared.Only || row.Action == string(memory.ActionUndo):
		case v:
			p.ForgetTexts = append(p.ForgetTexts, decl.Memory.ID)
		default:
			p.RestoreTexts = append(p.RestoreTexts, decl.Memory.ID)
		}
	}
	if v, ok := row.Old["pinned"].(bool); ok {
		after.Pinned = v
	}
	if v, ok := row.Old["tier"].(string); ok {
		after.Tier = memory.Tier(v)
	}
	if v, ok := row.Old["trust_tier"].(string); ok {
		after.Trust = memory.TrustTier(v)
	}
	if v, ok := row.Old["importance_label"].(string); ok {
		after.ImportanceLabel = memory.ImportanceLabel(v)
	}
	if was, changed := row.Old["superseded_by"]; changed {
		after.SupersededBy = nil
		if v, ok := was.(string); ok {
			after.SupersededBy = (*memory.ID)(&v)
		}
	}
	if hadDeclaration {
		declared := revertDeclared(decl.Own, newDeclared, oldDeclared)
		p.declareItem(decl, declared)
	}
	p.RecordChange(decl.Memory, after)
	return nil
}

// declaredIn returns the declarations before and after a command, from its row in the
// audit.
func declaredIn(row memory.AuditRow) (oldDeclared, newDeclared memory.Declared, err error) {
	for _, part := range []struct {
		from map[string]any
		to   *memory.Declared
	}{{row.Old, &oldDeclared}, {row.New, &newDeclared}} {
		text, err := json.Marshal(part.from[declaredKey])
		if err == nil {
			err = json.Unmarshal(text, part.to)
		}
		if err != nil {
			return oldDeclared, newDeclared, err
		}
	}
	return oldDeclared, newDeclared, nil
}

// revertDeclared restores the fields in which a command changed the declaration from
// old to new, and keeps the others.
func revertDeclared(current, newDeclared, oldDeclared memory.Declared) memory.Declared {
	if !reflect.DeepEqual(newDeclared.Pinned, oldDeclared.Pinned) {
		current.Pinned = oldDeclared.Pinned
	}
	if !reflect.DeepEqual(newDeclared.Forgotten, oldDeclared.Forgotten) || newDeclared.Only != oldDeclared.Only {
		current.Forgotten, current.ForgottenAt, current.Only = oldDeclared.Forgotten, oldDeclared.ForgottenAt, oldDeclared.Only
	}
	if newDeclared.Tier != oldDeclared.Tier || !newDeclared.Since.Equal(oldDeclared.Since) {
		current.Tier, current.Since, current.SinceDay = oldDeclared.Tier, oldDeclared.Since, oldDeclared.SinceDay
	}
	if newDeclared.SupersededBy != oldDeclared.SupersededBy {
		current.SupersededBy = oldDeclared.SupersededBy
	}
	if newDeclared.Trust != oldDeclared.Trust {
		current.Trust = oldDeclared.Trust
	}
	if newDeclared.ImportanceLabel != oldDeclared.ImportanceLabel {
		current.ImportanceLabel = oldDeclared.ImportanceLabel
	}
	if !reflect.DeepEqual(newDeclared.Importance, oldDeclared.Importance) {
		current.Importance = oldDeclared.Importance
	}
	if newDeclared.Type != oldDeclared.Type || newDeclared.Category != oldDeclared.Category || newDeclared.Source != oldDeclared.Source {
		current.Type, current.Category, current.Source = oldDeclared.Type, oldDeclared.Category, oldDeclared.Source
	}
	return current
}

// keepEdited removes the fields that an edit of a file has changed since from a row of the
// audit. It removes them from the difference of its declarations too. It reports whether
// the row still has something to reverse.
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
