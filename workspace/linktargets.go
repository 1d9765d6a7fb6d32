package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
)

// link is a symbolic link that a scan found.
type link struct {
	name, real string // real: the path of the link itself, with the links above it resolved
	depth      int
}

// linkTarget is where a link leads.
type linkTarget struct {
	real    string
	info    os.FileInfo // nil: the link cannot be followed
	parts   []string    // see ScanResult.LinkParts
	problem string      // why nothing is indexed through the link; empty: nothing is wrong with it
}

// mayLead reports whether a link of this name may lead to files of memories.
func (w *Workspace) mayLead(name string) bool { return w.Indexable(name) || !w.SkipDir(name) }

// follow reads where a link leads, and lists what is there.
func (s *scan) follow(ctx context.Context, l link) error {
	to := s.w.targetOf(s.root, l.name, l.real)
	s.noteParts(to.parts)
	switch {
	case to.problem != "":
		s.result.BadLinks = append(s.result.BadLinks, memory.Fault{Path: l.name, Message: to.problem})
	case to.info == nil:
	case to.info.IsDir():
		if s.followed[to.real] || s.w.SkipDir(l.name) || s.w.excluded(to.real, true) {
			return nil
		}
		s.followed[to.real] = true
		return s.folder(ctx, l.name, to.real, l.depth+1)
	case to.info.Mode().IsRegular() && s.w.Indexable(l.name) && s.w.mayLinkTo(to.real):
		s.add(l.name, to.real, to.info)
	}
	return nil
}

// noteParts watches the folders of the paths on which a link's target depends.
func (s *scan) noteParts(parts []string) {
	for _, part := range parts {
		if folder := path.Dir(part); folder == "." || !s.w.excluded(folder, true) {
			s.linkParts[part] = true
			s.watch(folder)
		}
	}
}

// BadLink returns the fault of Scan for one path: why nothing is indexed through the
// link there. ok is false for a good link, and for what is no link.
func (w *Workspace) BadLink(name string) (fault memory.Fault, ok bool) {
	root, err := w.openRoot()
	if err != nil || !utf8.ValidString(name) || !isLocal(name) || !w.mayLead(name) {
		return memory.Fault{}, false
	}
	folder, _, err := w.resolveLinks(root, path.Dir(name))
	if err != nil {
		return memory.Fault{}, false
	}
	real := path.Join(folder, path.Base(name))
	if info, err := root.Lstat(real); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return memory.Fault{}, false
	}
	problem := w.targetOf(root, name, real).problem
	return memory.Fault{Path: name, Message: problem}, problem != ""
}

// targetOf follows the link at a real path, which is listed as name.
func (w *Workspace) targetOf(root *os.Root, name, real string) (to linkTarget) {
	var err error
	to.real, to.info, to.parts, err = w.traceLinks(root, real)
	if err != nil {
		to.info = nil
		if isMarkdown(name) || !hasExtension(name) {
			to.problem = describeBadLink(err)
		}
		return to
	}
	folder := to.info.IsDir()
	switch {
	case folder && w.SkipDir(name), !folder && !w.Indexable(name):
	case folder && contains(to.real, path.Dir(real)):
		to.problem = "not indexed: the link leads to a folder that contains the link"
	case neverIndexed(to.real, folder):
		to.problem = "not indexed: the link leads to a hidden place, or another one that is never indexed"
	case !folder && !to.info.Mode().IsRegular():
		to.problem = "not indexed: the link does not lead to a regular file"
	case !folder && !isMarkdown(to.real):
		to.problem = "not indexed: the link leads to a file whose name does not end in .md"
	}
	return to
}

func describeBadLink(err error) string {
	switch {
	case errors.Is(err, errOutside):
		return "not indexed: the link leads outside the workspace, where nothing is read; " +
			"move the target into the workspace, or register its folder as a workspace too"
	case errors.Is(err, errLinkLoop):
		return fmt.Sprintf("not indexed: the link leads in a circle, or through more than %d links", maxLinks)
	case isAbsent(err):
		return "not indexed: the target of the link does not exist"
	}
	return "not indexed: the link cannot be followed: " + withoutPath(err)
}

// hasExtension reports whether a name ends in an extension, as those of files do.
// Folders may end in a version, such as notes-2.0.
func hasExtension(name string) bool {
	ext := []rune(path.Ext(name))
	return len(ext) > 1 && unicode.IsLetter(ext[1])
}

// contains reports whether inner is folder itself or below it.
func contains(folder, inner string) bool {
	return folder == "." || inner == folder || strings.HasPrefix(inner, folder+"/")
}
