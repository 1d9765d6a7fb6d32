package snapshot

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/exportlines"
	"github.com/memory-tiered/memory/verify"
)

// Purge removes destroyed memories from all snapshots: their lines, and each value that names
// one. A damaged snapshot is removed, because it cannot be written again.
func (s *Store) Purge(ctx context.Context) (notices []string, err error) {
	destroyed, err := s.destroyed(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.removeTemporary(); err != nil {
		return nil, err
	}
	p := newPurge(destroyed)
	names, err := s.names(p)
	for _, id := range names {
		if err != nil {
			break
		}
		if err = s.purge(ctx, id, p); errors.Is(err, memory.ErrInvalid) {
			notices = append(notices, s.path(id)+" was removed: it was a damaged snapshot, from which a single memory cannot be deleted")
			err = os.Remove(s.path(id))
		}
	}
	return notices, err
}

// destroyed returns the memories that were destroyed, or are being destroyed.
func (s *Store) destroyed(ctx context.Context) ([]memory.ID, error) {
	ids, err := plan.BeingDestroyed(ctx, s.DB)
	if err != nil {
		return nil, err
	}
	past, err := s.DB.Audit(ctx, memory.AuditRequest{Action: string(memory.ActionDestroy)})
	for _, row := range past.Audit {
		ids = append(ids, row.ID)
	}
	return ids, err
}

// DestroyFaults lists the snapshots in which an unfinished destroy left memories.
func (s *Store) DestroyFaults(ctx context.Context) (faults []memory.Fault, err error) {
	open, err := s.DB.Intents(ctx)
	if err != nil || !slices.ContainsFunc(open, index.Intent.IsDestroy) {
		return nil, err
	}
	destroyed, err := s.destroyed(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	left, err := s.names(newPurge(destroyed))
	for _, id := range left {
		faults = append(faults, memory.Fault{Path: filepath.Base(s.Dir) + "/" + id,
			Message: "this snapshot still names a memory that is to be destroyed; the next decision or start cleans it"})
	}
	return faults, err
}

// names lists the ids of the snapshots that are not free of the memories.
func (s *Store) names(p purge) (ids []string, err error) {
	if len(p.ids) == 0 {
		return nil, nil
	}
	all, err := s.List()
	for _, each := range all {
		if p.isIn(s.path(each.ID)) {
			ids = append(ids, each.ID)
		}
	}
	return ids, err
}

// purge knows how destroyed memories are named.
type purge struct {
	ids   []memory.ID
	named *verify.Matcher // by full ids, and by the beginnings that declarations and files have
}

func newPurge(ids []memory.ID) purge {
	var forms []string
	for _, id := range ids {
		forms = append(forms, string(id.Linked()), id.InFile())
	}
	return purge{ids, verify.NewMatcher(forms...)}
}

// isIn reports whether a snapshot names one of the memories, or cannot be read.
func (p purge) isIn(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		return true
	}
	at, err := p.named.IndexReader(zip)
	return at >= 0 || err != nil
}

// purge writes a snapshot again, without the memories. It checks it first, because the new one
// gets a new sum.
func (s *Store) purge(ctx context.Context, id string, p purge) error {
	checked, err := s.open(ctx, id)
	if err != nil {
		return err
	}
	checked.Close()
	header, kept := memory.ExportHeader{}, 0
	err = p.lines(s.path(id), func(h memory.ExportHeader) error { header = h; return nil }, func([]byte) error { kept++; return nil })
	if err != nil {
		return readError(id, err)
	}
	header.Memories = kept
	err = atomicfile.WriteWith(s.path(id), 0o600, func(out *os.File) error {
		return compress(out, func(zip *gzip.Writer) error {
			w := exportlines.New(zip)
			if err := p.lines(s.path(id), func(memory.ExportHeader) error { return w.Begin(header) }, w.AddLine); err != nil {
				return err
			}
			_, err := w.End()
			return err
		})
	})
	if err != nil {
		return memory.Unavailable(err, "write the snapshot %s again", id)
	}
	return nil
}

// lines passes the first line of a snapshot, and the lines of other memories, without the
// values that name one of these. A snapshot without its last line is an error.
func (p purge) lines(path string, begin func(memory.ExportHeader) error, visit func(line []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(zip, 1<<16)
	for n := 0; ; n++ {
		line, err := in.ReadBytes('\n')
		switch {
		case err != nil:
			return err
		case bytes.HasPrefix(line, []byte(`{"end":`)):
			_, err := io.Copy(io.Discard, in) // which checks the sum
			return err
		case n == 0:
			var header memory.ExportHeader
			if err = json.Unmarshal(line, &header); err == nil {
				err = begin(header)
			}
		default:
			if line, err = p.without(line); err == nil && line != nil {
				err = visit(line)
			}
		}
		if err != nil {
			return err
		}
	}
}

// without returns the line of a memory without the values that name one of these; nil: it is
// one of these, or cannot be cleaned.
func (p purge) without(line []byte) ([]byte, error) {
	var row memory.ExportRow
	if !p.isNamedIn(line) {
		return line, nil
	}
	if err := json.Unmarshal(line, &row); err != nil || slices.Contains(p.ids, row.Memory.ID) {
		return nil, err
	}
	if by := row.Memory.SupersededBy; by != nil && p.isNamedIn([]byte(*by)) {
		row.Memory.SupersededBy = nil
	}
	if p.isNamedIn([]byte(row.Declared.SupersededBy)) {
		row.Declared.SupersededBy = ""
	}
	row.Audit = slices.DeleteFunc(row.Audit, func(each memory.AuditRow) bool {
		text, err := json.Marshal(each)
		return err != nil || p.isNamedIn(text)
	})
	for _, columns := range row.Tables["memories"] {
		maps.DeleteFunc(columns, func(_ string, value any) bool { return p.isNamedIn([]byte(fmt.Sprint(value))) })
	}
	clean, err := json.Marshal(row)
	if p.isNamedIn(clean) {
		return nil, err
	}
	return append(clean, '\n'), err
}

func (p purge) isNamedIn(text []byte) bool { return p.named.Index(text) >= 0 }
