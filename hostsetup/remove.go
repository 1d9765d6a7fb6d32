package hostsetup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// Removal is what a removal did.
type Removal struct {
	Config string   `json:"config"` // "restored": byte for byte; "reverted": our changes alone; "unchanged"
	Backup string   `json:"backup"` // where the former configuration stays; empty: it is restored
	Kept   []string `json:"kept"`   // settings that others changed since, which stay
}

// Remove takes a setup back: the configuration first, so that the host works without
// us from then on. A removal that was killed can be run again.
func Remove(ctx context.Context, o Options) (Removal, error) {
	record, err := ReadRecord(o.StateDir)
	if err != nil {
		return Removal{}, err
	}
	if record == nil {
		_ = atomicfile.RemoveTemporary(filepath.Join(Folder(o.StateDir), "record.json"))
		return Removal{}, &memory.Error{Kind: memory.ErrNotFound, Message: "OpenClaw is not set up with this memory",
			Hint: "memory openclaw setup sets it up"}
	}
	removal, err := restoreConfig(record)
	if err != nil {
		return removal, err
	}
	if err := errors.Join(unregister(ctx, o, record), record.uninstallService(ctx, o.Machine)); err != nil {
		return removal, err
	}
	if err := removeFiles(record, removal); err != nil {
		return removal, memory.Unavailable(err, "remove the files of the setup")
	}
	return removal, nil
}

// withoutOurs returns a configuration without our changes: as it was, if nobody has edited it
// since. kept lists the settings of ours that others changed.
func (r *Record) withoutOurs(file string, now []byte) (src []byte, kept []string, err error) {
	before, isFormer := r.former(file, now)
	if isFormer || now == nil {
		return before, nil, nil
	}
	first, _, err := r.backup(file)
	if err == nil && slices.Equal(first, now) || len(r.Changes) == 0 {
		return now, nil, nil
	}
	d, err := parseConfig(now)
	if err != nil {
		return nil, nil, err
	}
	if kept, err = d.revert(r.Changes); err != nil || len(kept) > 0 {
		return d.Bytes(), kept, err
	}
	return r.takeBack(file, now, d.Bytes(), r.withChanges), nil, nil
}

// withChanges returns the values that a configuration has with our changes.
func (r *Record) withChanges(src []byte) ([]byte, any, error) {
	d, err := parseConfig(src)
	if err != nil {
		return nil, nil, err
	}
	if _, err := d.revert(r.Changes); err != nil {
		return nil, nil, err
	}
	for _, c := range r.Changes {
		if err := d.apply(c); err != nil {
			return nil, nil, err
		}
	}
	return src, d.Value(), nil
}

// restoreConfig writes the former configuration back. If others have edited it since,
// only our changes are taken back.
func restoreConfig(r *Record) (removal Removal, err error) {
	c := FileChange{Path: r.Installation.Config}
	_ = atomicfile.RemoveTemporary(c.Path)
	if c.Before, err = readConfig(c.Path); err != nil {
		return removal, err
	}
	if c.After, removal.Kept, err = r.withoutOurs(c.Path, c.Before); err != nil {
		return removal, err
	}
	if removal.Config = "unchanged"; c.Action() == "unchanged" || c.Before == nil {
		return removal, nil
	}
	if err := checkWritable(c.Path); err != nil {
		return removal, err
	}
	removal.Config = "restored"
	if _, isFormer := r.former(c.Path, c.Before); !isFormer {
		removal.Config = "reverted"
		_, removal.Backup, _ = r.backup(c.Path)
	}
	return removal, c.write()
}

// unregister takes the workspaces of the setup out of the service. A configuration of the
// service that is empty then goes too.
func unregister(ctx context.Context, o Options, r *Record) error {
	known, err := o.Machine.Workspaces(ctx)
	if err != nil {
		return err
	}
	for _, dir := range r.Workspaces {
		if name := registeredName(known, dir); name != "" {
			if err := o.Machine.Unregister(ctx, name); err != nil {
				return err
			}
		}
	}
	if left, err := os.ReadFile(o.Config); err == nil && len(left) == 0 {
		return os.Remove(o.Config)
	}
	return nil
}

// removeFiles removes the plugin with what it has kept, and at last the record.
func removeFiles(r *Record, removal Removal) error {
	entries, err := os.ReadDir(r.dir)
	for _, e := range entries {
		path := filepath.Join(r.dir, e.Name())
		if path != removal.Backup && path != r.file() && !strings.HasSuffix(path, ".lock") {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	if err == nil {
		err = os.Remove(r.file())
	}
	_ = os.Remove(r.dir) // it stays if it has the backup
	return err
}
