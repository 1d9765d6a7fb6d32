package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// remover takes texts out of Markdown, and the lines about them out of front
// matter, one write a file.
type remover struct {
	*workspaceState
	texts   index.ForgottenTexts
	entries map[string][]frontmatter.Change // by the file that holds them
}

func (s *workspaceState) newRemover(ctx context.Context, ids []memory.ID) (*remover, error) {
	c := &remover{workspaceState: s, entries: map[string][]frontmatter.Change{}}
	var err error
	if c.texts, err = s.db.TextsToDestroy(ctx, ids); err != nil {
		return nil, err
	}
	copies, err := s.db.Copies(ctx, ids) // those that came since, too
	if err != nil {
		return nil, err
	}
	stances, err := s.db.Declarations(ctx, slices.Concat(ids, copies))
	for _, st := range stances {
		for _, l := range st.Entries {
			change := frontmatter.Change{ID: st.Memory.ID, Remove: true}
			if !strings.HasPrefix(st.Memory.ID.InFile(), l.Entry.IDPrefix) || len(l.Entry.IDPrefix) < len(st.Memory.ID.InFile()) {
				change.Previous = &l.Entry
			}
			if !slices.ContainsFunc(c.entries[l.Path], func(has frontmatter.Change) bool { return has.ID == change.ID }) {
				c.entries[l.Path] = append(c.entries[l.Path], change)
			}
		}
	}
	return c, err
}

// check says what would keep a file from being cut, before anything is
// changed.
func (c *remover) check(path string) error {
	d, err := c.openFolder()
	if err != nil {
		return err
	}
	src, _, err := d.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	next, err := c.withoutTexts(path, src)
	if err != nil || bytes.Equal(next, src) {
		return err
	}
	info, err := os.Stat(filepath.Join(c.Dir, filepath.FromSlash(path)))
	switch {
	case err != nil:
		return err
	case c.Options.ReadOnly:
		return notWritable(path, "the workspace is read-only")
	case info.Mode().Perm()&0o222 == 0:
		return notWritable(path, "the file cannot be written")
	}
	return nil
}

func notWritable(path, why string) error {
	return memory.Conflict("the text stands in %s, and %s", path, why).WithHint("make %s writable, then try again; nothing was changed", path)
}

// removeFrom takes the texts out of one file, as it is now.
func (c *remover) removeFrom(path string) (err error) {
	for range maxWriteTries {
		if err = c.tryRemoveFrom(path); !errors.Is(err, memory.ErrConflict) {
			return err
		}
	}
	return err
}

func (c *remover) tryRemoveFrom(path string) error {
	d, err := c.openFolder()
	if err != nil {
		return err
	}
	src, _, err := d.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the text went with its file
	}
	if err != nil {
		return err
	}
	next, err := c.withoutTexts(path, src)
	if err != nil || bytes.Equal(next, src) {
		return err
	}
	tail, err := d.Replace(path, sha256.Sum256(src), next)
	c.watchAppends(tail)
	return err
}

// withoutTexts is a file without the texts and the lines about them.
func (c *remover) withoutTexts(path string, src []byte) ([]byte, error) {
	lines := c.entries[path]
	if path == memory.DecisionsFile {
		next, err := frontmatter.SetDecisions(src, c.Zone, lines)
		if err != nil {
			return nil, notEditable(path, err.Error())
		}
		return next, nil
	}
	m := frontmatter.Parse(src, c.Zone)
	next, gone := src, c.blockSpans(src, m)
	if len(gone) == 0 && len(lines) == 0 {
		return src, nil
	}
	if m.Conflict || m.Broken {
		return nil, notEditable(path, "its front matter cannot be read, or it has git's conflict markers")
	}
	if len(gone) > 0 {
		if next = c.removeBlocks(src, m, gone); next == nil {
			return nil, notEditable(path, "what stands around it would mean something else")
		}
	}
	if len(lines) == 0 {
		return next, nil
	}
	next, err := frontmatter.Set(next, c.Zone, lines)
	if err != nil {
		return nil, notEditable(path, err.Error())
	}
	return next, nil
}

func notEditable(path, why string) error {
	return memory.Conflict("%s cannot be taken apart: %s", path, why).
		WithHint("take the text and the line about it out of %s by hand, then destroy the memory", path)
}

func (c *remover) blockSpans(src []byte, m frontmatter.Parsed) (gone []frontmatter.Span) {
	for _, b := range chunker.Blocks(src, m.Body) {
		if c.matches(b) {
			gone = append(gone, frontmatter.Span{Start: b.Start, End: b.End})
		}
	}
	return gone
}

func (c *remover) matches(b memory.Block) bool {
	return c.texts.Contains(b.Fingerprint, b.Text, b.Heading)
}

// removeBlocks cuts, and keeps apart what would grow together: two lists, a paragraph
// and what is indented below it, the beginning of the file and a rule. Nil: it
// cannot be done without changing what another memory is.
func (c *remover) removeBlocks(src []byte, m frontmatter.Parsed, gone []frontmatter.Span) []byte {
	end := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		end = "\r\n"
	}
	for _, gap := range []string{"", end, "<!-- -->" + end, end + "<!-- -->" + end + end} {
		next := frontmatter.RemoveBlocks(src, m, gone, gap)
		after := frontmatter.Parse(next, c.Zone)
		if after.Body == m.Body && bytes.Equal(next[:after.Body], src[:m.Body]) && c.changesNothingElse(src, next, m.Body) {
			return next
		}
	}
	return nil
}

// changesNothingElse says that a body still says all that it said, in order and under the
// same headings, but for the texts.
func (c *remover) changesNothingElse(before, after []byte, body int) bool {
	left := chunker.Blocks(after, body)
	for _, b := range chunker.Blocks(before, body) {
		if c.matches(b) {
			continue
		}
		same := func(other memory.Block) bool {
			return other.Fingerprint == b.Fingerprint && slices.Equal(other.Heading, b.Heading)
		}
		i := slices.IndexFunc(left, same)
		if i < 0 {
			return false
		}
		left = left[i+1:]
	}
	return !slices.ContainsFunc(chunker.Blocks(after, body), c.matches)
}
