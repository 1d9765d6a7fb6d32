package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/git"
)

// commitDates is the state of a workspace's search for commits.
type commitDates struct {
	failure    string   // why git cannot read the repository
	failedHead string   // what was checked out at the failure; the search goes on when that changes
	unreadable []string // files that could not be read
}

// datesPerWrite is how many dates one transaction stores, some 50 ms, so that other
// writes and reads go on.
const datesPerWrite = 1000

// FindDates searches git for the commits that introduced the memories without a
// date, in every workspace and for about so long at most. It reads one file at a
// time, the newest first, and each memory once. more reports that memories are left.
func (e *Engine) FindDates(ctx context.Context, within time.Duration) (more bool, err error) {
	deadline := time.Now().Add(within)
	for _, s := range e.sortedWorkspaces() {
		left, findErr := s.findDates(ctx, e.now, deadline)
		more, err = more || left, errors.Join(err, findErr)
	}
	return more, err
}

// Without a service, Index searches for dates after its work. Git needs some 10 ms
// for a short file, so that datesWait is enough for most workspaces. A command that
// indexes before it answers waits for datesShare of the time that it leaves for
// embedding, half a second. The next command continues.
const (
	datesWait  = 10 * time.Second
	datesShare = 0.1
)

// findDatesWithin searches for dates in one workspace. embedWithin is the time that
// the caller leaves for embedding; 0: no limit.
func (e *Engine) findDatesWithin(ctx context.Context, s *workspaceState, embedWithin time.Duration) {
	limit := datesWait
	if embedWithin > 0 {
		limit = time.Duration(datesShare * float64(embedWithin))
	}
	_, _ = s.findDates(ctx, e.now, time.Now().Add(limit)) // explain shows what is missing
}

func (s *workspaceState) findDates(ctx context.Context, now func() time.Time, deadline time.Time) (more bool, err error) {
	repository := git.Find(s.Dir)
	head := repository.Head()
	usable := s.openErr == nil && s.diskFull == nil
	if !usable || !repository.Exists() || s.noDatesAt(head) {
		return false, nil
	}
	for {
		path, err := s.db.UndatedFile(ctx, s.unreadableFiles())
		if err != nil || path == "" {
			return false, err
		}
		if !time.Now().Before(deadline) {
			return true, nil
		}
		err = s.findDatesIn(ctx, now, path)
		if errors.Is(err, git.ErrUnusable) {
			s.mu.Lock()
			s.dates.failure, s.dates.failedHead = err.Error(), head
			s.mu.Unlock()
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// noDatesAt reports whether git failed with the commit that is checked out.
func (s *workspaceState) noDatesAt(head string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dates.failure != "" && s.dates.failedHead == head
}

func (s *workspaceState) unreadableFiles() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.dates.unreadable)
}

// findDatesIn searches for the commits of the memories of one file.
func (s *workspaceState) findDatesIn(ctx context.Context, now func() time.Time, path string) error {
	memories, err := s.db.UndatedMemories(ctx, path)
	if err != nil {
		return err
	}
	text, err := s.readForDates(path)
	if err != nil { // the file changed a moment ago; the next start tries again
		s.mu.Lock()
		s.dates.unreadable = append(s.dates.unreadable, path)
		s.mu.Unlock()
		return nil
	}
	committed, err := git.Lines(ctx, s.Dir, path)
	note := "the line is not committed"
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, git.ErrUnusable):
		return err
	case err != nil:
		note = err.Error()
	}
	times := alignLines(strings.Split(text, "\n"), committed)
	found := make(map[memory.ID]index.CommitDate, len(memories))
	for _, m := range memories {
		found[m.ID] = index.CommitDate{At: oldest(times, m.From, m.To), Note: note}
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(found)), datesPerWrite) {
		part := make(map[memory.ID]index.CommitDate, len(ids))
		for _, id := range ids {
			part[id] = found[id]
		}
		if err := s.db.Update(ctx, now(), func(tx *index.Tx) error { return tx.SetCommitDates(part) }); err != nil {
			return fmt.Errorf("store the dates of %s: %w", path, err)
		}
	}
	return nil
}

func (s *workspaceState) readForDates(path string) (string, error) {
	folder, err := s.openFolder()
	if err != nil {
		return "", err
	}
	text, _, err := folder.Read(path)
	return string(text), err
}

// alignLines returns the date of each line of a file; zero: unknown. A line has the
// date of the committed line with the same text. The lines before and after a change
// match by their order, those in between by their text.
func alignLines(lines []string, committed []git.Line) []time.Time {
	times := make([]time.Time, len(lines))
	same := func(i, j int) bool { return strings.TrimRight(lines[i], "\r") == committed[j].Text }
	first, end, committedEnd := 0, len(lines), len(committed)
	if end > 0 && lines[end-1] == "" {
		end-- // after the last line break
	}
	for first < end && first < committedEnd && same(first, first) {
		times[first] = committed[first].AuthoredAt
		first++
	}
	for end > first && committedEnd > first && same(end-1, committedEnd-1) {
		end, committedEnd = end-1, committedEnd-1
		times[end] = committed[committedEnd].AuthoredAt
	}
	byText := map[string][]time.Time{}
	for _, line := range committed[first:committedEnd] {
		byText[line.Text] = append(byText[line.Text], line.AuthoredAt)
	}
	for i := first; i < end; i++ {
		text := strings.TrimRight(lines[i], "\r")
		if found := byText[text]; len(found) > 0 {
			times[i], byText[text] = found[0], found[1:]
		}
	}
	for i, line := range lines {
		if !strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			times[i] = time.Time{} // a rule or a fence says nothing about the text beside it
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

// dateReason explains for a person where the date of a memory comes from.
func (s *workspaceState) dateReason(ctx context.Context, id memory.ID) (memory.DateSource, string, error) {
	from, note, err := s.db.DateSource(ctx, id)
	if err != nil {
		return "", "", err
	}
	reason := map[memory.DateSource]string{
		memory.DateDeclared:  "declared in the file",
		memory.DateNote:      "the name of the daily note",
		memory.DateGit:       "the author date of the git commit that introduced the text",
		memory.DateFile:      "the file's time when the memory was first seen",
		memory.DateFirstSeen: "when the memory was first seen",
	}[from]
	if from == memory.DateFile || from == memory.DateFirstSeen {
		if note = s.whyNoCommit(note); note != "" {
			reason += " (git: " + note + ")"
		}
	}
	return from, reason, nil
}

// whyNoCommit returns why git has no date for a memory, or "" outside a repository.
func (s *workspaceState) whyNoCommit(note string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case note != "" || !git.Find(s.Dir).Exists():
		return note
	case s.dates.failure != "":
		return s.dates.failure
	}
	return "not searched yet"
}
