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
