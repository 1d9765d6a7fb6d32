package verdicts

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
)

// planOf plans what a verdict about a memory declares. Never again labels the memory and the
// copies of its text as to be ignored. The others declare nothing and are in the audit.
func planOf(ctx context.Context, db *index.DB, now time.Time, v memory.Verdict, id memory.ID) (*plan.Plan, error) {
	p := plan.NewCommand("").Plan(now, memory.AuditFeedback)
	about, err := db.Declarations(ctx, []memory.ID{id})
	if err != nil || len(about) == 0 {
		return p, err
	}
	if v != memory.VerdictNever {
		p.RecordChange(about[0].Memory, about[0].Memory)
	} else if err := ignore(ctx, db, p, about[0]); err != nil {
		return nil, err
	}
	for i := range p.Rows {
		p.Rows[i].New["verdict"] = v
	}
	return p, nil
}

// ignore labels a memory and the copies of its text as to be ignored, as far as they are not.
func ignore(ctx context.Context, db *index.DB, p *plan.Plan, about index.Declarations) error {
	if about.Memory.ImportanceLabel == memory.ImportanceIgnore {
		return memory.Conflict("%s", memory.AlreadyIgnored).WithHint("memory undo reverses the verdict; a label in its file has to be removed there")
	}
	copies, err := plan.DeclarationsOfCopies(ctx, db, []memory.ID{about.Memory.ID})
	if err != nil {
		return err
	}
	for i, decl := range append([]index.Declarations{about}, copies...) {
		m := decl.Memory
		if i > 0 && m.ID == about.Memory.ID || m.ImportanceLabel == memory.ImportanceIgnore {
			continue
		}
		declared, after := decl.Own, m
		declared.ImportanceLabel, after.ImportanceLabel = memory.ImportanceIgnore, memory.ImportanceIgnore
		p.Change(decl, declared, after)
	}
	return nil
}
