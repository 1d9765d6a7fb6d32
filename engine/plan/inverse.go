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
	for _, field := range recorded {
		if was, changed := row.Old[field.name]; changed {
			field.set(&after, was)
		}
	}
	if wasForgotten, changed := row.Old["forgotten"].(bool); changed {
		only, _ := row.New["only"].(bool)
		switch {
		case only || oldDeclared.Only || row.Action == string(memory.ActionUndo):
		case wasForgotten:
			p.ForgetTexts = append(p.ForgetTexts, decl.Memory.ID)
		default:
			p.RestoreTexts = append(p.RestoreTexts, decl.Memory.ID)
		}
	}
	if grade, changed := gradeIn(row.Old); changed {
		p.grades[decl.Memory.ID] = grade
	}
	if hadDeclaration {
		p.declareItem(decl, revertDeclared(decl.Own, newDeclared, oldDeclared))
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
	fields, is, was := reflect.ValueOf(&current).Elem(), reflect.ValueOf(newDeclared), reflect.ValueOf(oldDeclared)
	for i := range fields.NumField() {
		if !reflect.DeepEqual(is.Field(i).Interface(), was.Field(i).Interface()) {
			fields.Field(i).Set(was.Field(i))
		}
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
		for _, known := range recorded {
			if known.name == field {
				known.declare(newDeclared, oldDeclared)
			}
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
