package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
)

// fixCommand mends what Doctor can mend.
const fixCommand = "memory doctor --fix"

// check is one check of the doctor.
type check struct {
	name      string
	workspace string
	find      func(context.Context) ([]memory.Finding, error)
	mend      func(context.Context) error // nil: a person has to decide
}

// Doctor looks for what is wrong with the state folder and the workspaces. Without Fix
// it changes nothing. With Fix it mends what needs no decision of a person, and looks
// again. progress may be nil.
func (e *Engine) Doctor(ctx context.Context, r memory.DoctorRequest, progress func(memory.Progress)) (memory.DoctorAnswer, error) {
	answer := memory.DoctorAnswer{OK: true}
	if r.Fix {
		if err := e.refuseWhenReadOnly(); err != nil {
			return answer, err
		}
	}
	names, err := e.namesToCheck(r.Workspace)
	if err != nil {
		return answer, err
	}
	checks := e.stateChecks()
	for _, name := range names {
		checks = append(checks, e.workspaceChecks(name)...)
	}
	for i, c := range checks {
		if progress != nil {
			progress(memory.Progress{Stage: "check", Done: i, Total: len(checks)})
		}
		findings := c.run(ctx, r.Fix)
		if err := ctx.Err(); err != nil {
			return answer, err
		}
		answer.Add(findings...)
		if !slices.Contains(answer.Checked, c.name) {
			answer.Checked = append(answer.Checked, c.name)
		}
	}
	return answer, nil
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

// run looks for problems. With fix it mends them, and returns which ones remain.
func (c check) run(ctx context.Context, fix bool) []memory.Finding {
	findings := c.findNamed(ctx)
	if !fix || len(findings) == 0 || c.mend == nil {
		return findings
	}
	err := c.mend(ctx)
	left := c.findNamed(ctx)
	for i, f := range findings {
		findings[i].Fixed = !slices.ContainsFunc(left, func(l memory.Finding) bool { return l.Check == f.Check })
		if !findings[i].Fixed && err != nil {
			findings[i].Message += fmt.Sprintf(" (not mended: %v)", err)
		}
	}
	for _, l := range left {
		if !slices.ContainsFunc(findings, func(f memory.Finding) bool { return f.Check == l.Check }) {
			findings = append(findings, l)
		}
	}
	return findings
}

// findNamed completes the findings. A check that fails is a finding too.
func (c check) findNamed(ctx context.Context) []memory.Finding {
	findings, err := c.find(ctx)
	if err != nil {
		findings = append(findings, memory.Finding{Severity: memory.SeverityError, Message: fmt.Sprintf("the check failed: %v", err), Fix: "memory status"})
	}
	for i := range findings {
		f := &findings[i]
		f.Workspace = c.workspace
		if f.Check == "" {
			f.Check = c.name
		}
		if f.Fix == "" {
			f.Fix = fixCommand
		}
	}
	return findings
}

// findingOf returns an error as the only finding, or none without an error.
func findingOf(err error, message, fix string) []memory.Finding {
	if err == nil {
		return nil
	}
	return []memory.Finding{{Severity: memory.SeverityError, Message: message + ": " + err.Error(), Fix: fix}}
}
