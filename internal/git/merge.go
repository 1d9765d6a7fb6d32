package git

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	// maxMerge bounds the time for a merge of one file.
	maxMerge = 30 * time.Second
	// maxConflicts is the highest exit code of git merge-file that counts conflicts.
	maxConflicts = 127
)

// MergeText merges three versions of a text as git merges files. conflicts reports that merged
// has its markers. It needs no repository.
func MergeText(ctx context.Context, base, ours, theirs []byte) (merged []byte, conflicts bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, maxMerge)
	defer cancel()
	dir, err := os.MkdirTemp("", "memory-merge-")
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	args := []string{"merge-file", "-p", "-L", "ours", "-L", "base", "-L", "theirs"}
	for _, version := range []struct {
		name string
		text []byte
	}{{"ours", ours}, {"base", base}, {"theirs", theirs}} {
		file := filepath.Join(dir, version.name)
		if err := os.WriteFile(file, version.text, 0o600); err != nil {
			return nil, false, err
		}
		args = append(args, file)
	}
	err = run(ctx, dir, func(r io.Reader) (err error) {
		merged, err = io.ReadAll(r)
		return err
	}, args...)
	if exit, isExit := errors.AsType[*exec.ExitError](err); isExit && exit.ExitCode() > 0 && exit.ExitCode() <= maxConflicts {
		return merged, true, nil
	}
	return merged, false, err
}
