package git

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"
)

const (
	// maxDropped bounds the time for one file, because a decision waits for it.
	maxDropped = 2 * time.Second
	// recentCommits is how many commits of a file's history Removed examines.
	recentCommits = 50
)

// Wrote reports whether git itself wrote a file of the folder, in a checkout, a stash
// or a reset: git's index has the size and the time that the file has.
func Wrote(ctx context.Context, dir, name string, modTime time.Time, size int64) bool {
	ctx, cancel := context.WithTimeout(ctx, maxDropped)
	defer cancel()
	wrote := false
	err := run(ctx, dir, func(r io.Reader) error {
		text, err := io.ReadAll(io.LimitReader(r, maxLine))
		wrote = strings.Contains(string(text), fmt.Sprintf("mtime: %d:%d\n", modTime.Unix(), modTime.Nanosecond())) &&
			strings.Contains(string(text), fmt.Sprintf("size: %d\t", size))
		return err
	}, "ls-files", "--debug", "--", name)
	return err == nil && wrote
}

// Removed returns which of some words a commit removed from a file of the folder, in
// the recent history of HEAD.
func Removed(ctx context.Context, dir, name string, words []string) (map[string]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, maxDropped)
	defer cancel()
	balance, removed := map[string]int{}, map[string]bool{}
	endCommit := func() {
		for word, n := range balance {
			removed[word] = removed[word] || n < 0
		}
		clear(balance)
	}
	err := run(ctx, dir, func(r io.Reader) error {
		in := bufio.NewScanner(r)
		in.Buffer(nil, maxLine)
		for in.Scan() {
			line := in.Text()
			if line == "\x00" {
				endCommit()
				continue
			}
			change := strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "+++ ")
			for _, word := range words {
				switch {
				case !strings.Contains(line, word):
				case change:
					balance[word]++
				case strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "--- "):
					balance[word]--
				}
			}
		}
		endCommit()
		return in.Err()
	}, "log", fmt.Sprintf("--max-count=%d", recentCommits), "--format=%x00", "-p", "-U0", "--no-color", "--no-ext-diff", "--no-textconv",
		"--no-renames", "HEAD", "--", name)
	return removed, err
}
