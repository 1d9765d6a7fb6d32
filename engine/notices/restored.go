package notices

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

const (
	// restoredNoticeAge is how long status reports a restore that a file made. A
	// person looks at status within a week of a git stash.
	restoredNoticeAge = 7 * 24 * time.Hour
	// maxNamedRestored is how many memories such a notice names.
	maxNamedRestored = 20
)

// restored reports, for each file, the memories that it restored because it
// lost their lines. A program may have removed these lines by accident.
func (s Sources) restored(ctx context.Context, now time.Time) (notices []string, err error) {
	rows, err := s.DB.RestoredByFiles(ctx, now.Add(-restoredNoticeAge))
	if err != nil {
		return nil, err
	}
	var files []string
	byFile, latest := map[string][]memory.ID{}, map[string]time.Time{}
	for _, r := range rows {
		if byFile[r.File] == nil {
			files, latest[r.File] = append(files, r.File), r.At
		}
		byFile[r.File] = append(byFile[r.File], r.ID)
	}
	for _, file := range files {
		ids := byFile[file]
		var names []string
		for _, id := range ids[:min(len(ids), maxNamedRestored)] {
			names = append(names, id.Short())
		}
		text := fmt.Sprintf("%d memories were restored because their lines were removed from %s at %s; if that was an accident: memory forget %s",
			len(ids), file, latest[file].In(s.Zone).Format("2006-01-02 15:04"), strings.Join(names, " "))
		if more := len(ids) - len(names); more > 0 {
			text += fmt.Sprintf(" (and %d more, see memory audit --action restore)", more)
		}
		notices = append(notices, text)
	}
	return notices, nil
}
