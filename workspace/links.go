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

// maxLinks is how many links one path may lead through: Linux's own limit.
const maxLinks = 40

var (
	errOutside  = errors.New("leads outside of the workspace")
	errLinkLoop = errors.New("too many links")
)

// locate follows every link in name and gives where it truly leads, still from
// the workspace's top. An os.Root refuses absolute links altogether; one that
// points back into the workspace is followed here.
func (w *Workspace) locate(root *os.Root, name string) (real string, info os.FileInfo, err error) {
	at, rest, links := ".", strings.Split(name, "/"), 0
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		switch {
		case part == "" || part == ".":
			continue
		case part == ".." && at == ".":
			return "", nil, errOutside
		case part == "..":
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, part)
		if info, err = root.Lstat(next); err != nil {
			return "", nil, err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", nil, errLinkLoop
		}
		target, absolute, err := w.readLink(root, next)
		if err != nil {
			return "", nil, err
		}
		if absolute {
			at = "."
		}
		rest = append(target, rest...)
	}
	info, err = root.Lstat(at)
	return at, info, err
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

// find gives the regular file that an indexable name leads to. A link does not
// make a memory of what the rules keep out under its own name.
func (w *Workspace) find(root *os.Root, name string) (real string, info os.FileInfo, err error) {
	real, info, err = w.locate(root, name)
	if err == nil && (!info.Mode().IsRegular() || real != name && !w.linkable(real)) {
		err = errNotIndexed
	}
	return real, info, err
}

var errNotIndexed = errors.New("not a file that is indexed")

func (w *Workspace) linkable(real string) bool { return markdown(real) && !w.forbidden(real, false) }

// absent says that an error of locate or find means: no such memory file.
func absent(err error) bool {
	for _, kind := range []error{fs.ErrNotExist, errNotIndexed, errOutside, errLinkLoop, syscall.ENOTDIR, syscall.ELOOP} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}
