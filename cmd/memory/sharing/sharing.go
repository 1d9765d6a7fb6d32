// Package sharing writes scenes into the folder of another agent, as Markdown that it indexes.
// Each scene has one file, in a folder of the workspace that it is of. Each memory there has a mark with its id here. So the next sync updates
// it, and takes it out once it may not be shared any more. All else in the file stays.
package sharing

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/knowledge"
	"github.com/memory-tiered/memory/workspace"
)

// scenesFolder returns where the folder of an agent has the scenes of a workspace.
func scenesFolder(from string) string { return "memory/scenes/" + from + "/" }

// File is what a sync changes about the file of one scene.
type File struct {
	Path      string                 `json:"path"`
	Added     memory.List[string]    `json:"added"`    // texts
	Removed   memory.List[string]    `json:"removed"`  // texts
	LeftOut   memory.List[memory.ID] `json:"left_out"` // that no bullet can have
	Unchanged int                    `json:"unchanged"`

	folder, name  string
	before, after []byte // nil: no file
}

// Synced returns the ids of the scenes of a workspace that a folder has.
func Synced(folder, from string) (ids []string, err error) {
	files, err := os.ReadDir(filepath.Join(folder, scenesFolder(from)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, memory.Unavailable(err, "read %s", folder)
	}
	for _, file := range files {
		if id, isFile := strings.CutSuffix(file.Name(), ".md"); isFile {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Plan returns how the file of a scene of a workspace changes. The memories are all that may be
// shared of it.
func Plan(folder, from string, s knowledge.Scene, memories []memory.Memory) (f File, err error) {
	f.folder, f.name = folder, scenesFolder(from)+s.ID+".md"
	f.Path = filepath.Join(folder, filepath.FromSlash(f.name))
	to, err := workspace.Open(folder, workspace.Options{})
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if f.before, _, err = to.Read(f.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, memory.Unavailable(err, "read %s", f.Path)
	}
	wanted := map[string]memory.Memory{} // by the reference in its mark
	for _, m := range memories {
		wanted[declaredOf(s, m).SourceRef] = m
	}
	var gone []frontmatter.Span
	others := 0
	parsed := frontmatter.Parse(f.before, time.UTC)
	for _, b := range chunker.Blocks(f.before, parsed.BodyStart) {
		m, isWanted := wanted[b.Annotations.SourceRef]
		switch {
		case !strings.HasPrefix(b.Annotations.SourceRef, prefixOf(s)):
			others++
		case isWanted && b.Text == chunker.Clean(m.Text) && b.Annotations.Trust == declaredOf(s, m).Trust:
			f.Unchanged++
			delete(wanted, b.Annotations.SourceRef)
		default:
			f.Removed = append(f.Removed, b.Text)
			gone = append(gone, frontmatter.Span{Start: b.Start, End: b.End})
		}
	}
	f.after = frontmatter.RemoveBlocks(f.before, parsed, gone, "")
	for _, m := range memories {
		if _, isNew := wanted[declaredOf(s, m).SourceRef]; !isNew {
			continue
		}
		if next := withBullet(f.after, s, m); next != nil {
			f.after, f.Added = next, append(f.Added, m.Text)
		} else {
			f.LeftOut = append(f.LeftOut, m.ID)
		}
	}
	switch {
	case len(f.Added)+len(f.Removed)+f.Unchanged == 0:
		f.after = f.before // it is no file of a sync
	case len(f.Added)+f.Unchanged+others == 0:
		f.after = nil
	default:
		f.after = withTitle(f.after, s.Title)
	}
	return f, nil
}

// prefixOf returns how the references of a scene begin.
func prefixOf(s knowledge.Scene) string { return chunker.SessionRef("scene:" + s.ID) }

// declaredOf returns what the mark of a memory declares.
func declaredOf(s knowledge.Scene, m memory.Memory) memory.Declared {
	d := memory.Declared{Source: memory.SourceImport, SourceRef: prefixOf(s) + "memory:" + m.ID.InFile(), Scope: m.Scope, Created: m.CreatedAt}
	if m.Trust != memory.TrustTrusted {
		d.Trust = m.Trust
	}
	if m.ExpiresAt != nil {
		d.Expires = *m.ExpiresAt
	}
	return d
}

// withBullet returns a file with one more memory, or nil if it would not read back as that.
func withBullet(file []byte, s knowledge.Scene, m memory.Memory) []byte {
	if len(file) > 0 && !bytes.HasSuffix(file, []byte("\n")) {
		file = append(slices.Clone(file), '\n')
	}
	want, before := declaredOf(s, m), len(blocks(file))
	for _, bullet := range chunker.MarkedBullets(m.Text, want) {
		next := append(slices.Clone(file), bullet...)
		if all := blocks(next); len(all) == before+1 && all[before].Text == chunker.Clean(m.Text) && all[before].Annotations.SourceRef == want.SourceRef && all[before].Annotations.Trust == want.Trust {
			return next
		}
	}
	return nil
}

func blocks(file []byte) []memory.Block {
	return chunker.Blocks(file, frontmatter.Parse(file, time.UTC).BodyStart)
}

// withTitle returns a file with a title as its first heading, in place of the one before.
func withTitle(file []byte, title string) []byte {
	at := min(max(frontmatter.Parse(file, time.UTC).BodyStart, 0), len(file))
	rest := file[at:]
	if bytes.HasPrefix(rest, []byte("# ")) {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	} else {
		rest = append([]byte("\n"), rest...)
	}
	line := strings.TrimPrefix(strings.TrimSuffix(string(chunker.Bullet(strings.Join(strings.Fields(title), " "))), "\n"), "- ")
	return slices.Concat(file[:at], []byte("# "+line+"\n"), rest)
}

// Write carries out the change, unless the file changed since. A file without memories goes.
func (f File) Write() (err error) {
	if bytes.Equal(f.before, f.after) {
		return nil
	}
	to, err := workspace.Open(f.folder, workspace.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	var was memory.Hash
	if f.before != nil {
		was = sha256.Sum256(f.before)
	}
	if f.after == nil {
		return to.Remove(f.name, was)
	}
	late, err := to.Replace(f.name, was, f.after)
	return errors.Join(err, late.Close())
}
