package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine/ageing"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/engine/doctor"
	"github.com/memory-tiered/memory/index"
)

// workspaceChecks are the checks of one workspace, in the order in which they mend. A
// repair replaces the workspace, so each step looks it up.
func (e *Engine) workspaceChecks(name string) []doctor.Check {
	served := func(find func(context.Context, *workspaceState) ([]memory.Finding, error)) func(context.Context) ([]memory.Finding, error) {
		return func(ctx context.Context) ([]memory.Finding, error) {
			if s, err := e.lookup(name); err == nil {
				return find(ctx, s)
			}
			return nil, nil // the check "workspace" reports it
		}
	}
	alone := func(mend func(context.Context, *workspaceState, time.Time) error) func(context.Context) error {
		return func(ctx context.Context) error {
			s, err := e.lookup(name)
			if err != nil {
				return err
			}
			unlock, err := s.lockIngest(ctx)
			if err != nil {
				return err
			}
			defer unlock()
			return mend(ctx, s, e.now())
		}
	}
	rebuild := func(force bool) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := e.Index(ctx, memory.IndexRequest{Workspace: name, Force: force}, nil)
			return err
		}
	}
	return []doctor.Check{
		{Name: "workspace", Workspace: name, Find: func(ctx context.Context) ([]memory.Finding, error) { return e.findUnserved(ctx, name) },
			Mend: func(ctx context.Context) error { return e.reopen(ctx, name) }},
		{Name: "database", Workspace: name, Find: served(findDamage), Mend: rebuild(true)},
		{Name: "index", Workspace: name, Find: served(e.findBehind), Mend: rebuild(false)},
		{Name: "decisions", Workspace: name, Find: served(e.findUnwritten), Mend: alone(mendUnwritten)},
		{Name: "forgotten", Workspace: name, Find: served(findDamagedForgotten)},
		{Name: "quotes", Workspace: name, Find: served(findStaleQuotes), Mend: alone(mendQuotes)},
		{Name: "embedding", Workspace: name, Find: served(e.findUnembedded), Mend: func(ctx context.Context) error { return e.mendUnembedded(ctx, name) }},
		{Name: "backup", Workspace: name, Find: served(e.findOldBackup), Mend: func(ctx context.Context) error { return e.mendBackup(ctx, name) }},
		{Name: "faults", Workspace: name, Find: served(findFaults)},
		{Name: "superseded", Workspace: name, Find: served(findSuccessorMistakes)},
		{Name: "ageing", Workspace: name, Find: served(e.findHeld)},
	}
}

// findUnserved finds a workspace that cannot be served, or whose folder cannot be read
// or written.
func (e *Engine) findUnserved(_ context.Context, name string) ([]memory.Finding, error) {
	s, err := e.lookup(name)
	problem := func(err error, fix string) ([]memory.Finding, error) {
		if known := (*memory.Error)(nil); errors.As(err, &known) && known.Hint != "" {
			fix = known.Hint
		}
		return []memory.Finding{{Severity: memory.SeverityError, Message: err.Error(), Fix: fix}}, nil
	}
	if err != nil {
		return problem(err, doctor.FixCommand)
	}
	if s.isDiskFull() {
		return problem(fmt.Errorf("nothing can be written, and the index answers as it is: %w", s.diskFull), "make room on the disk")
	}
	folder, err := s.openFolder()
	if err == nil {
		err = folder.Check()
	}
	if err != nil {
		return problem(err, "make the folder readable, or memory workspace remove "+name)
	}
	return nil, nil
}

// reopen builds a database again that was damaged or removed.
func (e *Engine) reopen(ctx context.Context, name string) error {
	for _, s := range e.sortedWorkspaces() {
		if s.Name == name && s.needsRepair() {
			_, err := e.repair(ctx, s, e.now())
			return err
		}
	}
	return nil
}

// findDamage checks a copy of the database. Each kind of damage is a check of its own.
func findDamage(ctx context.Context, s *workspaceState) (findings []memory.Finding, err error) {
	if damaged := doctor.FindingOf(s.db.Damage(), "the database is damaged", "memory index --force"); damaged != nil {
		return damaged, nil
	}
	problems, err := s.db.Diagnose(ctx)
	for _, p := range problems {
		findings = append(findings, memory.Finding{Check: p.Check, Severity: memory.SeverityError, Message: p.Err.Error(), Fix: "memory index --force"})
	}
	return findings, err
}

// maxBehind is how long a service takes at most to index a change.
const maxBehind = time.Minute

// findBehind finds changes on the disk that are known and not indexed.
func (e *Engine) findBehind(ctx context.Context, s *workspaceState) ([]memory.Finding, error) {
	h := s.currentHealth()
	if !h.scannedAll && h.scanErr == nil && h.indexing == nil { // no service does
		n, err := s.countChanged(ctx)
		if err != nil {
			return doctor.FindingOf(err, "the files could not be read", "memory index"), nil
		}
		if n > 0 {
			return []memory.Finding{{Severity: memory.SeverityWarning, Message: fmt.Sprintf("%d changed files are not indexed yet", n), Fix: "memory index -w " + s.Name}}, nil
		}
	}
	if unread := doctor.FindingOf(h.scanErr, "the files could not be read", "memory index"); unread != nil {
		return unread, nil
	}
	if h.behind > 0 && h.indexing == nil && e.now().Sub(h.scannedAt) > maxBehind {
		return []memory.Finding{{Severity: memory.SeverityWarning, Message: fmt.Sprintf("%d changed files are not indexed yet", h.behind), Fix: "memory index"}}, nil
	}
	return nil, nil
}

// countChanged counts the files whose bytes are not the indexed ones: new, changed and
// deleted ones.
func (s *workspaceState) countChanged(ctx context.Context) (n int, err error) {
	folder, err := s.openFolder()
	if err != nil {
		return 0, err
	}
	found, err := folder.Walk(ctx)
	if err != nil {
		return 0, err
	}
	indexed, err := s.db.Files(ctx)
	if err != nil {
		return 0, err
	}
	gone := map[string]bool{}
	for _, f := range indexed {
		gone[f.Path] = true
	}
	var paths []string
	for _, f := range found.Files {
		delete(gone, f.Path)
		paths = append(paths, f.Path)
	}
	changed, err := s.changedSinceIndexed(ctx, folder, paths)
	return len(changed) + len(gone), err
}

// findUnwritten finds decisions that are interrupted, or not in the file that they
// belong to.
func (e *Engine) findUnwritten(ctx context.Context, s *workspaceState) (findings []memory.Finding, err error) {
	add := func(severity memory.Severity, message string) {
		if message != "" {
			findings = append(findings, memory.Finding{Severity: severity, Message: message})
		}
	}
	unlock, err := s.lockIngest(ctx) // a running decision is not interrupted
	if err != nil {
		return nil, err
	}
	defer unlock()
	open, err := s.db.Intents(ctx)
	if err != nil {
		return nil, err
	}
	if len(open) > 0 {
		add(memory.SeverityError, fmt.Sprintf("%d decisions were interrupted and are not finished", len(open)))
	}
	_, pending, err := s.decisions.PendingNotice(ctx, e.now())
	if err != nil {
		return nil, err
	}
	add(memory.SeverityWarning, pending)
	misplaced, err := s.decisions.MisplacedNotice(ctx)
	if err != nil {
		return nil, err
	}
	add(memory.SeverityWarning, misplaced)
	revoked, err := s.db.RevokedEntries(ctx)
	if len(revoked) > 0 {
		add(memory.SeverityWarning, fmt.Sprintf("files returned with lines that forget %d memories restored meanwhile", len(revoked)))
	}
	return findings, err
}

// mendUnwritten finishes interrupted decisions and writes the lines where they belong.
func mendUnwritten(ctx context.Context, s *workspaceState, now time.Time) error {
	if s.Options.ReadOnly {
		return decisions.ReadOnlyError(s.Name, memory.ErrConflict)
	}
	if err := s.decisions.FinishIntents(ctx, now, true); err != nil {
		return err
	}
	_, err := s.decisions.WritePending(ctx, now)
	for _, step := range []func(context.Context, time.Time) []string{s.decisions.RelocateEntries, s.decisions.RemoveRevoked, s.decisions.RestoreDecisionsFile} {
		step(ctx, now) // what it could not do is found again
	}
	return err
}

// findStaleQuotes finds entries whose texts were edited since. In a new index, such an
// entry may match no memory.
func findStaleQuotes(ctx context.Context, s *workspaceState) ([]memory.Finding, error) {
	n := 0
	err := s.db.VisitQuotes(ctx, nil, func(q index.Quoted) {
		if decisions.IsStale(q.Quote, q.Text) {
			n++
		}
	})
	if n == 0 || err != nil {
		return nil, err
	}
	return []memory.Finding{{Severity: memory.SeverityWarning, Message: fmt.Sprintf("the quotes of %d decisions are older than their texts", n)}}, nil
}

// mendQuotes writes the present quotes of all entries whose texts were edited.
func mendQuotes(ctx context.Context, s *workspaceState, now time.Time) error {
	if s.Options.ReadOnly {
		return decisions.ReadOnlyError(s.Name, memory.ErrConflict)
	}
	return s.decisions.RefreshAllQuotes(ctx, now)
}

// findUnembedded finds texts without a vector, which vector search does not find.
func (e *Engine) findUnembedded(ctx context.Context, s *workspaceState) ([]memory.Finding, error) {
	stats, err := s.models.Stats(ctx, e.options().Provider, e.options().Hold != nil)
	switch {
	case err != nil:
		return nil, err
	case stats.Error == "" && stats.Next != nil && stats.Next.Error != "":
		return []memory.Finding{{Severity: memory.SeverityWarning, Message: "the change to " + stats.Next.Model + " does not continue: " + stats.Next.Error, Fix: doctor.FixCommand}}, nil
	case stats.Error == "" && (stats.Pending == 0 || e.daemon != nil): // a service fills them in the background
		return nil, nil
	}
	if stats.Pending == 0 { // all have one, and another model answers questions
		return []memory.Finding{{Severity: memory.SeverityWarning, Message: stats.Error, Fix: doctor.FixCommand}}, nil
	}
	message := fmt.Sprintf("%d texts have no vector", stats.Pending)
	if stats.Error != "" {
		message += ": " + stats.Error
	}
	return []memory.Finding{{Severity: memory.SeverityWarning, Message: message, Fix: "memory index"}}, nil
}

// mendEmbedLimit bounds how long the doctor waits for vectors, or for a model to load.
const mendEmbedLimit = time.Minute

func (e *Engine) mendUnembedded(ctx context.Context, name string) error {
	s, err := e.lookup(name)
	if err != nil {
		return err
	}
	if _, err = s.models.EmbedPending(ctx, e.now(), mendEmbedLimit, func(memory.Progress) {}); err != nil {
		return err
	}
	l, loadable := s.models.Embedder().(embed.Loadable)
	if !loadable || l.Failure() == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, mendEmbedLimit)
	defer cancel()
	return l.Load(ctx)
}

// findFaults lists the mistakes in files that a person has to correct.
func findFaults(ctx context.Context, s *workspaceState) (findings []memory.Finding, err error) {
	faults, err := s.faults(ctx)
	for _, f := range faults {
		place := f.Path
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d", f.Path, f.Line)
		}
		findings = append(findings, memory.Finding{Severity: memory.SeverityWarning, Message: place + ": " + f.Message, Fix: "edit " + place})
	}
	return findings, err
}

func findSuccessorMistakes(ctx context.Context, s *workspaceState) (findings []memory.Finding, err error) {
	notices, err := s.succession.Notices(ctx)
	for _, notice := range notices {
		findings = append(findings, memory.Finding{Severity: memory.SeverityWarning, Message: notice, Fix: "correct superseded_by in these lines"})
	}
	return findings, err
}

// findHeld reports that no memory ages, because the clock is not believed or a sweep
// would move too much.
func (e *Engine) findHeld(ctx context.Context, s *workspaceState) ([]memory.Finding, error) {
	state, err := s.db.SweepState(ctx)
	if err != nil {
		return nil, err
	}
	if held := ageing.HeldReason(state, e.now()); held != nil {
		return []memory.Finding{{Severity: memory.SeverityWarning, Message: "no memory ages: " + *held, Fix: "memory decay run --yes"}}, nil
	}
	return nil, nil
}
