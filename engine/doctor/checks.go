// Package doctor runs checks, mends what they find, and reports what is left. It has the
// checks of the state folder; those of a workspace come from its caller.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/memory-tiered/memory"
)

// FixCommand mends what Doctor can mend.
const FixCommand = "memory doctor --fix"

// Check is one check of the doctor.
type Check struct {
	Name      string // as the answer lists it
	Workspace string // empty: it is about the state folder
	Find      func(context.Context) ([]memory.Finding, error)
	Mend      func(context.Context) error // nil: a person has to decide
}

// Run looks for problems. With fix it mends what needs no decision of a person, and
// looks again. progress may be nil.
func Run(ctx context.Context, checks []Check, fix bool, progress func(memory.Progress)) (memory.DoctorAnswer, error) {
	answer := memory.DoctorAnswer{OK: true}
	for i, c := range checks {
		if progress != nil {
			progress(memory.Progress{Stage: "check", Done: i, Total: len(checks)})
		}
		findings := c.run(ctx, fix)
		if err := ctx.Err(); err != nil {
			return answer, err
		}
		answer.Add(findings...)
		if !slices.Contains(answer.Checked, c.Name) {
			answer.Checked = append(answer.Checked, c.Name)
		}
	}
	return answer, nil
}

// run looks for problems. With fix it mends them, and returns which ones remain.
func (c Check) run(ctx context.Context, fix bool) []memory.Finding {
	findings := c.findNamed(ctx)
	if !fix || len(findings) == 0 || c.Mend == nil {
		return findings
	}
	err := c.Mend(ctx)
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
func (c Check) findNamed(ctx context.Context) []memory.Finding {
	findings, err := c.Find(ctx)
	if err != nil {
		fix := "memory status"
		if known := (*memory.Error)(nil); errors.As(err, &known) && known.Hint != "" {
			fix = known.Hint
		}
		findings = append(findings, memory.Finding{Severity: memory.SeverityError, Message: fmt.Sprintf("the check failed: %v", err), Fix: fix})
	}
	for i := range findings {
		f := &findings[i]
		f.Workspace = c.Workspace
		if f.Check == "" {
			f.Check = c.Name
		}
		if f.Fix == "" {
			f.Fix = FixCommand
		}
	}
	return findings
}

// FindingOf returns an error as the only finding, or none without an error.
func FindingOf(err error, message, fix string) []memory.Finding {
	if err == nil {
		return nil
	}
	return []memory.Finding{{Severity: memory.SeverityError, Message: message + ": " + err.Error(), Fix: fix}}
}
