package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/decisions"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/workspace"
)

// lineSpan returns the bytes of some lines, with the end of the last one. first and
// last are 1-based. Lines that do not exist are empty.
func lineSpan(src []byte, first, last int) (start, end int) {
	line := 1
	for line < first && start < len(src) {
		start = nextLine(src, start)
		line++
	}
	for end = start; line <= last && end < len(src); line++ {
		end = nextLine(src, end)
	}
	return start, end
}

func nextLine(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(src)
}

// lineChange is a change of the lines of one memory.
type lineChange struct {
	memory     memory.Memory
	was, lines string // was is how the caller knows the lines; empty lines are deleted
	oneMemory  bool   // the new lines may hold one memory only
}

// replaceLines replaces the lines of a memory. The other memories of the file stay as
// they are; lines that would change them are refused. The former lines are kept under
// batch.
func (s *workspaceState) replaceLines(ctx context.Context, now time.Time, batch string, change lineChange) error {
	m := change.memory
	folder, err := s.openFolder()
	if err != nil {
		return err
	}
	src, err := s.readIndexed(ctx, folder, m.Path)
	if err != nil {
		return err
	}
	start, end := lineSpan(src, m.LineStart, m.LineEnd)
	if unixLines(string(src[start:end])) != unixLines(change.was) {
		return linesChanged(m.Path, m.LineStart)
	}
	after := asInFile(src[start:end], src, change.lines)
	next := bytes.Join([][]byte{src[:start], after, src[end:]}, nil)
	left, err := checkOtherBlocks(src, next, start, end, len(after) > 0)
	if err != nil {
		return err
	}
	if len(left) > 1 && change.oneMemory {
		return memory.Invalid("new_lines", "the new lines hold %d memories, and a decision protects one only", len(left)).
			WithHint("make one memory of them, or edit the file with your editor: memory open %s", m.ID.Short())
	}
	if len(left) == 1 {
		s.editing = &lineEdit{m.ID, left[0].Fingerprint}
		defer func() { s.editing = nil }()
	}
	if err := s.refuseUnwritable(folder, m.Path); err != nil {
		return err
	}
	above, below := bytes.LastIndexByte(src[:max(start-1, 0)], '\n')+1, nextLine(src, end)
	former := index.FormerLines{Path: m.Path, Start: start, Before: src[start:end], After: after, Above: src[above:start], Below: src[end:below]}
	if err := s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.AddFormerLines(batch, []index.FormerLines{former}) }); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	if err := s.replaceFile(ctx, now, folder, m.Path, src, next); err != nil {
		if errors.Is(err, workspace.ErrUnsynced) {
			return err
		}
		return errors.Join(err, s.db.Update(ctx, now, func(tx *index.Tx) error { return tx.DropFormerLines(batch) }))
	}
	return nil
}

// lineEdit is an edit of the lines of one memory: what they say now is this memory.
type lineEdit struct {
	id   memory.ID
	text memory.Fingerprint
}

func linesChanged(path string, line int) error {
	return memory.Conflict("%s changed meanwhile at line %d", path, line).WithHint("look at it again: memory review")
}

// unixLines makes lines comparable, whatever ends them.
func unixLines(lines string) string { return trimLineEnd(strings.ReplaceAll(lines, "\r\n", "\n")) }

// asInFile returns new lines with the line ends of the file that they go into.
func asInFile(old, src []byte, lines string) []byte {
	if lines = unixLines(lines); strings.TrimSpace(lines) == "" {
		return nil
	}
	if bytes.HasSuffix(old, []byte("\n")) {
		lines += "\n"
	}
	if bytes.Contains(src, []byte("\r\n")) {
		lines = strings.ReplaceAll(lines, "\n", "\r\n")
	}
	return []byte(lines)
}

// checkOtherBlocks refuses a change of the bytes [start, end) if another block of the
// file would be different after it. It also refuses one that leaves no memory. It returns
// the blocks that the bytes hold afterwards.
func checkOtherBlocks(src, next []byte, start, end int, leavesMemory bool) (left []memory.Block, err error) {
	before, after := blocksOf(src), blocksOf(next)
	grown := len(next) - len(src)
	var above, below []memory.Block
	for _, b := range before {
		switch {
		case b.End <= start:
			above = append(above, b)
		case b.Start >= end:
			below = append(below, b)
		case b.Start < start || b.End > end:
			return nil, memory.Invalid("new_lines", "the lines belong to several memories").WithHint("edit the file with your editor: memory open ID")
		}
	}
	var keptAbove, keptBelow []memory.Block
	for _, b := range after {
		switch {
		case b.End <= start:
			keptAbove = append(keptAbove, b)
		case b.Start >= end+grown:
			keptBelow = append(keptBelow, b)
		default:
			left = append(left, b)
		}
	}
	if !sameBlocks(above, keptAbove) || !sameBlocks(below, keptBelow) {
		return nil, memory.Invalid("new_lines", "the change would alter other memories of the file").
			WithHint("close what you open, such as a code fence or a comment, and add no heading")
	}
	if leavesMemory && len(left) == 0 {
		return nil, memory.Invalid("new_lines", "the new lines hold no memory").WithHint("to hide the memory, forget it")
	}
	return left, nil
}

func blocksOf(src []byte) []memory.Block {
	return chunker.Blocks(src, frontmatter.Parse(src, time.UTC).BodyStart)
}

// sameBlocks reports whether blocks are equal but for their place.
func sameBlocks(a, b []memory.Block) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i], b[i]
		x.Start, x.End, x.LineStart, x.LineEnd = y.Start, y.End, y.LineStart, y.LineEnd
		if !reflect.DeepEqual(x, y) {
			return false
		}
	}
	return true
}

func (s *workspaceState) refuseUnwritable(folder *workspaceFolder, path string) error {
	err := folder.WriteObstacle(path)
	reason := decisions.ReadOnlyReason(err)
	if s.Options.ReadOnly {
		reason = "belongs to a read-only workspace"
	}
	if reason != "" {
		return memory.Conflict("%s %s", path, reason).WithHint("make it writable, then try again; nothing was changed")
	}
	return err
}

// replaceFile writes a file, provided that it still has the bytes src, and indexes it.
func (s *workspaceState) replaceFile(ctx context.Context, now time.Time, folder *workspaceFolder, path string, src, next []byte) error {
	appends, err := folder.Replace(path, sha256.Sum256(src), next)
	s.WatchAppends(appends)
	if err != nil && !errors.Is(err, workspace.ErrUnsynced) {
		return err
	}
	return errors.Join(err, s.RefreshPaths(ctx, now, []string{path}))
}

// restoreLines brings back the lines that a command changed. Lines that changed since
// are a conflict.
func (s *workspaceState) restoreLines(ctx context.Context, now time.Time, batch, action string) error {
	former, err := s.db.FormerLines(ctx, batch)
	if err != nil {
		return err
	}
	changesLines := action == string(memory.ReviewEdit) || action == string(memory.ReviewMerge)
	if changesLines && len(former) == 0 {
		return linesGone{memory.Conflict("the lines before the %s are not kept any more", action).
			WithHint("they are kept until the next backup; correct the file yourself. memory undo 2 reverses the command before it")}
	}
	folder, err := s.openFolder()
	if err != nil || len(former) == 0 {
		return err
	}
	for i := len(former) - 1; i >= 0; i-- {
		l := former[i]
		src, _, err := decisions.ReadForEdit(folder.Workspace, l.Path)
		at, found := findLines(src, l)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && !found:
			return linesChanged(l.Path, 1+bytes.Count(src[:min(l.Start, len(src))], []byte("\n")))
		case err != nil:
			return err
		}
		next := bytes.Join([][]byte{src[:at], l.Before, src[at+len(l.After):]}, nil)
		if err := s.replaceFile(context.WithoutCancel(ctx), now, folder, l.Path, src, next); err != nil {
			return err
		}
	}
	return nil
}

// linesGone is the error for undoing a change of lines that are not kept any more.
type linesGone struct{ err *memory.Error }

func (e linesGone) Error() string { return e.err.Error() }
func (e linesGone) Unwrap() error { return e.err }

// findLines returns where the changed lines of a file are now. They are in their
// old place, or in the only other one with the same lines around it.
func findLines(src []byte, l index.FormerLines) (at int, found bool) {
	around := bytes.Join([][]byte{l.Above, l.After, l.Below}, nil)
	if from := l.Start - len(l.Above); from >= 0 && from <= len(src) && bytes.HasPrefix(src[from:], around) && (len(around) > 0 || from == len(src)) {
		return l.Start, true
	}
	if len(around) == 0 || bytes.Count(src, around) != 1 {
		return 0, false
	}
	return bytes.Index(src, around) + len(l.Above), true
}
