package ingest

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/workspace"
)

// changes is the difference between the disk and the index.
type changes struct {
	toRead  []string // new files, and files with another stamp or other defaults
	removed []string
	faults  []memory.Fault // of paths that could not be checked

	badLinks []memory.Fault // links that lead to no file
}

// maxStatPaths is how many paths are checked one by one. For more, one walk
// over all files is cheaper.
const maxStatPaths = 64

// cleanPaths returns the paths as files are listed. The workspace itself means
// all files and gives no path.
func cleanPaths(paths []string) ([]string, error) {
	out := make([]string, 0, len(paths))
	for _, p := range paths {
		name := path.Clean(p)
		if p == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, memory.Invalid("paths", "%q is not a path inside the workspace", p).
				WithHint("give files and folders relative to the workspace folder")
		}
		if name == "." {
			return nil, nil
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// findChanges compares the disk with the index, for all files or at the given
// paths.
func (r *run) findChanges(ctx context.Context, paths []string, force bool) (changes, error) {
	if len(paths) > 0 && len(paths) <= maxStatPaths {
		if err := r.loadFiles(ctx, paths...); err != nil {
			return changes{}, err
		}
		if c, ok, err := r.checkPaths(paths, force); ok || err != nil {
			return c, err
		}
	}
	if err := r.loadFiles(ctx); err != nil {
		return changes{}, err
	}
	found, err := r.source.Walk(ctx)
	if err != nil {
		return changes{}, err
	}
	c := r.diffSorted(found.Files, r.indexed, force)
	c.faults, c.badLinks = found.Faults, found.BadLinks
	c.keepNotedLinks(r.indexed)
	if len(paths) > 0 {
		c.restrictTo(paths)
	}
	return c, r.confirmRemoved(&c)
}

// diffSorted merges the files on disk with the indexed files, both sorted by
// path.
func (in *Ingester) diffSorted(files []workspace.File, indexed []memory.FileState, force bool) changes {
	var c changes
	for i, j := 0, 0; i < len(files) || j < len(indexed); {
		switch {
		case j == len(indexed) || i < len(files) && files[i].Path < indexed[j].Path:
			c.toRead = append(c.toRead, files[i].Path)
			i++
		case i == len(files) || indexed[j].Path < files[i].Path:
			c.removed = append(c.removed, indexed[j].Path)
			j++
		default:
			if force || in.mustRead(files[i], indexed[j]) {
				c.toRead = append(c.toRead, files[i].Path)
			}
			i, j = i+1, j+1
		}
	}
	return c
}

// mustRead reports whether a file may have other bytes, or the configuration
// has other defaults for it.
func (in *Ingester) mustRead(f workspace.File, was memory.FileState) bool {
	return f.Stamp != was.Stamp || !reflect.DeepEqual(in.source.Defaults(f.Path), was.Defaults)
}

// confirmRemoved checks each file that a walk did not list. Its folder may be
// unreadable, and an editor that replaces a file removes it for a millisecond.
func (in *Ingester) confirmRemoved(c *changes) error {
	listed := c.removed
	c.removed = nil
	for _, p := range listed {
		if hasFault(p, c.faults) {
			continue
		}
		_, exists, err := in.source.Stat(p)
		switch {
		case errors.Is(err, memory.ErrUnavailable):
			return err
		case err != nil:
			// The next scan reports a fault for it.
		case exists:
			c.toRead = append(c.toRead, p)
		default:
			c.removed = append(c.removed, p)
		}
	}
	slices.Sort(c.toRead)
	return nil
}

// checkPaths checks single files. It returns false if a path may be a folder.
func (r *run) checkPaths(paths []string, force bool) (c changes, ok bool, err error) {
	for _, p := range paths {
		was, known := r.indexedFile(p)
		f, exists, err := r.source.Stat(p)
		badLink, bad := memory.Fault{}, false
		if !exists && err == nil {
			badLink, bad = r.source.BadLink(p)
		}
		var large *workspace.TooLarge
		switch {
		case errors.As(err, &large):
			c.faults = append(c.faults, large.Fault())
		case errors.Is(err, memory.ErrUnavailable):
			return c, false, err
		case err != nil:
			c.faults = append(c.faults, memory.Fault{Path: p, Message: fmt.Sprintf("cannot be checked: %v", err)})
		case bad:
			c.badLinks = append(c.badLinks, badLink)
			if known && !isFaultOnly(was) {
				c.removed = append(c.removed, p)
			}
		case !exists && !known:
			return changes{}, false, nil
		case !exists:
			c.removed = append(c.removed, p)
		case force || !known || r.mustRead(f, was):
			c.toRead = append(c.toRead, p)
		}
	}
	return c, true, nil
}

// keepNotedLinks keeps the faults of links that lead to no file, although no file is
// there.
func (c *changes) keepNotedLinks(indexed []memory.FileState) {
	noted := map[string]bool{}
	for _, f := range indexed {
		if isFaultOnly(f) {
			noted[f.Path] = true
		}
	}
	c.removed = slices.DeleteFunc(c.removed, func(path string) bool {
		return noted[path] && slices.ContainsFunc(c.badLinks, func(f memory.Fault) bool { return f.Path == path })
	})
}

// isFaultOnly reports whether the index has only faults of a path, and no content.
func isFaultOnly(f memory.FileState) bool { return f.Hash == memory.Hash{} && f.Stamp == "" }

// hasFault reports whether a path, or a folder above it, could not be checked.
// Files there do not count as removed.
func hasFault(path string, faults []memory.Fault) bool {
	return slices.ContainsFunc(faults, func(f memory.Fault) bool { return workspace.Contains(f.Path, path) })
}

// restrictTo keeps what is at or below one of the paths.
func (c *changes) restrictTo(paths []string) {
	named := make(map[string]bool, len(paths))
	for _, p := range paths {
		named[p] = true
	}
	outside := func(name string) bool {
		for ; name != "." && name != "/"; name = path.Dir(name) {
			if named[name] {
				return false
			}
		}
		return true
	}
	c.toRead = slices.DeleteFunc(c.toRead, outside)
	c.removed = slices.DeleteFunc(c.removed, outside)
	c.badLinks = slices.DeleteFunc(c.badLinks, func(f memory.Fault) bool { return outside(f.Path) })
}
