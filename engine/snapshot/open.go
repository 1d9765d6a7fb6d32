package snapshot

import (
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/transfer"
)

// open checks all lines of a snapshot. A damaged one is an error of kind invalid.
func (s *Store) open(ctx context.Context, id string) (*transfer.File, error) {
	f, err := os.Open(s.path(id))
	if err != nil {
		return nil, memory.Unavailable(err, "read the snapshot %s", id)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	var file *transfer.File
	if err == nil {
		file, err = transfer.Open(ctx, zip, filepath.Dir(s.Dir))
	}
	switch {
	case err == nil:
		return file, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, readError(id, err)
}

// readError returns the error for a snapshot that cannot be read. It is of kind invalid if the
// snapshot is damaged.
func readError(id string, err error) error {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) || errors.Is(err, memory.ErrUnavailable) {
		return memory.Unavailable(err, "read the snapshot %s", id)
	}
	if detail := (*memory.Error)(nil); errors.As(err, &detail) {
		err = errors.New(detail.Message)
	}
	return memory.Invalid("id", "the snapshot %s is damaged: %v", id, err).
		WithHint("nothing was changed; memory snapshot list shows the others, and memory snapshot remove %s removes it", id)
}
