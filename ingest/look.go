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
	read    []string // to be read: new, another stamp, or another place's defaults
	removed []string
	faults  []memory.Fault // of what could not be looked at
}

// manyPaths is how many paths are looked at one by one: beyond it one walk over
// everything is cheaper.
const manyPaths = 64

// cleaned gives the paths of a hint in the form that files are listed by. The
// workspace itself is everything: no path.
func cleaned(paths []string) ([]string, error) {
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
	c := in.compare(files, stored, force)
	c.faults = faults
	if len(paths) > 0 {
		c.narrow(paths)
	}
	return c, in.confirm(&c)
}

// compare is a merge-join of what is on the disk and what is indexed, both
// sorted by path.
func (in *Ingester) compare(files []workspace.File, stored []memory.FileState, force bool) changes {
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
			if force || in.differs(files[i], stored[j]) {
				c.read = append(c.read, files[i].Path)
			}
			i, j = i+1, j+1
		}
	}
	return c
}

// differs says that a file has to be read: it may hold other bytes, or the
// configuration gives its place other defaults than before.
func (in *Ingester) differs(f workspace.File, was memory.FileState) bool {
	return f.Stamp != was.Stamp || !reflect.DeepEqual(in.source.Defaults(f.Path), was.Defaults)
}

// confirm looks again for what a walk did not list: nobody may have been able to
// look there, and an editor that replaces a file leaves none for a millisecond.
func (in *Ingester) confirm(c *changes) error {
	listed := c.removed
	c.removed = nil
	for _, p := range listed {
		if unseen(p, c.faults) {
			continue
		}
		_, there, err := in.source.Stat(p)
		switch {
		case errors.Is(err, memory.ErrUnavailable):
			return err
		case err != nil:
			// A fault will stand on it in the next look.
		case there:
			c.read = append(c.read, p)
		default:
			c.removed = append(c.removed, p)
		}
	}
	slices.Sort(c.read)
	return nil
}

// lookAt looks at single files. It gives up where a path may be a folder.
func (in *Ingester) lookAt(stored []memory.FileState, paths []string, force bool) (c changes, ok bool, err error) {
	for _, p := range paths {
		at := sort.Search(len(stored), func(i int) bool { return stored[i].Path >= p })
		known := at < len(stored) && stored[at].Path == p
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
		case force || !known || in.differs(f, stored[at]):
			c.read = append(c.read, p)
		}
	}
	return c, true, nil
}

// unseen says that nobody could look at a path: a fault stands on it, or on a
// folder above it. What was known there is not gone.
func unseen(path string, faults []memory.Fault) bool {
	return slices.ContainsFunc(faults, func(f memory.Fault) bool { return under(path, f.Path) })
}

func under(path, folder string) bool {
	return folder == "" || folder == "." || path == folder || strings.HasPrefix(path, folder+"/")
}

// narrow keeps what lies at or below one of the paths.
func (c *changes) narrow(paths []string) {
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
	c.read = slices.DeleteFunc(c.read, outside)
	c.removed = slices.DeleteFunc(c.removed, outside)
}
