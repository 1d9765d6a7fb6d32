package snapshot

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/engine/transfer"
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
	f, err := s.open(ctx, id)
	if err != nil {
		return err
	}
	defer f.Close()
	header := f.Header
	header.Memories = 0
	err = p.clean(f, func(memory.ExportRow) error { header.Memories++; return nil })
	if err == nil {
		err = atomicfile.WriteWith(s.path(id), 0o600, func(out *os.File) error {
			return compress(out, func(zip *gzip.Writer) error {
				w := exportlines.New(zip)
				if err := errors.Join(w.Begin(header), p.clean(f, w.Add)); err != nil {
					return err
				}
				_, err := w.End()
				return err
			})
		})
	}
	if err != nil {
		return memory.Unavailable(err, "write the snapshot %s again", id)
	}
	return nil
}

// clean passes the rows of other memories, without the values that name one of these.
func (p purge) clean(f *transfer.File, visit func(memory.ExportRow) error) error {
	return f.Rows(func(rows []memory.ExportRow) error {
		for _, row := range rows {
			if p.removeFrom(&row) {
				if err := visit(row); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// removeFrom removes the values that name one of the memories from a row. It reports false for the
// row of one of these, and for one that cannot be cleaned.
func (p purge) removeFrom(row *memory.ExportRow) bool {
	if slices.Contains(p.ids, row.Memory.ID) {
		return false
	}
	if !p.isNamedIn(*row) {
		return true
	}
	if by := row.Memory.SupersededBy; by != nil && p.isNamedIn(*by) {
		row.Memory.SupersededBy = nil
	}
	if p.isNamedIn(row.Declared.SupersededBy) {
		row.Declared.SupersededBy = ""
	}
	row.Audit = slices.DeleteFunc(row.Audit, func(each memory.AuditRow) bool { return p.isNamedIn(each) })
	for _, columns := range row.Tables["memories"] {
		maps.DeleteFunc(columns, func(_ string, value any) bool { return p.isNamedIn(value) })
	}
	return !p.isNamedIn(*row)
}

// isNamedIn reports whether the JSON of a value names one of the memories.
func (p purge) isNamedIn(value any) bool {
	text, err := json.Marshal(value)
	return err != nil || p.named.Index(text) >= 0
}
