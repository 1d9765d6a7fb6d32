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

// destroy removes memories and every copy of their texts from the files, the index
// and the backups. It then scans for what is left. It cannot be undone.
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
	intent, err := s.destroyIntent(ctx, newPlan(now, r.Action, r.Source, false).Intent, all)
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
	scan, err := e.scanFiles(ctx, s, texts, d.progress)
	a.Scan = &scan
	return a, err
}

// unreachablePlaces lists where a text may exist that the program cannot reach.
func (s *workspaceState) unreachablePlaces() memory.List[string] {
	list := memory.List[string]{"git history", "other copies: checkouts, backups by other programs, synchronised folders",
		"editors' backup files", "freed disk blocks"}
	if embedder := s.currentEmbedder(); embedder != nil && embedder.Remote() {
		list = append(list, "what was sent to the embedding provider of "+embedder.Model())
	}
	return list
}

// withCopies returns the memories with these ids, then every copy of their texts.
func (s *workspaceState) withCopies(ctx context.Context, ids []memory.ID) (all []memory.Memory, err error) {
	copies, err := s.db.Copies(ctx, ids)
	if err != nil {
		return nil, err
	}
	declarations, err := s.db.Declarations(ctx, slices.Concat(ids, copies))
	for _, decl := range declarations {
		all = append(all, decl.Memory)
	}
	return all, err
}

// sharedTextNotices reports other memories that contain one of the texts. They
// stay.
func (s *workspaceState) sharedTextNotices(ctx context.Context, destroyed []memory.Memory, texts []string) (notices []string, err error) {
	ids := map[memory.ID]bool{}
	for _, m := range destroyed {
		ids[m.ID] = true
	}
	matcher := verify.NewMatcher(texts...)
	for _, p := range []memory.Predicate{{Forgotten: memory.Include, Archive: true}, {Forgotten: memory.Include, Archive: true, Missing: memory.Only}} {
		memories, _, err := s.db.List(ctx, p, "path", 0, 0)
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
		intent.VectorKeys = append(intent.VectorKeys, vectorKeysOf(m.Text)...)
		if !m.Forgotten {
			intent.ForgetTexts = append(intent.ForgetTexts, m.ID) // hides it from every answer at once
		}
		if !m.Missing {
			paths[m.Path] = true
		}
		intent.Rows = append(intent.Rows, memory.AuditRow{At: intent.At, Action: intent.Action, ID: m.ID, Source: intent.Source, Batch: intent.Batch,
			Old: map[string]any{"destroyed": false}, New: map[string]any{"destroyed": true}})
	}
	keys, err := s.db.VectorKeys(ctx, intent.Destroy)
	if err != nil {
		return intent, err
	}
	intent.VectorKeys = append(intent.VectorKeys, keys...)
	r, err := s.newRemover(ctx, intent.Destroy)
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

// vectorKeysOf returns the keys under which vectors of a text may be cached, for
// texts whose chunks are no longer indexed. They are the fingerprints of its chunks,
// and of the first chunk without its speaker.
func vectorKeysOf(text string) (keys []string) {
	chunks := chunker.Chunks(text)
	for _, c := range chunks {
		keys = append(keys, c.Fingerprint.String())
	}
	if len(chunks) > 0 {
		if _, rest, hasSpeaker := strings.Cut(chunks[0].Text, ": "); hasSpeaker {
			keys = append(keys, chunker.Fingerprint(rest).String())
		}
	}
	return keys
}

// destruction carries out one intent, from whatever step an earlier run reached.
type destruction struct {
	*workspaceState
	now      time.Time
	contains func(string) bool // reports whether a text contains one of the destroyed texts
	resumed  bool              // another process began it
	progress func(memory.Progress)
}

// run takes the steps in an order that makes every crash harmless. First come the
// files; then the tables, when no file has the texts; then the free pages and
// copies of the tables. The intent goes last.
func (d *destruction) run(ctx context.Context, intent index.Intent) (notices []string, err error) {
	var failed error
	if !intent.TextsRemoved {
		if intent, failed, err = d.removeTexts(ctx, intent); err != nil {
			return nil, unfinishedDestroy(err)
		}
		if len(intent.Destroy) == 0 {
			return nil, failed
		}
		if err := d.db.Update(ctx, d.now, func(tx *index.Tx) error { return tx.Destroy(intent, d.contains) }); err != nil {
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
			return d.db.Update(ctx, d.now, func(tx *index.Tx) error { return tx.FinishDestroy(intent) })
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

// unfinishedDestroy returns the error of an interrupted destroy, with a hint about
// how it continues.
func unfinishedDestroy(err error) error {
	known := &memory.Error{Kind: memory.ErrUnavailable}
	errors.As(err, &known)
	return &memory.Error{Kind: known.Kind, Message: "destroy has begun and is not finished", Cause: err,
		Hint: "remove the cause; destroy then continues with the next decision or the next start, and memory verify lists what is left"}
}

// removeTexts removes the texts from every file. If a file cannot be edited, its
// memories are excluded from the intent and stay as they were, and failed has the
// reason.
func (d *destruction) removeTexts(ctx context.Context, intent index.Intent) (done index.Intent, failed, err error) {
	if err := d.stepDone("begin"); err != nil {
		return intent, nil, err
	}
	r, err := d.newRemover(ctx, intent.Destroy)
	if err != nil {
		return intent, nil, err
	}
	fileErrs := map[string]error{}
	for i, path := range intent.Paths {
		if err := r.removeFrom(path); err != nil {
			fileErrs[path] = err
		}
		d.progress(memory.Progress{Stage: "write", Done: i + 1, Total: len(intent.Paths)})
		if err := d.stepDone("file"); err != nil {
			return intent, nil, err
		}
	}
	done = intent
	if len(fileErrs) > 0 {
		if done, failed, err = d.excludeFailed(ctx, intent, fileErrs); err != nil {
			return intent, nil, err
		}
	}
	if err := d.refreshPaths(ctx, d.now, intent.Paths); err != nil {
		return intent, nil, err
	}
	return done, failed, d.stepDone("index")
}

// excludeFailed removes from an intent the memories whose files could not be
// edited, and records the smaller intent.
func (d *destruction) excludeFailed(ctx context.Context, intent index.Intent, fileErrs map[string]error) (done index.Intent, failed, err error) {
	done, excluded, failed, err := d.splitDestroy(ctx, intent, fileErrs)
	if err != nil || d.resumed {
		return intent, failed, errors.Join(err, failed) // a later run tries again
	}
	return done, failed, d.db.Update(ctx, d.now, func(tx *index.Tx) error {
		if err := tx.AbandonIntent(excluded); err != nil || len(done.Destroy) == 0 {
			return err
		}
		return tx.BeginIntent(done)
	})
}

// splitDestroy divides an intent into memories whose texts were removed and others,
// with the reason for these.
func (s *workspaceState) splitDestroy(ctx context.Context, intent index.Intent, fileErrs map[string]error) (done, excluded index.Intent, failed, err error) {
	for _, path := range slices.Sorted(maps.Keys(fileErrs)) {
		failed = errors.Join(failed, fileErrs[path])
	}
	declarations, err := s.db.Declarations(ctx, intent.Destroy)
	if err != nil {
		return intent, excluded, failed, err
	}
	keep := map[memory.ID]bool{}
	for _, decl := range declarations {
		for path := range fileErrs {
			keep[decl.Memory.ID] = keep[decl.Memory.ID] || decl.Memory.Path == path && !decl.Memory.Missing ||
				slices.ContainsFunc(decl.Entries, func(entry index.FileEntry) bool { return entry.Path == path })
		}
	}
	all := !slices.Contains(slices.Collect(maps.Values(keep)), true) // no memory is known for these files
	isKept := func(id memory.ID) bool { return all || keep[id] }
	isDone := func(id memory.ID) bool { return !isKept(id) }
	done, excluded = intent, intent
	done.Destroy, excluded.Destroy = dropIDs(intent.Destroy, isKept), dropIDs(intent.Destroy, isDone)
	done.ForgetTexts, excluded.ForgetTexts = dropIDs(intent.ForgetTexts, isKept), dropIDs(intent.ForgetTexts, isDone)
	done.Rows = slices.DeleteFunc(slices.Clone(intent.Rows), func(r memory.AuditRow) bool { return isKept(r.ID) })
	if n := len(excluded.Destroy); n < len(intent.Destroy) {
		failed = fmt.Errorf("%d of %d memories were not destroyed: %w", n, len(intent.Destroy), failed)
	}
	return done, excluded, failed, nil
}

func dropIDs(ids []memory.ID, drop func(memory.ID) bool) []memory.ID {
	return slices.DeleteFunc(slices.Clone(ids), drop)
}

// resumeDestroy continues an interrupted destroy. If it cannot finish, the intent
// stays and its memories remain forgotten until the next try.
func (s *workspaceState) resumeDestroy(ctx context.Context, now time.Time, intent index.Intent) error {
	declarations, err := s.db.Declarations(ctx, intent.Destroy)
	if err != nil {
		return err
	}
	var texts []string
	for _, decl := range declarations {
		texts = append(texts, decl.Memory.Text)
	}
	d := destruction{workspaceState: s, now: now, contains: containsAny(texts), resumed: true, progress: func(memory.Progress) {}}
	_, err = d.run(context.WithoutCancel(ctx), intent)
	var known *memory.Error
	if errors.As(err, &known) {
		s.updateHealth(func(h *health) { h.destroyErr = err })
		return nil
	}
	return err
}
