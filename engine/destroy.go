package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/verify"
)

// destroy takes memories and every copy of their texts out of the files and of
// all that was made from them, and looks whether anything is left. Nothing can
// bring them back.
func (e *Engine) destroy(ctx context.Context, s *workspaceState, now time.Time, r memory.DecideRequest, ids []memory.ID) (memory.DecideAnswer, error) {
	a := memory.DecideAnswer{Action: r.Action, Preview: r.Preview, Unreachable: s.unreachablePlaces()}
	all, err := s.withCopies(ctx, ids)
	if err != nil {
		return a, err
	}
	texts := make([]string, len(all))
	for i, m := range all {
		texts[i] = m.Text
	}
	if a.Notices, err = s.sharedTextNotices(ctx, all, texts); err != nil {
		return a, err
	}
	if r.Preview {
		a.Changed = all
		return a, nil
	}
	in, err := s.destroyIntent(ctx, newPlan(now, r.Action, r.Source, false).Intent, all)
	if err != nil {
		return a, err
	}
	ctx = context.WithoutCancel(ctx) // once begun it is not interrupted
	if err := s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.BeginIntent(in) }); err != nil {
		return a, err
	}
	d := destruction{workspaceState: s, now: now, contains: containsAny(texts), progress: progressFunc(r)}
	notices, err := d.run(ctx, in)
	if err != nil {
		return a, err
	}
	a.Batch, a.Notices = in.Batch, append(a.Notices, notices...)
	for _, m := range all {
		m.Text = ""
		a.Changed = append(a.Changed, m)
	}
	scan, err := e.scanFiles(ctx, s, texts, d.progress)
	a.Scan = &scan
	return a, err
}

// unreachablePlaces is where a text may stand that no program of ours comes to.
func (s *workspaceState) unreachablePlaces() memory.List[string] {
	list := memory.List[string]{"git history", "other copies: checkouts, backups that others made, synchronised folders",
		"editors' backup files", "disk blocks that the file system has freed"}
	if at := s.currentEmbedder(); at != nil && at.Remote() {
		list = append(list, "what was sent to the embedding provider of "+at.Model())
	}
	return list
}

// withCopies are the memories named, and then every copy of their texts.
func (s *workspaceState) withCopies(ctx context.Context, ids []memory.ID) (all []memory.Memory, err error) {
	copies, err := s.db.Copies(ctx, ids)
	if err != nil {
		return nil, err
	}
	stances, err := s.db.Declarations(ctx, slices.Concat(ids, copies))
	for _, st := range stances {
		all = append(all, st.Memory)
	}
	return all, err
}

// sharedTextNotices says of which other memories the texts are a part: there they stay.
func (s *workspaceState) sharedTextNotices(ctx context.Context, condemned []memory.Memory, texts []string) (notices []string, err error) {
	ids := map[memory.ID]bool{}
	for _, m := range condemned {
		ids[m.ID] = true
	}
	t := verify.NewMatcher(texts...)
	for _, p := range []memory.Predicate{{Forgotten: memory.Include, Archive: true}, {Forgotten: memory.Include, Archive: true, Missing: memory.Only}} {
		others, _, err := s.db.List(ctx, p, "path", 0, 0)
		if err != nil {
			return nil, err
		}
		for _, m := range others {
			if !ids[m.ID] && t.Index([]byte(m.Text)) >= 0 {
				notices = append(notices, fmt.Sprintf("the same words are part of another memory, which stays: %s, %s:%d", m.ID.Short(), m.Path, m.LineStart))
			}
		}
	}
	return notices, nil
}

// containsAny tells of a text whether it says what one of some texts says.
func containsAny(texts []string) func(string) bool {
	t := verify.NewMatcher(texts...)
	return func(text string) bool { return t.Index([]byte(text)) >= 0 }
}

// destroyIntent is the intent: all that has to be known to carry it out, and no
// text. What cannot be carried out is refused here, with nothing changed.
func (s *workspaceState) destroyIntent(ctx context.Context, in index.Intent, all []memory.Memory) (index.Intent, error) {
	paths := map[string]bool{}
	for _, m := range all {
		in.Destroy = append(in.Destroy, m.ID)
		in.VectorKeys = append(in.VectorKeys, vectorKeysOf(m.Text)...)
		if !m.Forgotten {
			in.ForgetTexts = append(in.ForgetTexts, m.ID) // it leaves every answer at once
		}
		if !m.Missing {
			paths[m.Path] = true
		}
		in.Rows = append(in.Rows, memory.AuditRow{At: in.At, Action: in.Action, ID: m.ID, Source: in.Source, Batch: in.Batch,
			Old: map[string]any{"destroyed": false}, New: map[string]any{"destroyed": true}})
	}
	prints, err := s.db.VectorKeys(ctx, in.Destroy)
	if err != nil {
		return in, err
	}
	in.VectorKeys = append(in.VectorKeys, prints...)
	c, err := s.newRemover(ctx, in.Destroy)
	if err != nil {
		return in, err
	}
	for path := range c.entries {
		paths[path] = true
	}
	in.Paths = slices.Sorted(maps.Keys(paths))
	for _, path := range in.Paths {
		if err := c.check(path); err != nil {
			return in, err
		}
	}
	return in, nil
}

// vectorKeysOf are the keys that vectors of a text may be kept under, where its
// chunks are not there to ask: whole, in chunks, without who says it.
func vectorKeysOf(text string) (prints []string) {
	chunks := chunker.Chunks(text)
	for _, c := range chunks {
		prints = append(prints, c.Fingerprint.String())
	}
	if len(chunks) > 0 {
		if _, what, named := strings.Cut(chunks[0].Text, ": "); named {
			prints = append(prints, chunker.Fingerprint(what).String())
		}
	}
	return prints
}

// destruction carries one intent out, from wherever it was cut short.
type destruction struct {
	*workspaceState
	now      time.Time
	contains func(string) bool // whether a text says what one of the memories says
	resumed  bool              // by another process than began it
	progress func(memory.Progress)
}

// run takes the steps whose order makes every crash harmless: the files first,
// the tables when no file holds the texts, then what tables leave behind, then
// the copies of all of it; the intent goes last.
func (d *destruction) run(ctx context.Context, in index.Intent) (notices []string, err error) {
	var failed error
	if !in.TextsRemoved {
		if in, failed, err = d.removeTexts(ctx, in); err != nil {
			return nil, unfinishedDestroy(err)
		}
		if len(in.Destroy) == 0 {
			return nil, failed
		}
		if err := d.db.Update(ctx, d.now, func(tx *index.Tx) error { return tx.Destroy(in, d.contains) }); err != nil {
			return nil, unfinishedDestroy(err)
		}
	}
	for i, step := range []struct {
		name string
		run  func() error
	}{
		{"tables", func() error { return d.db.Scrub(ctx) }},
		{"sweep", func() (err error) { notices, err = d.purgeCopies(ctx); return err }},
		{"copies", func() error {
			return d.db.Update(ctx, d.now, func(tx *index.Tx) error { return tx.FinishDestroy(in) })
		}},
	} {
		d.progress(memory.Progress{Stage: "sweep", Done: i, Total: 3})
		if err := d.stepDone(step.name); err != nil {
			return notices, err
		}
		if err := step.run(); err != nil {
			return notices, unfinishedDestroy(err)
		}
	}
	d.updateHealth(func(h *health) { h.destroyErr = nil })
	return notices, failed
}

// unfinishedDestroy is what stopped a destroying that has begun, and how it goes on.
func unfinishedDestroy(err error) error {
	known := &memory.Error{Kind: memory.ErrUnavailable}
	errors.As(err, &known)
	return &memory.Error{Kind: known.Kind, Message: "the destroying has begun and is not finished", Cause: err,
		Hint: "it goes on with the next command that decides something, or the next start, once what is in the way is gone: memory verify says what is left"}
}

// removeTexts cuts the texts out of every file. Memories in a file that cannot be cut
// are left out of the intent, and are as they were; failed says why.
func (d *destruction) removeTexts(ctx context.Context, in index.Intent) (done index.Intent, failed, err error) {
	if err := d.stepDone("begin"); err != nil {
		return in, nil, err
	}
	c, err := d.newRemover(ctx, in.Destroy)
	if err != nil {
		return in, nil, err
	}
	bad := map[string]error{}
	for i, path := range in.Paths {
		if err := c.removeFrom(path); err != nil {
			bad[path] = err
		}
		d.progress(memory.Progress{Stage: "write", Done: i + 1, Total: len(in.Paths)})
		if err := d.stepDone("file"); err != nil {
			return in, nil, err
		}
	}
	done = in
	if len(bad) > 0 {
		if done, failed, err = d.excludeFailed(ctx, in, bad); err != nil {
			return in, nil, err
		}
	}
	if err := d.refreshPaths(ctx, d.now, in.Paths); err != nil {
		return in, nil, err
	}
	return done, failed, d.stepDone("index")
}

// excludeFailed leaves out of an intent what could not be cut, and notes what is left of
// it.
func (d *destruction) excludeFailed(ctx context.Context, in index.Intent, bad map[string]error) (done index.Intent, failed, err error) {
	done, spared, failed, err := d.splitDestroy(ctx, in, bad)
	if err != nil || d.resumed {
		return in, failed, errors.Join(err, failed) // it is tried again
	}
	return done, failed, d.db.Update(ctx, d.now, func(tx *index.Tx) error {
		if err := tx.AbandonIntent(spared); err != nil || len(done.Destroy) == 0 {
			return err
		}
		return tx.BeginIntent(done)
	})
}

// splitDestroy parts an intent by what could be cut and what not, and says why not.
func (s *workspaceState) splitDestroy(ctx context.Context, in index.Intent, bad map[string]error) (done, spared index.Intent, failed, err error) {
	for _, path := range slices.Sorted(maps.Keys(bad)) {
		failed = errors.Join(failed, bad[path])
	}
	stances, err := s.db.Declarations(ctx, in.Destroy)
	if err != nil {
		return in, spared, failed, err
	}
	kept := map[memory.ID]bool{}
	for _, st := range stances {
		for path := range bad {
			kept[st.Memory.ID] = kept[st.Memory.ID] || st.Memory.Path == path && !st.Memory.Missing ||
				slices.ContainsFunc(st.Entries, func(l index.FileEntry) bool { return l.Path == path })
		}
	}
	all := !slices.Contains(slices.Collect(maps.Values(kept)), true) // nobody knows whose they are
	isKept := func(id memory.ID) bool { return all || kept[id] }
	isCut := func(id memory.ID) bool { return !isKept(id) }
	done, spared = in, in
	done.Destroy, spared.Destroy = dropIDs(in.Destroy, isKept), dropIDs(in.Destroy, isCut)
	done.ForgetTexts, spared.ForgetTexts = dropIDs(in.ForgetTexts, isKept), dropIDs(in.ForgetTexts, isCut)
	done.Rows = slices.DeleteFunc(slices.Clone(in.Rows), func(r memory.AuditRow) bool { return isKept(r.ID) })
	if n := len(spared.Destroy); n < len(in.Destroy) {
		failed = fmt.Errorf("%d of %d memories were not destroyed: %w", n, len(in.Destroy), failed)
	}
	return done, spared, failed, nil
}

func dropIDs(ids []memory.ID, drop func(memory.ID) bool) []memory.ID {
	return slices.DeleteFunc(slices.Clone(ids), drop)
}

// resumeDestroy goes on with what was cut short. What is in the way leaves it
// open, and its memories forgotten, until the next time.
func (s *workspaceState) resumeDestroy(ctx context.Context, now time.Time, in index.Intent) error {
	stances, err := s.db.Declarations(ctx, in.Destroy)
	if err != nil {
		return err
	}
	var texts []string
	for _, st := range stances {
		texts = append(texts, st.Memory.Text)
	}
	d := destruction{workspaceState: s, now: now, contains: containsAny(texts), resumed: true, progress: func(memory.Progress) {}}
	_, err = d.run(context.WithoutCancel(ctx), in)
	var known *memory.Error
	if errors.As(err, &known) {
		s.updateHealth(func(h *health) { h.destroyErr = err })
		return nil
	}
	return err
}
