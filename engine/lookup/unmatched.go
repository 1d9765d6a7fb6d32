package lookup

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/glob"
)

// Unmatched returns the patterns that match no indexed file.
func Unmatched(ctx context.Context, db *index.DB, patterns []string) (list []string, err error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	files, err := db.Files(ctx)
	for _, pattern := range patterns {
		compiled := glob.Compile(pattern)
		if !slices.ContainsFunc(files, func(f memory.FileState) bool { return compiled.Match(f.Path) }) {
			list = append(list, pattern)
		}
	}
	return list, err
}
