package commands

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/plan"
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
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.Removals, 0o700); err != nil {
		return memory.Unavailable(err, "keep what is taken out")
	}
	record := filepath.Join(f.Removals, name+".json")
	if err := atomicfile.Write(record, text, 0o600); err != nil {
		return memory.Unavailable(err, "keep what is taken out")
	}
	if err := f.Replace(folder, r.FileChange); err != nil && !errors.Is(err, workspace.ErrUnsynced) {
		return errors.Join(err, os.Remove(record))
	}
	return nil
}

// putBackAll puts back what was taken out of some memories' files, newest first. It returns
// the files that changed, and why others did not.
func (f InPlace) putBackAll(ids []memory.ID) (paths, notices []string, err error) {
	records, err := filepath.Glob(filepath.Join(f.Removals, "*.json"))
	if err != nil || len(records) == 0 {
		return nil, nil, err
	}
	folder, err := f.open()
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	slices.Sort(records)
	for _, record := range slices.Backward(records) {
		text, err := os.ReadFile(record)
		var r removal
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err != nil {
			return paths, notices, memory.Unavailable(err, "read what was taken out")
		}
		if !slices.ContainsFunc(r.IDs, func(id memory.ID) bool { return slices.Contains(ids, id) }) {
			continue
		}
		if err := f.putBack(folder, r); err != nil {
			notices = append(notices, fmt.Sprintf("the text is not back in %s: %v; the file as it was is in %s", r.Path, err, record))
			continue
		}
		paths = append(paths, r.Path)
		if err := os.Remove(record); err != nil {
			return paths, notices, memory.Unavailable(err, "remove what was taken out")
		}
	}
	return paths, notices, nil
}

// putBack writes the lines back where they were. What was changed since before or after them
// stays.
func (f InPlace) putBack(folder *workspace.Workspace, r removal) error {
	now, _, err := folder.Read(r.Path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, memory.ErrNotFound) {
		return errors.New("the file is gone")
	}
	if err != nil {
		return err
	}
	next, ok := r.insert(now)
	if !ok {
		return errors.New("it was edited since at this place")
	}
	if err = f.Replace(folder, plan.FileChange{Path: r.Path, Before: now, After: next}); errors.Is(err, workspace.ErrUnsynced) {
		return nil
	}
	return err
}

// insert returns a file with the lines that the removal took out of it.
func (r removal) insert(now []byte) (next []byte, ok bool) {
	start := 0
	for start < len(r.After) && r.Before[start] == r.After[start] {
		start++
	}
	head, tail := r.After[:start], r.After[start:]
	taken := r.Before[start : len(r.Before)-len(tail)]
	switch {
	case !bytes.HasSuffix(r.Before, tail): // more than one place was changed
		return r.Before, bytes.Equal(now, r.After)
	case bytes.HasPrefix(now, head) && bytes.HasPrefix(now[len(head):], tail), bytes.HasPrefix(now, head) && len(tail) == 0:
		return slices.Concat(head, taken, now[len(head):]), true
	case bytes.HasSuffix(now, tail) && len(tail) > 0:
		return slices.Concat(now[:len(now)-len(tail)], taken, tail), true
	}
	return nil, false
}

// Discard removes everything that was taken out, for good.
func (f InPlace) Discard() error { return os.RemoveAll(f.Removals) }
