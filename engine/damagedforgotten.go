package engine

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

// damagedForgottenNotices reports the lists of forgotten texts that were damaged together
// with the database. A person deletes such a file after having looked.
func (s *workspaceState) damagedForgottenNotices() (notices []string) {
	for _, aside := range s.db.DamagedForgotten() {
		notices = append(notices, fmt.Sprintf("the list of forgotten texts was damaged together with the index, and is now %s: "+
			"texts that were forgotten after the last backup may be visible again, if no line in a file forgets them", aside))
	}
	return notices
}

// findDamagedForgotten finds lists of forgotten texts that were set aside.
func findDamagedForgotten(_ context.Context, s *workspaceState) (findings []memory.Finding, err error) {
	for _, notice := range s.damagedForgottenNotices() {
		findings = append(findings, memory.Finding{Severity: memory.SeverityError, Message: notice,
			Fix: fmt.Sprintf("forget them again, or put a copy of %s from a backup of yours in its place while no service runs; then delete the damaged file",
				filepath.Base(index.ForgottenFile(s.DBPath)))})
	}
	return findings, nil
}
