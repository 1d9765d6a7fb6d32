package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks is how many links one path may lead through. It is the limit of Linux.
const maxLinks = 40

var (
	errOutside  = errors.New("leads outside of the workspace")
	errLinkLoop = errors.New("too many links")
)

// resolveLinks resolves every link in name and returns the real path, relative to
// the workspace. An os.Root refuses absolute links; resolveLinks follows those that
// lead into the workspace.
func (w *Workspace) resolveLinks(root *os.Root, name string) (real string, info os.FileInfo, err error) {
	real, info, _, err = w.traceLinks(root, name)
	return real, info, err
}

// traceLinks is resolveLinks, and also returns the parts on which the result
// depends. These are the real paths of all links, and of a name that does not
// exist.
func (w *Workspace) traceLinks(root *os.Root, name string) (real string, info os.FileInfo, parts []string, err error) {
	at, rest := ".", strings.Split(name, "/")
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		switch {
		case part == "" || part == ".":
			continue
		case part == ".." && at == ".":
			return "", nil, parts, errOutside
		case part == "..":
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, part)
		if info, err = root.Lstat(next); err != nil {
			return "", nil, append(parts, next), err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		if parts = append(parts, next); len(parts) > maxLinks {
			return "", nil, parts, errLinkLoop
		}
		target, absolute, err := w.readLink(root, next)
		if err != nil {
			return "", nil, parts, err
		}
		if absolute {
			at = "."
		}
		rest = append(target, rest...)
	}
	info, err = root.Lstat(at)
	return at, info, parts, err
}

func (w *Workspace) readLink(root *os.Root, name string) (parts []string, absolute bool, err error) {
	target, err := root.Readlink(name)
	if err != nil {
		return nil, false, err
	}
	if !filepath.IsAbs(target) {
		return strings.Split(filepath.ToSlash(target), "/"), false, nil
	}
	bases := []string{w.dir}
	if real, err := filepath.EvalSymlinks(w.dir); err == nil {
		bases = append(bases, real)
	}
	for _, base := range bases {
		if rel, err := filepath.Rel(base, target); err == nil && filepath.IsLocal(rel) {
			return strings.Split(filepath.ToSlash(rel), "/"), true, nil
		}
	}
	return nil, false, errOutside
}

// resolveFile finds the regular file that an indexable name leads to. A link does
// not make a file indexable whose real path is excluded.
func (w *Workspace) resolveFile(root *os.Root, name string) (real string, info os.FileInfo, err error) {
	real, info, err = w.resolveLinks(root, name)
	if err == nil && (!info.Mode().IsRegular() || real != name && !w.mayLinkTo(real)) {
		err = errNotIndexed
	}
	return real, info, err
}

var errNotIndexed = errors.New("not an indexed file")

func (w *Workspace) mayLinkTo(real string) bool { return isMarkdown(real) && !w.excluded(real, false) }

// isAbsent reports whether an error of resolveLinks or resolveFile means that there
// is no such file of memories.
func isAbsent(err error) bool {
	for _, kind := range []error{fs.ErrNotExist, errNotIndexed, errOutside, errLinkLoop, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// aliasTable maps each file to the one of its names that the scan lists, so that
// Stat agrees with the scan.
type aliasTable struct {
	byReal map[string]string // for symbolic links: by real path
	byID   map[fileID]string // for hard links
}

// IsLinked reports whether the last scan listed this file by another name.
func (w *Workspace) IsLinked(real string) bool {
	_, known := w.aliases.Load().byReal[real]
	return known
}

// choose returns the name that lists the candidate's file. first is true where that
// is the candidate's own name.
func (t *aliasTable) choose(c candidate) (chosen string, first bool) {
	if chosen, known := t.lookup(c.real, c.file.id); known {
		return chosen, false
	}
	if t.byReal == nil {
		t.byReal, t.byID = map[string]string{}, map[fileID]string{}
	}
	t.byReal[c.real] = c.file.Path
	if c.file.id != (fileID{}) {
		t.byID[c.file.id] = c.file.Path
	}
	return c.file.Path, true
}

func (t *aliasTable) lookup(real string, id fileID) (chosen string, known bool) {
	if chosen, known = t.byReal[real]; !known {
		chosen, known = t.byID[id]
	}
	return chosen, known
}
