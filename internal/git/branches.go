package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"time"
)

// maxSearch bounds the time for a search in the history of a folder.
const maxSearch = 10 * time.Second

// OnlyElsewhere reports whether only other branches have had a line that matches, in a
// file or folder. A stash counts as a branch. Such a line is absent because of the branch
// that is checked out, and not because a person deleted it.
func OnlyElsewhere(ctx context.Context, dir, name string, matches func(line string) bool) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, maxSearch)
	defer cancel()
	elsewhere, err := adds(ctx, dir, name, matches, "--all", "--not", "HEAD")
	if err != nil || !elsewhere {
		return false, err
	}
	here, err := adds(ctx, dir, name, matches, "HEAD")
	return err == nil && !here, err
}

// adds reports whether one of the commits adds a line that matches. It reads objects only.
func adds(ctx context.Context, dir, name string, matches func(line string) bool, commits ...string) (found bool, err error) {
	args := append([]string{"log", "--patch", "--format=", "--unified=0", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames"}, commits...)
	err = run(ctx, dir, func(r io.Reader) error {
		in := bufio.NewReaderSize(r, maxLine)
		for {
			line, err := in.ReadSlice('\n')
			if added, ok := strings.CutPrefix(string(line), "+"); ok && !strings.HasPrefix(added, "++ ") && matches(strings.TrimRight(added, "\r\n")) {
				found = true
			}
			switch {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			}
		}
	}, append(args, "--", name)...)
	return found, err
}

// Rewound reports whether a move of HEAD after a known one led to a commit that was not made
// on top of the one before. A reset makes such a move. It reports true where it cannot tell.
func (r Repository) Rewound(ctx context.Context, dir, since string) bool {
	ctx, cancel := context.WithTimeout(ctx, maxSearch)
	defer cancel()
	moves := r.moves()
	for n := len(moves) - 1; n >= 0 && moves[n].line != since; n-- {
		if len(moves)-n > recentMoves {
			return true
		}
		from, to := moves[n].from, moves[n].to
		if strings.Trim(from, "0") == "" { // the first commit
			return false
		}
		if from != to && run(ctx, dir, func(io.Reader) error { return nil }, "merge-base", "--is-ancestor", "--end-of-options", from, to) != nil {
			return true
		}
	}
	return false
}
