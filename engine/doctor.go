package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/doctor"
)

// Doctor looks for what is wrong with the state folder and the workspaces. Without Fix
// it changes nothing. With Fix it mends what needs no decision of a person, and looks
// again. progress may be nil.
func (e *Engine) Doctor(ctx context.Context, r memory.DoctorRequest, progress func(memory.Progress)) (memory.DoctorAnswer, error) {
	if r.Fix {
		if err := e.refuseWhenReadOnly(); err != nil {
			return memory.DoctorAnswer{OK: true}, err
		}
	}
	names, err := e.namesToCheck(r.Workspace)
	if err != nil {
		return memory.DoctorAnswer{OK: true}, err
	}
	options := e.options()
	state := doctor.StateFolder{Dir: options.StateDir, ReadOnly: options.ReadOnly, Daemon: e.daemon}
	checks := state.Checks()
	for _, name := range names {
		checks = append(checks, e.workspaceChecks(name)...)
	}
	return doctor.Run(ctx, checks, r.Fix, progress)
}

// namesToCheck returns the workspaces of a request, also those that cannot be opened.
func (e *Engine) namesToCheck(name string) (names []string, err error) {
	for _, s := range e.sortedWorkspaces() {
		if name == "" || s.Name == name {
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 && name != "" {
		_, err = e.lookup(name)
	}
	return names, err
}

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
	of := func(find func(doctor.Index, context.Context) ([]memory.Finding, error)) func(context.Context) ([]memory.Finding, error) {
		return served(func(ctx context.Context, s *workspaceState) ([]memory.Finding, error) {
			return find(s.checked(e.now()), ctx)
		})
	}
	alone := func(mend func(doctor.Index, context.Context) error) func(context.Context) error {
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
			return mend(s.checked(e.now()), ctx)
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
		{Name: "database", Workspace: name, Find: of(doctor.Index.Damage), Mend: rebuild(true)},
		{Name: "index", Workspace: name, Find: served(e.findBehind), Mend: rebuild(false)},
		{Name: "decisions", Workspace: name, Find: of(doctor.Index.Unwritten), Mend: alone(doctor.Index.MendUnwritten)},
		{Name: "forgotten", Workspace: name, Find: of(doctor.Index.DamagedForgotten)},
		{Name: "embedding", Workspace: name, Find: served(e.findUnembedded), Mend: func(ctx context.Context) error { return e.mendUnembedded(ctx, name) }},
		{Name: "backup", Workspace: name, Find: served(e.findOldBackup), Mend: func(ctx context.Context) error { return e.mendBackup(ctx, name) }},
		{Name: "faults", Workspace: name, Find: served(findFaults)},
		{Name: "superseded", Workspace: name, Find: of(doctor.Index.SuccessorMistakes)},
		{Name: "ageing", Workspace: name, Find: of(doctor.Index.Held)},
	}
}

// checked returns the index of a workspace for its checks.
func (s *workspaceState) checked(now time.Time) doctor.Index {
	return doctor.Index{Executor: s.plans, Path: s.DBPath, Now: now, Lock: s.lockIngest}
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
	if s.unwritable != nil && !s.isReader() {
		return problem(fmt.Errorf("nothing can be written, and the index answers as it is: %w", s.unwritable), "make room on the disk")
	}
	folder, err := s.openFolder()
	if err == nil {
		err = folder.Check()
	}
	if err != nil {
		return problem(err, "make the folder readable, or memory workspace remove "+name)
	}
	return doctor.ReadOnlyFolder(folder.Workspace, name), nil
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

func (e *Engine) findUnembedded(ctx context.Context, s *workspaceState) ([]memory.Finding, error) {
	return s.models.Findings(ctx, e.options().Provider, e.daemon != nil, e.options().Hold != nil)
}

func (e *Engine) mendUnembedded(ctx context.Context, name string) error {
	s, err := e.lookup(name)
	if err != nil {
		return err
	}
	return s.models.Mend(ctx, e.now())
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
