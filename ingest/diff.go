package ingest

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/workspace"
)

// changes is what a look at the disk found, against what is indexed.
type changes struct {
	toRead  []string // to be read: new, another stamp, or another place's defaults
	removed []string
	faults  []memory.Fault // of what could not be looked at
}

// maxStatPaths is how many paths are looked at one by one: beyond it one walk over
// everything is cheaper.
const maxStatPaths = 64

// cleanPaths gives the paths of a hint in the form that files are listed by. The
// workspace itself is everything: no path.
func cleanPaths(paths []string) ([]string, error) {
	out := make([]string, 0, len(paths))
	for _, p := range paths {
		name := path.Clean(p)
		if p == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, memory.Invalid("paths", "%q is no path in the workspace", p).
				WithHint("name files and folders relative to the workspace's own")
		}
		if name == "." {
			return nil, nil
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// findChanges compares the disk with the index: everything, or what paths name.
func (in *Ingester) findChanges(ctx context.Context, indexed []memory.FileState, paths []string, force bool) (changes, error) {
	if len(paths) > 0 && len(paths) <= maxStatPaths {
		if c, ok, err := in.checkPaths(indexed, paths, force); ok || err != nil {
			return c, err
		}
	}
	files, faults, err := in.source.Walk(ctx)
	if err != nil {
		return changes{}, err
	}
	c := in.diffSorted(files, indexed, force)
	c.faults = faults
	if len(paths) > 0 {
		c.restrictTo(paths)
	}
	return c, in.confirmRemoved(&c)
}

// diffSorted is a merge-join of what is on the disk and what is indexed, both
// sorted by path.
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

// mustRead says that a file has to be read: it may hold other bytes, or the
// configuration gives its place other defaults than before.
func (in *Ingester) mustRead(f workspace.File, was memory.FileState) bool {
	return f.Stamp != was.Stamp || !reflect.DeepEqual(in.source.Defaults(f.Path), was.Defaults)
}

// confirmRemoved looks again for what a walk did not list: nobody may have been able to
// look there, and an editor that replaces a file leaves none for a millisecond.
func (in *Ingester) confirmRemoved(c *changes) error {
	listed := c.removed
	c.removed = nil
	for _, p := range listed {
		if hasFault(p, c.faults) {
			continue
		}
		_, there, err := in.source.Stat(p)
		switch {
		case errors.Is(err, memory.ErrUnavailable):
			return err
		case err != nil:
			// A fault will stand on it in the next look.
		case there:
			c.toRead = append(c.toRead, p)
		default:
			c.removed = append(c.removed, p)
		}
	}
	slices.Sort(c.toRead)
	return nil
}

// checkPaths looks at single files. It gives up where a path may be a folder.
func (in *Ingester) checkPaths(indexed []memory.FileState, paths []string, force bool) (c changes, ok bool, err error) {
	for _, p := range paths {
		at := sort.Search(len(indexed), func(i int) bool { return indexed[i].Path >= p })
		known := at < len(indexed) && indexed[at].Path == p
		f, there, err := in.source.Stat(p)
		var large *workspace.TooLarge
		switch {
		case errors.As(err, &large):
			c.faults = append(c.faults, large.Fault())
		case errors.Is(err, memory.ErrUnavailable):
			return c, false, err
		case err != nil:
			c.faults = append(c.faults, memory.Fault{Path: p, Message: fmt.Sprintf("cannot be looked at: %v", err)})
		case !there && !known:
			return changes{}, false, nil
		case !there:
			c.removed = append(c.removed, p)
		case force || !known || in.mustRead(f, indexed[at]):
			c.toRead = append(c.toRead, p)
		}
	}
	return c, true, nil
}

// hasFault says that nobody could look at a path: a fault stands on it, or on a
// folder above it. What was known there is not gone.
func hasFault(path string, faults []memory.Fault) bool {
	return slices.ContainsFunc(faults, func(f memory.Fault) bool { return isUnder(path, f.Path) })
}

func isUnder(path, folder string) bool {
	return folder == "" || folder == "." || path == folder || strings.HasPrefix(path, folder+"/")
}

// restrictTo keeps what lies at or below one of the paths.
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
}
