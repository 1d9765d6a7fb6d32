// Package snapshot keeps what was decided about all memories of a workspace at some moments.
// A snapshot is an export without texts, compressed, in a folder beside the database. To
// restore one is a plan like any other: audited, written to Markdown, and reversed by undo.
package snapshot

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/transfer"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/folder"
)

// Store has the snapshots of one workspace.
type Store struct {
	Dir     string // of the snapshots
	Name    string // of the workspace
	Folder  string // of the workspace
	DB      *index.DB
	Zone    *time.Location
	Version string // of the program

	mu      sync.Mutex // held while a snapshot is written or changed
	lookAt  time.Time  // when a daily one may be due; zero: unknown
	command string     // the last one that Once made a snapshot for
}

const (
	extension = ".ndjson.gz"
	idLayout  = "20060102-150405" // in UTC, so that names are in the order of time
)

func (s *Store) path(id string) string { return filepath.Join(s.Dir, id+extension) }

// Create makes a snapshot. Then it removes those that are too many.
func (s *Store) Create(ctx context.Context, now time.Time, cause, tag string) (memory.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	made, err := s.create(ctx, now, cause, tag)
	switch {
	case ctx.Err() != nil:
		return made, ctx.Err()
	case err != nil:
		return made, memory.Unavailable(err, "write a snapshot to %s", s.Dir).
			WithHint("nothing was changed; free some disk space, or make the folder writable, then try again")
	}
	s.prune(made.ID)
	return made, nil
}

func (s *Store) create(ctx context.Context, now time.Time, cause, tag string) (made memory.Snapshot, err error) {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return made, err
	}
	revision, err := s.DB.Revision(ctx)
	if err != nil {
		return made, err
	}
	made = memory.Snapshot{ID: s.freeID(now), Tag: tag, CreatedAt: now, Cause: cause}
	header := memory.ExportHeader{Version: s.Version, Note: "a snapshot: decisions without texts; memory snapshot restore reads it"}
	if header.Snapshot, err = json.Marshal(about{made, folder.RealPath(s.Folder), revision}); err != nil {
		return made, err
	}
	path := s.path(made.ID)
	err = atomicfile.WriteWith(path, 0o600, func(f *os.File) error {
		return compress(f, func(zip *gzip.Writer) error {
			end, err := transfer.Source{Name: s.Name, DB: s.DB}.ExportDecisions(ctx, header, zip)
			made.Memories = end.Rows
			return err
		})
	})
	made.Bytes = sizeOf(path)
	return made, err
}

// compress passes a writer whose output f gets. Names repeat a lot, so that the fastest level
// makes a tenth of it.
func compress(f *os.File, write func(*gzip.Writer) error) error {
	zip, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		return err
	}
	return errors.Join(write(zip), zip.Close())
}

// freeID returns an id that no file has.
func (s *Store) freeID(now time.Time) string {
	for at := now.UTC(); ; at = at.Add(time.Second) {
		if _, err := os.Lstat(s.path(at.Format(idLayout))); err != nil {
			return at.Format(idLayout)
		}
	}
}

// Once is Create, once for all requests of a command. The caller holds the lock of ingests.
func (s *Store) Once(ctx context.Context, now time.Time, cause, command string) error {
	if s.command == command {
		return nil
	}
	_, err := s.Create(ctx, now, cause, "")
	if err == nil {
		s.command = command
	}
	return err
}

// List returns the snapshots, newest first. One that cannot be read says why.
func (s *Store) List() (all []memory.Snapshot, err error) {
	files, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range files {
		if id, is := strings.CutSuffix(f.Name(), extension); is && !strings.HasPrefix(id, ".") && !f.IsDir() {
			all = append(all, s.describe(id))
		}
	}
	slices.SortStableFunc(all, func(a, b memory.Snapshot) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	return all, err
}

// about is what the first line of a snapshot says about it.
type about struct {
	memory.Snapshot
	Folder   string `json:"folder"`   // of the workspace
	Revision int64  `json:"revision"` // of the index
}

// describe reads what a snapshot is.
func (s *Store) describe(id string) memory.Snapshot {
	path := s.path(id)
	known, err := readAbout(path)
	if err != nil {
		known.Damaged = err.Error()
		known.CreatedAt, _ = time.Parse(idLayout, id) // zero: nobody knows
	}
	known.ID, known.Bytes = id, sizeOf(path)
	return known.Snapshot
}

// maxHeader is more than the first line of a snapshot has, in bytes.
const maxHeader = 1 << 16

func readAbout(path string) (known about, err error) {
	f, err := os.Open(path)
	if err != nil {
		return known, err
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		return known, errors.New("it is not compressed as snapshots are")
	}
	header := memory.ExportHeader{}
	line, err := bufio.NewReader(io.LimitReader(zip, maxHeader)).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &header)
	}
	if err != nil || header.Format != memory.ExportFormat {
		return known, errors.New("its first line is not that of a snapshot")
	}
	known, err = aboutOf(header)
	return known, err
}

func aboutOf(header memory.ExportHeader) (known about, err error) {
	if json.Unmarshal(header.Snapshot, &known) != nil {
		return known, errors.New("it is an export, and no snapshot")
	}
	known.Memories = header.Memories
	return known, nil
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// last stands for the newest snapshot where an id is expected.
const last = "last"

// Find returns the snapshot whose id is or begins with a text.
func (s *Store) Find(id string) (found memory.Snapshot, err error) {
	all, err := s.List()
	if err != nil {
		return found, memory.Unavailable(err, "read the snapshots")
	}
	const hint = "memory snapshot list shows the ids"
	match := slices.DeleteFunc(slices.Clone(all), func(each memory.Snapshot) bool { return !strings.HasPrefix(each.ID, id) })
	switch {
	case id == last && len(all) > 0:
		return all[0], nil
	case id == "":
		return found, memory.Invalid("id", "the id of the snapshot is missing").WithHint(hint)
	case len(match) == 0:
		return found, &memory.Error{Kind: memory.ErrNotFound, Field: "id", Message: "no snapshot has the id " + id, Hint: hint}
	case len(match) > 1 && match[len(match)-1].ID != id:
		return found, memory.Invalid("id", "%d snapshots begin with %s", len(match), id).WithHint(hint)
	}
	return match[len(match)-1], nil
}

// Remove removes a snapshot.
func (s *Store) Remove(id string) (memory.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, err := s.Find(id)
	if err == nil {
		if err = os.Remove(s.path(found.ID)); err != nil {
			err = memory.Unavailable(err, "remove the snapshot %s", found.ID)
		}
	}
	return found, err
}
