package workspace

import (
	"context"
	"errors"
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

// mayLead reports whether a link of this name may lead to files of memories.
func (w *Workspace) mayLead(name string) bool { return w.Indexable(name) || !w.SkipDir(name) }

// follow reads where a link leads, and lists what is there.
func (s *scan) follow(ctx context.Context, l link) error {
	real, info, problem := s.w.targetOf(s.root, l.name, l.real)
	switch {
	case problem != "":
		s.result.BadLinks = append(s.result.BadLinks, memory.Fault{Path: l.name, Message: problem})
	case info == nil:
	case info.IsDir():
		if s.followed[real] || s.w.SkipDir(l.name) || s.w.excluded(real, true) {
			return nil
		}
		s.followed[real] = true
		return s.folder(ctx, l.name, real, l.depth+1)
	case info.Mode().IsRegular() && s.w.Indexable(l.name) && s.w.mayLinkTo(real):
		s.add(l.name, real, info)
	}
	return nil
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
	_, _, problem := w.targetOf(root, name, real)
	return memory.Fault{Path: name, Message: problem}, problem != ""
}

// targetOf follows the link at a real path, which is listed as name. info is nil where it
// cannot be followed. problem is why nothing is indexed through the link; empty: nothing is
// wrong with it.
func (w *Workspace) targetOf(root *os.Root, name, link string) (real string, info os.FileInfo, problem string) {
	real, info, err := w.resolveLinks(root, link)
	if err != nil {
		if w.reads(name) || !hasExtension(name) {
			problem = describeBadLink(err)
		}
		return "", nil, problem
	}
	folder := info.IsDir()
	switch {
	case folder && w.SkipDir(name), !folder && !w.Indexable(name):
	case folder && Contains(real, path.Dir(link)):
		problem = "not indexed: the link leads to a folder that contains the link"
	case neverIndexed(real, folder):
		problem = "not indexed: the link leads to a hidden place, or another one that is never indexed"
	case !folder && !info.Mode().IsRegular():
		problem = "not indexed: the link does not lead to a regular file"
	case !folder && !w.reads(real):
		problem = "not indexed: the link leads to a file whose name does not end in .md"
	}
	return real, info, problem
}

func describeBadLink(err error) string {
	switch {
	case errors.Is(err, errOutside):
		return "not indexed: the link leads outside the workspace, where nothing is read; " +
			"move the target into the workspace, or register its folder as a workspace too"
	case errors.Is(err, errLinkLoop):
		return "not indexed: the link leads in a circle, or through too many links"
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

// Contains reports whether a path in a workspace is a folder of it, or below that.
func Contains(folder, name string) bool {
	return folder == "." || name == folder || strings.HasPrefix(name, folder+"/")
}
