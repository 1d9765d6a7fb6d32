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
		_ = atomicfile.RemoveTemporary(recordFile(o.StateDir))
		return Removal{}, &memory.Error{Kind: memory.ErrNotFound, Message: "OpenClaw is not set up with this memory",
			Hint: "memory openclaw setup sets it up"}
	}
	removal, err := restoreConfig(record)
	if err != nil {
		return removal, err
	}
	if err := errors.Join(unregister(ctx, o, record), uninstall(ctx, o, record)); err != nil {
		return removal, err
	}
	if err := removeFiles(o.StateDir, removal); err != nil {
		return removal, memory.Unavailable(err, "remove the files of the setup")
	}
	return removal, nil
}

// restoreConfig writes the former configuration back. If others have edited it since,
// only our changes are taken back.
func restoreConfig(r *Record) (Removal, error) {
	file := r.Installation.Config
	_ = atomicfile.RemoveTemporary(file)
	now, err := readConfig(file)
	if err != nil {
		return Removal{}, err
	}
	current := hash(now)
	if now == nil || current == r.Before {
		return Removal{Config: "unchanged"}, nil
	}
	if current == r.After && !r.Edited {
		return restoreBackup(r)
	}
	d, err := parseConfig(now)
	if err != nil {
		return Removal{}, err
	}
	if former, err := os.ReadFile(r.Backup); err == nil {
		d.SetFormer(former)
	}
	kept, err := d.revert(r.Changes)
	if err != nil {
		return Removal{}, err
	}
	out := d.Bytes()
	if slices.Equal(out, now) {
		return Removal{Config: "unchanged", Kept: kept}, nil
	}
	if err := checkWritable(file); err != nil {
		return Removal{}, err
	}
	if err := replaceFile(file, out, 0o600); err != nil {
		return Removal{}, memory.Unavailable(err, "write the configuration of OpenClaw")
	}
	return Removal{Config: "reverted", Backup: r.Backup, Kept: kept}, nil
}

func restoreBackup(r *Record) (Removal, error) {
	file := r.Installation.Config
	if err := checkWritable(file); err != nil {
		return Removal{}, err
	}
	if r.Backup == "" { // there was no file
		if err := os.Remove(file); err != nil {
			return Removal{}, memory.Unavailable(err, "remove the configuration of OpenClaw")
		}
		return Removal{Config: "restored"}, nil
	}
	src, err := os.ReadFile(r.Backup)
	if err == nil && hash(src) != r.Before {
		err = errors.New("it has changed")
	}
	if err == nil {
		err = replaceFile(file, src, 0o600)
	}
	if err != nil {
		return Removal{}, memory.Unavailable(err, "restore the configuration of OpenClaw from %s", r.Backup)
	}
	return Removal{Config: "restored"}, nil
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

func uninstall(ctx context.Context, o Options, r *Record) error {
	if !r.Service {
		return nil
	}
	installed, err := o.Machine.ServiceInstalled(ctx)
	if err != nil || !installed {
		return err
	}
	return o.Machine.UninstallService(ctx)
}

// removeFiles removes the plugin with what it has kept, and at last the record.
func removeFiles(stateDir string, removal Removal) error {
	entries, err := os.ReadDir(Folder(stateDir))
	for _, e := range entries {
		path := filepath.Join(Folder(stateDir), e.Name())
		kept := path == backupFolder(stateDir) && removal.Backup != "" || path == recordFile(stateDir) || strings.HasSuffix(path, ".lock")
		if !kept {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	if err != nil {
		return err
	}
	if err := os.Remove(recordFile(stateDir)); err != nil {
		return err
	}
	_ = os.Remove(Folder(stateDir)) // it stays if it has the backup
	return nil
}
