// Package plan holds what a command changes, and carries it out. A [Plan] is derived from the
// index and the files, and changes neither. One [Executor] carries out every plan: so a crash,
// a full disk or a file that changes meanwhile loses nothing. Undo is the inverse plan.
package plan

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// Plan is what a command will change: texts in files, declarations about memories, and rows of
// the index.
type Plan struct {
	index.Intent
	Texts []FileChange // of the memories themselves; the declarations are lines of front matter

	// Indexed completes the plan when its texts are indexed, or is nil. Only then it is known
	// which memory a text is.
	Indexed func(context.Context) error

	Then    []func(*index.Tx) error // writes what else the index gets together with the audit
	Notices []string                // for the person, once the plan is carried out

	grades map[memory.ID]memory.Grade // earlier ones, which memories get back

	before    map[memory.ID]memory.Memory // of everything that changes
	After     map[memory.ID]memory.Memory // of the same
	IDs       []memory.ID                 // of what changes, in order
	Unchanged []memory.UnchangedMemory
}

// Command names a command in the audit. undo reverses all rows of one command.
type Command struct {
	Source string // who gave it, as the audit names it
	Batch  string // its id in the audit
}

// NewCommand returns a command of its own. An empty source is the command line.
func NewCommand(source string) Command {
	return Command{cmp.Or(source, "cli"), uuid.NewString()}
}

// New returns an empty plan of a command of its own.
func New(now time.Time, action memory.Action, source string, only bool) *Plan {
	p := NewCommand(source).Plan(now, action)
	p.Only = only
	return p
}

// Plan returns an empty plan, which is a part of the command.
func (c Command) Plan(now time.Time, action memory.Action) *Plan {
	return &Plan{Intent: index.Intent{Batch: c.Batch, At: now, Action: string(action), Source: c.Source},
		grades: map[memory.ID]memory.Grade{}, before: map[memory.ID]memory.Memory{}, After: map[memory.ID]memory.Memory{}}
}

// ForDecision returns the plan of a decision about memories, and about the copies of their
// texts where the action covers them.
func ForDecision(ctx context.Context, db *index.DB, zone *time.Location, now time.Time, r memory.DecideRequest, ids []memory.ID) (*Plan, error) {
	declarations, err := db.Declarations(ctx, ids)
	if err != nil {
		return nil, err
	}
	p := New(now, r.Action, r.Source, r.Only)
	d := memory.Decision{Action: r.Action, To: r.Tier, Only: r.Only, At: now.In(zone)}
	for _, decl := range declarations {
		if declared, reason := d.ApplyTo(decl.Declarations); reason != "" {
			p.Unchanged = append(p.Unchanged, memory.UnchangedMemory{ID: decl.Memory.ID, Reason: reason})
		} else {
			p.declare(decl, declared, d)
		}
	}
	if len(p.Items) == 0 || r.Action != memory.ActionForget && r.Action != memory.ActionRestore {
		return p, nil
	}
	if r.Only {
		return p, p.handOverForgetting(ctx, db, d)
	}
	return p, p.extendToCopies(ctx, db, d)
}

// declare adds a memory's new declaration to the plan, and its effect on the
// memory.
func (p *Plan) declare(decl index.Declarations, declared memory.Declared, d memory.Decision) {
	p.declareItem(decl, declared)
	m := decl.Memory
	after := m
	switch d.Action {
	case memory.ActionForget:
		after.Forgotten = true
	case memory.ActionRestore:
		after.Forgotten = false
	case memory.ActionPin, memory.ActionUnpin:
		after.Pinned = declared.Pinned != nil && *declared.Pinned
	}
	if declared.Tier != decl.Own.Tier || !declared.Since.Equal(decl.Own.Since) {
		if declared.Tier != "" {
			after.Tier, after.TierReason = declared.Tier, "declared "+string(declared.Tier)
		}
	}
	p.RecordChange(m, after)
}

// declareItem adds a memory's new declaration to the plan. One that forgets it hides it at once.
func (p *Plan) declareItem(decl index.Declarations, declared memory.Declared) {
	item := itemOf(decl, declared)
	item.Hide = declared.Forgotten != nil && *declared.Forgotten && !decl.Memory.Forgotten
	p.Items = append(p.Items, item)
}

// itemOf returns the change of a memory's own declaration.
func itemOf(decl index.Declarations, declared memory.Declared) index.IntentItem {
	return index.IntentItem{ID: decl.Memory.ID, Before: decl.Own, After: declared, Sidecar: decl.Sidecar}
}

// Change adds a memory's new declaration to the plan, and the memory as it is then.
func (p *Plan) Change(decl index.Declarations, declared memory.Declared, after memory.Memory) {
	p.Items = append(p.Items, itemOf(decl, declared))
	p.RecordChange(decl.Memory, after)
}

// RecordChange adds a changed memory to the plan, and a row to its audit.
func (p *Plan) RecordChange(before, after memory.Memory) {
	p.IDs = append(p.IDs, before.ID)
	p.before[before.ID], p.After[before.ID] = before, after
	row := memory.AuditRow{At: p.At, Action: p.Action, ID: before.ID, Source: p.Source, Batch: p.Batch,
		Old: map[string]any{}, New: map[string]any{}}
	for _, field := range recorded {
		if was, is := field.get(before), field.get(after); was != is {
			row.Old[field.name], row.New[field.name] = was, is
		}
	}
	if p.Only {
		row.New["only"] = true
	}
	if n := len(p.Items); n > 0 && p.Items[n-1].ID == before.ID {
		row.Old[declaredKey], row.New[declaredKey] = p.Items[n-1].Before, p.Items[n-1].After
	}
	p.Rows = append(p.Rows, row)
}

// recorded lists the fields of a memory that commands change, as the audit has them. Undo sets
// them back. declare copies what is declared about the field.
var recorded = []struct {
	name    string
	get     func(memory.Memory) any
	set     func(*memory.Memory, any)
	declare func(to *memory.Declared, from memory.Declared)
}{
	{"forgotten", func(m memory.Memory) any { return m.Forgotten }, func(m *memory.Memory, v any) { m.Forgotten, _ = v.(bool) },
		func(to *memory.Declared, from memory.Declared) {
			to.Forgotten, to.ForgottenAt, to.Only = from.Forgotten, from.ForgottenAt, from.Only
		}},
	{"pinned", func(m memory.Memory) any { return m.Pinned }, func(m *memory.Memory, v any) { m.Pinned, _ = v.(bool) },
		func(to *memory.Declared, from memory.Declared) { to.Pinned = from.Pinned }},
	{"tier", func(m memory.Memory) any { return string(m.Tier) }, func(m *memory.Memory, v any) { m.Tier = memory.Tier(textOf(v)) },
		func(to *memory.Declared, from memory.Declared) {
			to.Tier, to.Since, to.SinceDay = from.Tier, from.Since, from.SinceDay
		}},
	{"trust_tier", func(m memory.Memory) any { return string(m.Trust) }, func(m *memory.Memory, v any) { m.Trust = memory.TrustTier(textOf(v)) },
		func(to *memory.Declared, from memory.Declared) { to.Trust = from.Trust }},
	{"importance_label", func(m memory.Memory) any { return string(m.ImportanceLabel) }, func(m *memory.Memory, v any) { m.ImportanceLabel = memory.ImportanceLabel(textOf(v)) },
		func(to *memory.Declared, from memory.Declared) { to.ImportanceLabel = from.ImportanceLabel }},
	{"superseded_by", func(m memory.Memory) any { return idOf(m.SupersededBy) }, func(m *memory.Memory, v any) {
		m.SupersededBy = nil
		if id := memory.ID(textOf(v)); id != "" {
			m.SupersededBy = &id
		}
	}, func(to *memory.Declared, from memory.Declared) { to.SupersededBy = from.SupersededBy }},
}

func textOf(v any) string {
	text, _ := v.(string)
	return text
}

// idOf returns an id as the audit has it; none is null.
func idOf(id *memory.ID) any {
	if id == nil {
		return nil
	}
	return string(*id)
}

// declaredKey names, in a row of the audit, the memory's own declaration. Undo
// reads it.
const declaredKey = "said"

// extendToCopies makes forget or restore hold for every copy of the texts.
// Contradicting declarations of copies are removed, and the texts are marked as
// forgotten or no longer marked.
func (p *Plan) extendToCopies(ctx context.Context, db *index.DB, d memory.Decision) error {
	chosen := slices.Clone(p.IDs)
	if d.Action == memory.ActionForget {
		p.ForgetTexts = chosen
	} else {
		p.RestoreTexts = chosen
	}
	declarations, err := db.DeclarationsOfCopies(ctx, chosen)
	if err != nil {
		return err
	}
	for _, decl := range declarations {
		if _, planned := p.before[decl.Memory.ID]; planned {
			continue
		}
		forgets := d.Action == memory.ActionForget
		if declared, reason := d.ApplyTo(decl.Declarations); decl.InDoubt && reason == "" {
			p.declare(decl, declared, d)
			continue
		}
		if decl.Own.Forgotten != nil && *decl.Own.Forgotten != forgets {
			declared := decl.Own
			declared.Forgotten, declared.ForgottenAt, declared.Only = nil, time.Time{}, false
			p.declare(decl, declared, d)
		} else if decl.Memory.Forgotten != forgets {
			after := decl.Memory
			after.Forgotten = forgets
			p.RecordChange(decl.Memory, after)
		}
	}
	return nil
}

// handOverForgetting keeps a text forgotten when the memory whose entry forgets
// every copy is restored alone. The entry of another copy forgets the text from
// then on.
func (p *Plan) handOverForgetting(ctx context.Context, db *index.DB, d memory.Decision) error {
	if d.Action != memory.ActionRestore {
		return nil
	}
	for _, item := range slices.Clone(p.Items) {
		if item.Before.Forgotten == nil || !*item.Before.Forgotten || item.Before.Only {
			continue
		}
		declarations, err := db.DeclarationsOfCopies(ctx, []memory.ID{item.ID})
		if err != nil {
			return err
		}
		for _, decl := range declarations {
			if _, planned := p.before[decl.Memory.ID]; planned || !decl.Memory.Forgotten {
				continue
			}
			if decl.Own.Forgotten == nil || decl.Own.Only {
				declared := decl.Own
				declared.Forgotten, declared.ForgottenAt, declared.Only = item.Before.Forgotten, item.Before.ForgottenAt, false
				p.Items = append(p.Items, itemOf(decl, declared))
			}
			break
		}
	}
	return nil
}

// IsDestroy reports whether a command destroyed memories. Its audit may begin with the
// memories that hold again because of that.
func IsDestroy(rows []memory.AuditRow) bool { return len(DestroyedIDs(rows)) > 0 }

// DestroyedIDs returns the memories that a command destroyed.
func DestroyedIDs(rows []memory.AuditRow) (ids []memory.ID) {
	for _, row := range rows {
		if row.Action == string(memory.ActionDestroy) {
			ids = append(ids, row.ID)
		}
	}
	return ids
}

// RowsByMemory returns one row for each memory of a command, in the order of the audit.
// A command that changed a memory in several steps has several rows about it.
func RowsByMemory(rows []memory.AuditRow) (merged []memory.AuditRow) {
	position := map[memory.ID]int{}
	for _, row := range rows {
		i, known := position[row.ID]
		switch {
		case row.ID == "":
		case !known:
			position[row.ID] = len(merged)
			row.Old, row.New = maps.Clone(row.Old), maps.Clone(row.New)
			merged = append(merged, row)
		default:
			for field, was := range row.Old {
				if _, earlier := merged[i].Old[field]; !earlier {
					merged[i].Old[field] = was
				}
			}
			maps.Copy(merged[i].New, row.New)
		}
	}
	return merged
}

// IsStored reports whether a command wrote the text of a memory.
func IsStored(row memory.AuditRow) bool {
	return row.Action == memory.AuditStore || row.Action == memory.AuditCapture
}

// These keys note, in a row of the audit, that a command made the memory's file, and which
// folders it made for that.
const (
	newFileKey    = "new_file"
	newFoldersKey = "new_folders"
)

// NoteNewFile adds to the last row of the plan that the command made the memory's file. It
// also adds the folders that the command made for the file, the innermost first.
func (p *Plan) NoteNewFile(isNew bool, folders []string) {
	row := p.Rows[len(p.Rows)-1]
	if isNew {
		row.New[newFileKey] = true
	}
	if len(folders) > 0 {
		row.New[newFoldersKey] = folders
	}
}

// MadeFolders returns the folders that a command made for the memory's file.
func MadeFolders(row memory.AuditRow) (folders []string) {
	list, _ := row.New[newFoldersKey].([]any)
	for _, each := range list {
		if name, ok := each.(string); ok {
			folders = append(folders, name)
		}
	}
	return folders
}

// MadeFile reports whether a command made the memory's file.
func MadeFile(row memory.AuditRow) bool {
	isNew, _ := row.New[newFileKey].(bool)
	return isNew
}
