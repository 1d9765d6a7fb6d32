package commands

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/lookup"
)

// Check returns an error for a request that would take text out of other files than
// those of a client.
func (f InPlace) Check(r memory.DecideRequest) error {
	switch {
	case f.Options.Documents && r.Action == memory.ActionDestroy && !r.Missing:
		return memory.Conflict("the passage is in a document, which is not changed here; nothing was changed").
			WithHint("forget the passage, or delete the document and then run memory destroy --missing -w %s", f.Name)
	case !r.InPlace:
		return nil
	case r.Action != memory.ActionForget:
		return memory.Invalid("in_place", "only forget takes in_place").WithHint("leave it out")
	case r.For == memory.AudienceModel:
		return &memory.Error{Kind: memory.ErrForbidden, Field: "in_place", Message: "only a person takes text out of a client's file", Hint: "ask the user to run memory forget --in-place"}
	case f.Client == "" || f.Options.Documents:
		return memory.Invalid("in_place", "%s is no memory of an agent's client", f.Name).WithHint("forget hides the text from every agent; destroy removes it from its file")
	}
	return nil
}

// TakeOut removes the lines of forgotten memories from the files of a client.
func (f InPlace) TakeOut(ctx context.Context, now time.Time, a *memory.DecideAnswer) (err error) {
	declarations, err := f.DB.Declarations(ctx, memory.IDsOf(a.Changed))
	if err != nil {
		return err
	}
	byPath := map[string][]memory.Memory{}
	for _, d := range declarations {
		if m := d.Memory; !m.Missing {
			m.Text = d.WrittenText
			byPath[m.Path] = append(byPath[m.Path], m)
		}
	}
	folder, err := f.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	paths := slices.Sorted(maps.Keys(byPath))
	for i, path := range paths {
		change, err := f.Without(folder, path, byPath[path])
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%s-%s-%03d", now.UTC().Format("20060102T150405.000"), a.Batch, i)
		if err := f.write(folder, name, removal{memory.IDsOf(byPath[path]), change}); err != nil {
			return err
		}
		a.TakenOut = append(a.TakenOut, path)
	}
	return f.Host.RefreshPaths(context.WithoutCancel(ctx), now, paths)
}

// ReviewStep does what a person decides about one point, or reverses an earlier step.
func (f InPlace) ReviewStep(ctx context.Context, now time.Time, r memory.ReviewStepRequest) (memory.ReviewStepAnswer, error) {
	a, err := f.Commands.ReviewStep(ctx, now, r)
	if err != nil || r.Action != memory.ReviewUndo {
		return a, err
	}
	undone := memory.DecideAnswer{Action: memory.ActionUndo, Changed: a.Changed}
	err = f.PutBack(ctx, now, &undone)
	a.Notices = append(a.Notices, undone.Notices...)
	return a, err
}

// PutBack writes the lines of memories that are not forgotten any more into the files of a
// client. It does so too where an earlier command was interrupted, or could not write.
func (f InPlace) PutBack(ctx context.Context, now time.Time, a *memory.DecideAnswer) error {
	if f.Client == "" || a == nil || a.Preview {
		return nil
	}
	kept, err := f.removals()
	if err != nil || len(kept) == 0 {
		return err
	}
	var ids []memory.ID
	for _, r := range kept {
		ids = append(ids, r.IDs...)
	}
	known, err := lookup.Current(ctx, f.DB, ids)
	if err != nil {
		return err
	}
	ids = slices.DeleteFunc(ids, func(id memory.ID) bool { m, isKnown := known[id]; return !isKnown || m.Forgotten })
	paths, notices, err := f.putBackAll(ctx, kept, ids)
	a.Notices = append(a.Notices, notices...)
	if err = errors.Join(err, f.Host.RefreshPaths(context.WithoutCancel(ctx), now, paths)); err != nil || len(paths) == 0 {
		return err
	}
	present, err := lookup.Current(ctx, f.DB, memory.IDsOf(a.Changed))
	for i, m := range a.Changed {
		if at, known := present[m.ID]; known {
			a.Changed[i].Missing, a.Changed[i].Path, a.Changed[i].LineStart, a.Changed[i].LineEnd = at.Missing, at.Path, at.LineStart, at.LineEnd
		}
	}
	return err
}

// Notices tells that the client reads its own files, whatever is forgotten in them.
func (f InPlace) Notices(r memory.DecideRequest, a memory.DecideAnswer) memory.List[string] {
	if f.Client == "" || r.Action != memory.ActionForget || r.InPlace || len(a.Changed) == 0 {
		return nil
	}
	if f.Options.Documents {
		return memory.List[string]{"the document itself stays as it is: " + a.Changed[0].Place()}
	}
	return memory.List[string]{fmt.Sprintf("%s reads this file of its own, so its model may still get the text; memory forget -w %s %s --in-place takes it out of the file",
		f.Client, f.Name, a.Changed[0].ID.Short())}
}
