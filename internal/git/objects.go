package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// maxObjects bounds the time for reading all objects of a repository.
const maxObjects = time.Minute

// Objects passes the content of every object of a folder's repository to see: files, commits
// and tags, also those that no branch has any more. It reads at most 256 MiB.
func Objects(ctx context.Context, dir string, see func(id string, content io.Reader) error) error {
	ctx, cancel := context.WithTimeout(ctx, maxObjects)
	defer cancel()
	return run(ctx, dir, func(r io.Reader) error { return readObjects(r, see) },
		"cat-file", "--batch-all-objects", "--unordered", "--batch")
}

// readObjects reads what git prints: for each object "id kind size", its content, and a
// line feed.
func readObjects(r io.Reader, see func(id string, content io.Reader) error) error {
	in := bufio.NewReader(r)
	for {
		var id, kind string
		var size int64
		head, err := in.ReadSlice('\n')
		if err == io.EOF && len(head) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Sscan(string(head), &id, &kind, &size); err != nil {
			return fmt.Errorf("read the objects of git: %w", err)
		}
		content := io.LimitReader(in, size)
		if kind != "tree" {
			if err := see(id, content); err != nil {
				return err
			}
		}
		if _, err := io.Copy(io.Discard, content); err != nil {
			return err
		}
		if end, err := in.ReadByte(); err != nil || end != '\n' {
			return errors.Join(err, fmt.Errorf("read the objects of git: %s has another size", id))
		}
	}
}
