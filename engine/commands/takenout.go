package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/workspace"
)

// InPlace takes forgotten memories out of the files of an agent's client, and puts them back.
// Each file as it was before stays in a folder of ours until it is back. The client's own file
// is the only other place of the text.
type InPlace struct {
	Commands
	Client   string // whose memory it is; empty: it is no client's
	Options  workspace.Options
	Removals string // the folder that keeps what was taken out
}

// removal is a change of one file that takes memories out of it.
type removal struct {
	IDs []memory.ID `json:"ids"` // of the memories
	plan.FileChange
}

// open opens the folder for writing, although its workspace is only read.
func (f InPlace) open() (*workspace.Workspace, error) {
	o := f.Options
	o.ReadOnly = false
	return workspace.Open(f.Dir, o)
}

// write writes a file without its memories. name is unique to the change.
func (f InPlace) write(folder *workspace.Workspace, name string, r removal) error {
	if err := os.MkdirAll(f.Removals, 0o700); err != nil {
		return memory.Unavailable(err, "keep what is taken out")
	}
	record := filepath.Join(f.Removals, name+".json")
	if err := r.keep(record); err != nil {
		return err
	}
	if err := f.Replace(folder, r.FileChange); err != nil && !errors.Is(err, workspace.ErrUnsynced) {
		return errors.Join(err, os.Remove(record))
	}
	return nil
}

// keep writes the removal into a file of ours.
func (r removal) keep(record string) error {
	text, err := json.Marshal(r)
	if err == nil {
		err = atomicfile.Write(record, text, 0o600)
	}
	if err != nil {
		return memory.Unavailable(err, "keep what is taken out")
	}
	return nil
}

// replace writes the removal into a file of ours, or removes that file if nothing is left.
func (r removal) replace(record string) error {
	if len(r.IDs) > 0 {
		return r.keep(record)
	}
	if err := os.Remove(record); err != nil {
		return memory.Unavailable(err, "remove what was taken out")
	}
	return nil
}

// divide returns the part of a removal that is about some memories, and the part that is not.
func (f InPlace) divide(ctx context.Context, r removal, ids []memory.ID) (part, rest removal, err error) {
	part, rest = removal{FileChange: r.FileChange}, removal{}
	for _, id := range r.IDs {
		if slices.Contains(ids, id) {
			part.IDs = append(part.IDs, id)
		} else {
			rest.IDs = append(rest.IDs, id)
		}
	}
	if len(part.IDs) == 0 || len(rest.IDs) == 0 {
		return part, rest, nil
	}
	declarations, err := f.DB.Declarations(ctx, rest.IDs)
	if err != nil {
		return part, rest, err
	}
	rest.FileChange, _, err = f.WithoutBlocks(r.Path, r.Before, func(b memory.Block) bool {
		return slices.ContainsFunc(declarations, func(d index.Declarations) bool { return d.WrittenText == b.Text })
	})
	part.Before = rest.After
	return part, rest, err
}

// removals returns what was taken out, by the file that keeps it.
func (f InPlace) removals() (map[string]removal, error) {
	records, err := filepath.Glob(filepath.Join(f.Removals, "*.json"))
	kept := map[string]removal{}
	for _, record := range records {
		text, err := os.ReadFile(record)
		var r removal
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err != nil {
			return nil, memory.Unavailable(err, "read what was taken out")
		}
		kept[record] = r
	}
	return kept, err
}

// putBackAll puts back what was taken out of some memories' files, newest first. It returns
// the files that changed, and why others did not.
func (f InPlace) putBackAll(ctx context.Context, kept map[string]removal, ids []memory.ID) (paths, notices []string, err error) {
	if len(ids) == 0 {
		return nil, nil, nil
	}
	folder, err := f.open()
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	for _, record := range slices.Backward(slices.Sorted(maps.Keys(kept))) {
		now, later, err := f.divide(ctx, kept[record], ids)
		if err == nil && len(now.IDs) == 0 {
			continue
		}
		if err == nil {
			err = f.putBack(folder, now)
		}
		if err != nil {
			notices = append(notices, fmt.Sprintf("the text is not back in %s: %v; the file as it was is in %s", now.Path, err, record))
			continue
		}
		paths = append(paths, now.Path)
		if err := later.replace(record); err != nil {
			return paths, notices, err
		}
	}
	return paths, notices, nil
}

// putBack writes the lines back where they were. What was changed since stays.
func (f InPlace) putBack(folder *workspace.Workspace, r removal) error {
	now, _, err := folder.Read(r.Path)
	isGone := errors.Is(err, fs.ErrNotExist) || errors.Is(err, memory.ErrNotFound)
	if err != nil && !isGone {
		return err
	}
	next, ok := f.Reinsert(r.FileChange, now)
	switch {
	case !ok:
		return errors.New("it was edited since at this place")
	case isGone:
		_, err = folder.Replace(r.Path, memory.Hash{}, next)
	case bytes.Equal(now, next): // an interrupted command or the client wrote it
		return nil
	default:
		err = f.Replace(folder, plan.FileChange{Path: r.Path, Before: now, After: next})
	}
	if errors.Is(err, workspace.ErrUnsynced) {
		return nil
	}
	return err
}

// Discard removes texts that a plan destroys from what was taken out, for good. What was taken
// out beside them stays, so that it can be put back.
func (f InPlace) Discard(ctx context.Context, p *plan.Plan, texts []string) error {
	kept, err := f.removals()
	if err != nil {
		return err
	}
	for record, r := range kept {
		r.IDs = slices.DeleteFunc(r.IDs, func(id memory.ID) bool { return slices.Contains(p.Destroy, id) })
		change, ok, err := f.WithoutDestroyed(ctx, p, texts, r.FileChange)
		switch {
		case err != nil:
			return err
		case len(r.IDs) > 0 && !ok:
			return memory.Conflict("the text is beside others that forget --in-place took out of %s", r.Path).
				WithHint("memory restore %s puts these back first; nothing was changed", r.IDs[0].Short())
		}
		r.FileChange = change
		kept[record] = r
	}
	for record, r := range kept {
		err = errors.Join(err, r.replace(record))
	}
	return err
}
