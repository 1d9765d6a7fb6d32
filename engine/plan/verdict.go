package plan

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// ForVerdict plans what a verdict about a memory declares. Never again labels the memory and
// the copies of its text as to be ignored. The others declare nothing and are in the audit.
func ForVerdict(ctx context.Context, db *index.DB, now time.Time, v memory.Verdict, id memory.ID) (*Plan, error) {
	p := NewCommand("").Plan(now, memory.AuditFeedback)
	about, err := db.Declarations(ctx, []memory.ID{id})
	if err != nil || len(about) == 0 {
		return p, err
	}
	if v == memory.VerdictNever {
		if about[0].Memory.ImportanceLabel == memory.ImportanceIgnore {
			return nil, memory.Conflict("%s", memory.AlreadyIgnored).WithHint("memory undo reverses the verdict; a label in its file has to be removed there")
		}
		copies, err := DeclarationsOfCopies(ctx, db, []memory.ID{id})
		if err != nil {
			return nil, err
		}
		for _, decl := range append(about, copies...) {
			p.ignore(decl)
		}
	} else {
		p.RecordChange(about[0].Memory, about[0].Memory)
	}
	for i := range p.Rows {
		p.Rows[i].New["verdict"] = v
	}
	return p, nil
}

// ignore labels a memory as to be ignored, unless it is.
func (p *Plan) ignore(decl index.Declarations) {
	m := decl.Memory
	if _, planned := p.before[m.ID]; planned || m.ImportanceLabel == memory.ImportanceIgnore {
		return
	}
	declared, after := decl.Own, m
	declared.ImportanceLabel, after.ImportanceLabel = memory.ImportanceIgnore, memory.ImportanceIgnore
	p.Change(decl, declared, after)
}
