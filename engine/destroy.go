package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/audience"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/verify"
)

// destroy removes memories and every copy of their texts from the files, the index
// and the backups. It then scans for what is left. It cannot be undone. For a user, it
// removes the copies that this user may see, and scans no files: these have everybody's.
func (e *Engine) destroy(ctx context.Context, s *workspaceState, now time.Time, who audience.Reader, r memory.DecideRequest, ids []memory.ID) (memory.DecideAnswer, error) {
	a := memory.DecideAnswer{Action: r.Action, Preview: r.Preview, Unreachable: s.unreachablePlaces(e.hostDirs())}
	all, near, err := s.copiesToDestroy(ctx, now, who, ids)
	if err != nil {
		return a, err
	}
	a.NearCopies = near
	if who.Users != nil {
		a.Unreachable = append(a.Unreachable, "the memories of other users")
	}
	texts := make([]string, len(all))
	for i, m := range all {
		texts[i] = m.Text
	}
	if a.Notices, err = s.sharedTextNotices(ctx, now, who, slices.Concat(all, a.NearCopies), texts); err != nil {
		return a, err
	}
	if r.Preview {
		a.Changed = all
		return a, nil
	}
	c := plan.NewCommand(r.Source)
	if err := s.reviveReplaced(ctx, now, all, c); err != nil {
		return a, err
	}
	intent := c.Plan(now, r.Action).Intent
	if intent.Users = who.Users; who.Users != nil {
		err = s.hideOwnCopies(ctx, now, &intent, slices.Concat(all, near))
	}
	if err == nil {
		intent, err = s.destroyIntent(ctx, intent, all)
	}
	if err != nil {
		return a, err
	}
	ctx = context.WithoutCancel(ctx) // once begun, it ignores cancellation
	if err := s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.BeginIntent(intent) }); err != nil {
		return a, err
	}
	d := destruction{workspaceState: s, now: now, contains: containsAny(texts), progress: progressFunc(r)}
	notices, err := d.run(ctx, intent)
	if err != nil {
		return a, err
	}
	a.Batch, a.Notices = intent.Batch, append(a.Notices, notices...)
	for _, m := range all {
		m.Text = ""
		a.Changed = append(a.Changed, m)
	}
	if who.Users != nil {
		return a, nil
	}
	scan, err := e.scanFiles(ctx, s, texts, d.progress)
	a.Scan = &scan
	for _, path := range scan.NotSearched {
		a.Unreachable = append(a.Unreachable, path+" (a model's file, as published)")
	}
	return a, err
}

// unreachablePlaces lists where a text may exist that the program cannot reach.
func (s *workspaceState) unreachablePlaces(hostDirs []string) memory.List[string] {
	list := memory.List[string]{"git history", "other copies: checkouts, backups by other programs, synchronised folders",
		"editors' backup files", "freed disk blocks"}
	if embedder := s.currentEmbedder(); embedder != nil && embedder.Remote() {
		list = append(list, "what was sent to the embedding provider of "+embedder.Model())
	}
	for _, dir := range hostDirs {
		list = append(list, "what OpenClaw itself stores in "+dir+" (memory verify looks there)")
	}
	return list
}

// withCopies returns the memories with these ids, then every copy of their texts.
func (s *workspaceState) withCopies(ctx context.Context, ids []memory.ID) (all []memory.Memory, err error) {
	copies, err := s.db.ExactCopies(ctx, ids)
	if err != nil {
		return nil, err
	}
	declarations, err := s.db.Declarations(ctx, slices.Concat(ids, copies))
	for _, decl := range declarations {
		all = append(all, decl.Memory)
	}
	return all, err
}

// nearCopies returns the memories that have the wording of one of the texts and other
// characters. They stay in their files, because another person may have written them,
// and are forgotten with the texts.
func (s *workspaceState) nearCopies(ctx context.Context, destroyed []memory.Memory) (near []memory.Memory, err error) {
	isDestroyed := map[memory.ID]bool{}
	for _, m := range destroyed {
		isDestroyed[m.ID] = true
	}
	copies, err := s.db.Copies(ctx, memoryIDs(destroyed))
	if err != nil {
		return nil, err
	}
	declarations, err := s.db.Declarations(ctx, slices.DeleteFunc(copies, func(id memory.ID) bool { return isDestroyed[id] }))
	for _, decl := range declarations {
		near = append(near, decl.Memory)
	}
	return near, err
}

// sharedTextNotices reports memories that contain one of the texts, except those that
// the answer lists. They stay.
func (s *workspaceState) sharedTextNotices(ctx context.Context, now time.Time, who audience.Reader, listed []memory.Memory, texts []string) (notices []string, err error) {
	ids := map[memory.ID]bool{}
	for _, m := range listed {
		ids[m.ID] = true
	}
	matcher := verify.NewMatcher(texts...)
	for _, p := range []memory.Predicate{{Forgotten: memory.Include, Archive: true}, {Forgotten: memory.Include, Archive: true, Missing: memory.Only}} {
		memories, _, err := s.db.Searcher.List(ctx, who.Restrict(p, now), "path", 0, 0) // with comments that repeat a text
		if err != nil {
			return nil, err
		}
		for _, m := range memories {
			if !ids[m.ID] && matcher.Index([]byte(m.Text)) >= 0 {
				notices = append(notices, fmt.Sprintf("another memory contains the same words, and stays: %s, %s:%d", m.ID.Short(), m.Path, m.LineStart))
			}
		}
	}
	return notices, nil
}

// containsAny returns a function that reports whether a text contains one of these.
func containsAny(texts []string) func(string) bool {
	matcher := verify.NewMatcher(texts...)
	return func(text string) bool { return matcher.Index([]byte(text)) >= 0 }
}

// destroyIntent completes the intent with all that is needed to carry it out, but
// no text. It refuses what cannot be carried out, before anything changes.
func (s *workspaceState) destroyIntent(ctx context.Context, intent index.Intent, all []memory.Memory) (index.Intent, error) {
	paths := map[string]bool{}
	for _, m := range all {
		intent.Destroy = append(intent.Destroy, m.ID)
		if !m.Forgotten && len(intent.Users) == 0 {
			intent.ForgetTexts = append(intent.ForgetTexts, m.ID) // hides it from every answer at once
		}
		if !m.Missing {
			paths[m.Path] = true
		}
		intent.Rows = append(intent.Rows, memory.AuditRow{At: intent.At, Action: intent.Action, ID: m.ID, Source: intent.Source, Batch: intent.Batch,
			Old: map[string]any{"destroyed": false}, New: map[string]any{"destroyed": true}})
	}
	r, err := s.newRemover(ctx, intent)
	if err != nil {
		return intent, err
	}
	for path := range r.entries {
		paths[path] = true
	}
	intent.Paths = slices.Sorted(maps.Keys(paths))
	for _, path := range intent.Paths {
		if err := r.check(path); err != nil {
			return intent, err
		}
	}
	return intent, nil
}

// destruction carries out one intent, from whatever step an earlier run reached.
type destruction struct {
	*workspaceState
	now      time.Time
	contains func(string) bool // reports whether a text contains one of the destroyed texts
	resumed  bool              // an earlier run began it
	written  bool              // this run changed a file
	progress func(memory.Progress)
}

// run takes the steps in an order that makes every crash harmless. First come the
// files, then the tables, then the free pages and copies of the tables. The intent
// goes last. If a file cannot be edited, its memories stay and remain forgotten,
// failed has the reason, and the intent remains for them.
func (d *destruction) run(ctx context.Context, intent index.Intent) (notices []string, err error) {
	var failed error
	if len(intent.Destroy) > 0 {
		var stay map[memory.ID]bool
		if stay, failed, err = d.removeTexts(ctx, intent); err != nil {
			return nil, unfinishedDestroy(err)
		}
		if failed != nil && !d.resumed && !d.written {
			return nil, errors.Join(failed, d.db.Update(ctx, d.now, func(tx *index.Tx) error { return tx.AbandonIntent(intent) }))
		}
		if err := d.db.Update(ctx, d.now, func(tx *index.Tx) (err error) {
			intent, err = tx.Destroy(intent, stay, d.contains)
			return err
		}); err != nil {
			return nil, unfinishedDestroy(err)
		}
	}
	if failed != nil {
		d.updateHealth(func(h *health) { h.destroyErr = unfinishedDestroy(failed) })
	} else {
		d.updateHealth(func(h *health) { h.destroyErr = nil })
	}
	if !intent.TextsRemoved {
		return nil, failed
	}
	if notices, err = d.sweep(ctx, intent); err != nil {
		return notices, errors.Join(err, failed)
	}
	return notices, failed
}

// sweep removes what the deleted rows left in the database and in its copies.
func (d *destruction) sweep(ctx context.Context, intent index.Intent) (notices []string, err error) {
	d.topics.clear()
	for i, step := range []struct {
		name string
		run  func() error
	}{
		{"tables", func() error { return d.db.Scrub(ctx) }},
		{"sweep", func() (err error) { notices, err = d.purgeCopies(ctx); return err }},
		{"copies", func() error {
			return d.db.Update(ctx, d.now, func(tx *index.Tx) error { return tx.FinishDestroy(intent) })
		}},
	} {
		d.progress(memory.Progress{Stage: "sweep", Done: i, Total: 3})
		if err := d.StepDone(step.name); err != nil {
			return notices, err
		}
		if err := step.run(); err != nil {
			return notices, unfinishedDestroy(err)
		}
	}
	return notices, nil
}

// unfinishedDestroy returns the error of an interrupted destroy, with a hint about
// how it continues.
func unfinishedDestroy(err error) error {
	known := &memory.Error{Kind: memory.ErrUnavailable}
	errors.As(err, &known)
	return &memory.Error{Kind: known.Kind, Message: "destroy has begun and is not finished", Cause: err,
		Hint: "remove the cause; destroy then continues with the next decision or the next start, and memory verify lists what is left"}
}

// removeTexts removes the texts from every file. It returns the memories that stay,
// because a file could not be edited or still contains their text, and the reason.
func (d *destruction) removeTexts(ctx context.Context, intent index.Intent) (stay map[memory.ID]bool, failed, err error) {
	if err := d.StepDone("begin"); err != nil {
		return nil, nil, err
	}
	r, err := d.newRemover(ctx, intent)
	if err != nil {
		return nil, nil, err
	}
	r.resumed = d.resumed
	before, err := d.destroyedBy(ctx, intent)
	if err != nil {
		return nil, nil, err
	}
	paths := pathsToEdit(intent, before)
	fileErrs := map[string]error{}
	for i, path := range paths {
		if err := r.removeFrom(path); err != nil {
			fileErrs[path] = err
		}
		d.progress(memory.Progress{Stage: "write", Done: i + 1, Total: len(paths)})
		if err := d.StepDone("file"); err != nil {
			return nil, nil, err
		}
	}
	d.written = r.written
	if stay, err = d.inFailedFiles(ctx, before, fileErrs); err != nil {
		return nil, nil, err
	}
	if err := d.RefreshPaths(ctx, d.now, paths); err != nil {
		return nil, nil, err
	}
	failed, err = d.addPresent(ctx, intent, stay, fileErrs)
	return stay, failed, errors.Join(err, d.StepDone("index"))
}

// ResumeDestroy continues an interrupted destroy. If it cannot finish, the intent
// stays and its memories remain forgotten until the next try.
func (s *workspaceState) ResumeDestroy(ctx context.Context, now time.Time, intent index.Intent) error {
	declarations, err := s.db.Declarations(ctx, intent.Destroy)
	if err != nil {
		return err
	}
	var texts []string
	for _, decl := range declarations {
		texts = append(texts, decl.Memory.Text)
	}
	s.updateHealth(func(h *health) { h.destroyErr = nil })
	d := destruction{workspaceState: s, now: now, contains: containsAny(texts), resumed: true, progress: func(memory.Progress) {}}
	_, err = d.run(context.WithoutCancel(ctx), intent)
	var known *memory.Error
	if errors.As(err, &known) {
		s.updateHealth(func(h *health) { h.destroyErr = cmp.Or(h.destroyErr, err) })
		return nil
	}
	return err
}
