package ingest

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/workspace"
)

// changes is what a look at the disk found, against what is indexed.
type changes struct {
	read    []string // to be read: new, or another stamp
	removed []string
	faults  []memory.Fault // of what could not be looked at
}

// manyPaths is how many paths are looked at one by one: beyond it one walk over
// everything is cheaper.
const manyPaths = 64

// look compares the disk with the index: everything, or what paths name.
func (in *Ingester) look(ctx context.Context, stored []memory.FileState, paths []string, force bool) (changes, error) {
	if len(paths) > 0 && len(paths) <= manyPaths {
		if c, ok, err := in.lookAt(stored, paths, force); ok || err != nil {
			return c, err
		}
	}
	files, faults, err := in.source.Walk(ctx)
	if err != nil {
		return changes{}, err
	}
	c := compare(files, stored, force)
	c.faults = faults
	c.removed = slices.DeleteFunc(c.removed, func(path string) bool { return unseen(path, faults) })
	if len(paths) > 0 {
		c.narrow(paths)
	}
	return c, nil
}

// compare is a merge-join of what is on the disk and what is indexed, both
// sorted by path.
func compare(files []workspace.File, stored []memory.FileState, force bool) changes {
	var c changes
	for i, j := 0, 0; i < len(files) || j < len(stored); {
		switch {
		case j == len(stored) || i < len(files) && files[i].Path < stored[j].Path:
			c.read = append(c.read, files[i].Path)
			i++
		case i == len(files) || stored[j].Path < files[i].Path:
			c.removed = append(c.removed, stored[j].Path)
			j++
		default:
			if force || files[i].Stamp != stored[j].Stamp {
				c.read = append(c.read, files[i].Path)
			}
			i, j = i+1, j+1
		}
	}
	return c
}

// lookAt looks at single files. It gives up where a path may be a folder.
func (in *Ingester) lookAt(stored []memory.FileState, paths []string, force bool) (c changes, ok bool, err error) {
	for _, path := range paths {
		at := sort.Search(len(stored), func(i int) bool { return stored[i].Path >= path })
		known := at < len(stored) && stored[at].Path == path
		f, there, err := in.source.Stat(path)
		var large *workspace.TooLarge
		switch {
		case errors.As(err, &large):
			return c, false, nil // a walk tells its fault like any other
		case err != nil:
			return c, false, err
		case !there && !known:
			return c, false, nil
		case !there:
			c.removed = append(c.removed, path)
		case force || !known || stored[at].Stamp != f.Stamp:
			c.read = append(c.read, path)
		}
	}
	slices.Sort(c.read)
	slices.Sort(c.removed)
	c.read, c.removed = slices.Compact(c.read), slices.Compact(c.removed)
	return c, true, nil
}

// unseen says that nobody could look at a path: a fault stands on it, or on a
// folder above it. What was known there is not gone.
func unseen(path string, faults []memory.Fault) bool {
	for _, f := range faults {
		if under(path, f.Path) {
			return true
		}
	}
	return false
}

func under(path, folder string) bool {
	return folder == "" || folder == "." || path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}

// narrow keeps what lies at or below one of the paths.
func (c *changes) narrow(paths []string) {
	outside := func(path string) bool {
		return !slices.ContainsFunc(paths, func(p string) bool { return under(path, p) })
	}
	c.read = slices.DeleteFunc(c.read, outside)
	c.removed = slices.DeleteFunc(c.removed, outside)
	c.faults = slices.DeleteFunc(c.faults, func(f memory.Fault) bool { return outside(f.Path) })
}
