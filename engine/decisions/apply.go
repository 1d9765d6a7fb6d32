package decisions

import (
	"context"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
)

// Apply carries out a plan, unless it is a preview, and returns what it
// changes.
func (f *Files) Apply(ctx context.Context, now time.Time, p *plan.Plan, r memory.DecideRequest) (memory.DecideAnswer, error) {
	a := memory.DecideAnswer{Action: memory.Action(p.Action), Unchanged: p.Unchanged, Preview: r.Preview}
	if !r.Preview && len(p.Rows) > 0 {
		notices, err := f.Commit(ctx, now, p.Intent, ProgressOf(r))
		if err != nil {
			return memory.DecideAnswer{}, err
		}
		a.Notices, a.Batch = notices, p.Batch
		declarations, err := f.DB.Declarations(ctx, p.IDs)
		if err != nil {
			return memory.DecideAnswer{}, err
		}
		p.After = map[memory.ID]memory.Memory{}
		for _, decl := range declarations {
			p.After[decl.Memory.ID] = decl.Memory
		}
	}
	for _, id := range p.IDs {
		a.Changed = append(a.Changed, p.After[id])
	}
	return a, nil
}

// ProgressOf returns what a request reports its progress to.
func ProgressOf(r memory.DecideRequest) func(memory.Progress) {
	if r.Progress == nil {
		return func(memory.Progress) {}
	}
	return r.Progress
}
