// Package githistory asks git about the memories of a workspace. It knows on which branch
// their files were read, and which commit introduced a memory.
package githistory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"znkr.io/diff"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/git"
)

// Branch is the git branch on which the files of a workspace are read.
type Branch struct {
	dir  string
	head string // before the last scan
}

// NewBranch returns the branch of the files in a folder.
func NewBranch(dir string) Branch { return Branch{dir: dir} }

// Mark adds the branch to a batch. If its files have protected memories, it waits for git
// to finish: git rewrites the files first and HEAD last. No branch is sure if git is at work
// or was killed, or if the branch changed since the scan began.
func (b *Branch) Mark(ctx context.Context, db *index.DB, batch *memory.Batch) error {
	repository := git.Find(b.dir)
	if !repository.Exists() {
		return nil
	}
	var paths []string
	for _, f := range batch.Files {
		paths = append(paths, f.Path)
	}
	protected, err := db.HasProtected(ctx, slices.Concat(paths, batch.Removed))
	if err != nil {
		return err
	}
	if protected {
		repository.Wait(ctx)
	}
	if batch.DecisionsLost && repository.DeletedByCommit(ctx, memory.DecisionsFile) {
		batch.DecisionsLost = false
	}
	interrupted := repository.Interrupted()
	isRewound := protected && b.isRewound(ctx, db, repository)
	batch.Branch = repository.Head()
	batch.BranchUnsure = isRewound || batch.Branch != b.head || !repository.Settled() ||
		slices.ContainsFunc(batch.Files, func(f memory.FileState) bool { return !f.ModTime.After(interrupted) })
	return nil
}

// moveKey is the key of meta with the last move of HEAD when all files were read.
const moveKey = "head_move"

// isRewound reports whether HEAD went back, as a reset does, since all files were read last.
func (b *Branch) isRewound(ctx context.Context, db *index.DB, repository git.Repository) bool {
	before, err := db.Meta(ctx, moveKey)
	return err != nil || before != "" && repository.Rewound(ctx, b.dir, before)
}

// Note notes the branch before a scan of the files.
func (b *Branch) Note() { b.head = git.Find(b.dir).Head() }

// Record records, after a scan, that all files are indexed as they are on
// a branch. It was checked out before the scan and still is. A line that protects
// a memory and is removed by hand on that branch then counts. It waits for git to finish,
// and calls scan, which reads all files, if the scan did not.
func (b *Branch) Record(ctx context.Context, db *index.DB, now time.Time, scannedAll bool, scan func() error) error {
	recorded, err := db.Meta(ctx, "branch")
	if err != nil {
		return err
	}
	repository := git.Find(b.dir)
	move := repository.LastMove()
	at, err := db.Meta(ctx, moveKey)
	if err != nil || recorded == b.head && at == move || repository.Head() != b.head {
		return err
	}
	if repository.Busy() {
		repository.Wait(ctx)
		scannedAll = false
	}
	if !repository.Settled() {
		return nil
	}
	if !scannedAll {
		if err := scan(); err != nil {
			return err
		}
	}
	if repository.Head() != b.head || repository.LastMove() != move || !repository.Settled() {
		return nil
	}
	return db.Update(ctx, now, func(tx *index.Tx) error {
		return errors.Join(tx.SetBranch(b.head), tx.SetMeta(moveKey, move))
	})
}

// Dates finds the commits that introduced the memories of a workspace.
type Dates struct {
	dir  string
	db   *index.DB
	read func(path string) ([]byte, error) // returns the present text of a file

	mu         sync.Mutex
	failure    string   // why git cannot read the repository
	failedHead string   // what was checked out at the failure; the search goes on when that changes
	unreadable []string // files that could not be read
}

// datesPerWrite is how many dates one transaction stores, some 50 ms, so that other
// writes and reads go on.
const datesPerWrite = 1000

// NewDates returns a search in the git repository of a folder. read returns the present
// text of a file of the folder.
func NewDates(dir string, db *index.DB, read func(path string) ([]byte, error)) *Dates {
	return &Dates{dir: dir, db: db, read: read}
}

// Find stores the dates of the memories without one, until isOver. It reads one file at a
// time, the newest first, and each memory once. more reports that memories are left.
func (d *Dates) Find(ctx context.Context, now func() time.Time, isOver func() bool) (more bool, err error) {
	repository := git.Find(d.dir)
	head := repository.Head()
	if !repository.Exists() || d.failedAt(head) {
		return false, nil
	}
	for {
		path, err := d.db.UndatedFile(ctx, d.unreadableFiles())
		if err != nil || path == "" {
			return false, err
		}
		if isOver() {
			return true, nil
		}
		err = d.findIn(ctx, now, path)
		if errors.Is(err, git.ErrUnusable) {
			d.mu.Lock()
			d.failure, d.failedHead = err.Error(), head
			d.mu.Unlock()
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// failedAt reports whether git failed with the commit that is checked out.
func (d *Dates) failedAt(head string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failure != "" && d.failedHead == head
}

func (d *Dates) unreadableFiles() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.unreadable)
}

// findIn searches for the commits of the memories of one file.
func (d *Dates) findIn(ctx context.Context, now func() time.Time, path string) error {
	memories, err := d.db.UndatedMemories(ctx, path)
	if err != nil {
		return err
	}
	text, err := d.read(path)
	if err != nil { // the file changed a moment ago; the next start tries again
		d.mu.Lock()
		d.unreadable = append(d.unreadable, path)
		d.mu.Unlock()
		return nil
	}
	committed, err := git.Lines(ctx, d.dir, path)
	note := "the line is not committed"
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, git.ErrUnusable):
		return err
	case err != nil:
		note = err.Error()
	}
	times := alignLines(strings.Split(string(text), "\n"), committed)
	found := make(map[memory.ID]index.CommitDate, len(memories))
	for _, m := range memories {
		found[m.ID] = index.CommitDate{At: oldest(times, m.From, m.To), Note: note}
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(found)), datesPerWrite) {
		part := make(map[memory.ID]index.CommitDate, len(ids))
		for _, id := range ids {
			part[id] = found[id]
		}
		if err := d.db.Update(ctx, now(), func(tx *index.Tx) error { return tx.SetCommitDates(part) }); err != nil {
			return fmt.Errorf("store the dates of %s: %w", path, err)
		}
	}
	return nil
}

// alignLines returns the date of each line of a file; zero: unknown. A line has the
// date of the committed line that it is.
func alignLines(lines []string, committed []git.Line) []time.Time {
	present, before := make([]string, len(lines)), make([]string, len(committed))
	for i, line := range lines {
		present[i] = strings.TrimRight(line, "\r")
	}
	for i, line := range committed {
		before[i] = line.Text
	}
	times, line, was := make([]time.Time, len(lines)), 0, 0
	for _, edit := range diff.Edits(before, present) {
		// A rule or a fence says nothing about the text beside it.
		if edit.Op == diff.Match && strings.ContainsFunc(lines[line], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			times[line] = committed[was].AuthoredAt
		}
		if edit.Op != diff.Insert {
			was++
		}
		if edit.Op != diff.Delete {
			line++
		}
	}
	return times
}

// oldest returns the oldest of the known times of some lines, 1-based and inclusive.
func oldest(times []time.Time, from, to int) (at time.Time) {
	for i := max(from, 1); i <= min(to, len(times)); i++ {
		if t := times[i-1]; !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at = t
		}
	}
	return at
}

// Reason explains for a person where the date of a memory comes from.
func (d *Dates) Reason(ctx context.Context, id memory.ID) (memory.DateSource, string, error) {
	from, note, err := d.db.DateSource(ctx, id)
	if err != nil {
		return "", "", err
	}
	explained := map[memory.DateSource]string{
		memory.DateDeclared:  "declared in the file",
		memory.DateNote:      "the name of the daily note",
		memory.DateGit:       "the author date of the git commit that introduced the text",
		memory.DateFile:      "the file's time when the memory was first seen",
		memory.DateFirstSeen: "when the memory was first seen",
	}[from]
	if from == memory.DateFile || from == memory.DateFirstSeen {
		if note = d.whyNoCommit(note); note != "" {
			explained += " (git: " + note + ")"
		}
	}
	return from, explained, nil
}

// whyNoCommit returns why git has no date for a memory, or "" outside a repository.
func (d *Dates) whyNoCommit(note string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case note != "" || !git.Find(d.dir).Exists():
		return note
	case d.failure != "":
		return d.failure
	}
	return "not searched yet"
}
