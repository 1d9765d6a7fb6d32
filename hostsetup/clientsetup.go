package hostsetup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/clients"
)

// ClientOptions are the parts of the setup of a client.
type ClientOptions struct {
	Client   Client
	Env      Environment
	Program  string   // this program, absolute
	Options  []string // what its commands need, such as --state-dir DIR
	StateDir string   // of the service, absolute
	Trust    bool     // make the client trust our hooks
	Service  bool     // install the service
	Native   bool     // serve the memories that the client keeps by itself
	Folder   string   // registered as the workspace main if no workspace is; empty: none
	Preview  bool     // nothing is written, so the client need not be installed
	Machine  Machine
}

// ClientSetup is a setup of a client that was prepared. Run makes its changes.
type ClientSetup struct {
	*wiring
	Changes []FileChange
	Missing error // why the client is not installed; nil: it is

	record *Record
}

func newClientSetup(o ClientOptions) (*ClientSetup, error) {
	w, err := newWiring(o)
	if err != nil {
		return nil, err
	}
	r, err := readClientRecord(o.StateDir, o.Client.Name)
	return &ClientSetup{wiring: w, record: r}, err
}

// PrepareClient reads the files of a client and changes nothing.
func PrepareClient(ctx context.Context, o ClientOptions) (*ClientSetup, error) {
	s, err := newClientSetup(o)
	if err != nil {
		return nil, err
	}
	if !o.Env.Has(o.Client) {
		s.Missing = &memory.Error{Kind: memory.ErrNotFound, Message: o.Client.Title + " is not installed: there is no program " + o.Client.Program + " in PATH, and no folder " + o.Client.Folder,
			Hint: "start it once, or name its folder" + hintVariable(o.Client)}
		if !o.Preview {
			return nil, s.Missing
		}
		s.Trust = false // only the client itself knows what it trusts
	}
	for _, f := range o.Client.Files {
		change, err := s.plan(ctx, f)
		if err != nil {
			return nil, inFile(o.Env.file(f), err)
		}
		s.Changes = append(s.Changes, change)
	}
	return s, s.checkWritable(s.Changes)
}

// checkWritable looks at the files that change, before the first is written.
func (s *ClientSetup) checkWritable(changes []FileChange) error {
	for _, c := range changes {
		if c.Action() == "unchanged" || s.Preview {
			continue
		}
		if err := checkWritable(c.Path); err != nil {
			return err
		}
	}
	return nil
}

func hintVariable(c Client) string {
	if c.Moved == "" {
		return ""
	}
	return " with " + c.Moved
}

func inFile(path string, err error) error {
	detail, ok := errors.AsType[*memory.Error](err)
	if !ok {
		return fmt.Errorf("%s: %w", path, err)
	}
	inner := *detail
	inner.Message = path + ": " + inner.Message
	return &inner
}

// plan computes the change of a file.
func (s *ClientSetup) plan(ctx context.Context, f clients.File) (FileChange, error) {
	path := s.Env.file(f)
	now, err := readFile(path)
	if err != nil {
		return FileChange{}, err
	}
	c := FileChange{Path: path, Before: now, base: now}
	if _, all := s.isWired(f, now); s.record.of(path) != nil || len(f.Append) > 0 || all {
		if c.base, err = s.withoutOurs(f, now); err != nil {
			return c, err
		}
	}
	if f.Content != "" && now != nil && !bytes.Contains(now, []byte(contentMark)) {
		return c, memory.Conflict("the file is not ours").WithHint("rename it first")
	}
	if c.After, err = s.wire(f, now); err == nil && f.Trusts != "" && s.Trust {
		c.After, err = s.trust(ctx, f, c.After)
	}
	return c, err
}

// Run makes the changes: first the service and the workspace, then the files. If one fails, a
// first setup is taken back; otherwise the former setup stays in force.
func (s *ClientSetup) Run(ctx context.Context) error {
	err := s.run(ctx)
	if err == nil || !s.record.isNew {
		return err
	}
	_, removal, prepareErr := PrepareRemoval(s.ClientOptions)
	if errors.Is(prepareErr, memory.ErrNotFound) {
		prepareErr = nil // no file was written
	}
	return errors.Join(err, prepareErr, s.Remove(context.WithoutCancel(ctx), removal))
}

func (s *ClientSetup) run(ctx context.Context) error {
	if err := s.registerWorkspace(ctx); err != nil {
		return err
	}
	if s.Service {
		if err := s.record.installService(ctx, s.Machine); err != nil {
			return err
		}
	}
	if err := s.record.write(); err != nil {
		return err
	}
	return errors.Join(s.record.writeAll(s.Changes), s.follow(ctx))
}

// follow serves the client's own memories, unless a setup did so before.
func (s *ClientSetup) follow(ctx context.Context) error {
	if !s.Native || len(s.Client.Memories) == 0 || s.record.Native {
		return nil
	}
	s.record.Native = true
	if err := s.record.write(); err != nil {
		return err
	}
	already, err := s.Machine.Follow(ctx, s.Client.Name)
	s.record.Native = !already
	return errors.Join(err, s.record.write())
}

// unfollow stops serving the client's own memories, if setup began it.
func (s *ClientSetup) unfollow(ctx context.Context) error {
	if !s.record.Native {
		return nil
	}
	known, err := s.Machine.Workspaces(ctx)
	if err := errors.Join(err, s.Machine.Unfollow(s.Client.Name)); err != nil {
		return err
	}
	for _, w := range known {
		if w.Client == s.Client.Name {
			if err := s.Machine.Unregister(ctx, w.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// registerWorkspace registers the workspace main, if there is no workspace at all.
func (s *ClientSetup) registerWorkspace(ctx context.Context) error {
	if s.Folder == "" {
		return nil
	}
	if !isFolder(s.Folder) {
		s.record.Folders = append(s.record.Folders, s.Folder)
	}
	s.record.Workspaces = addOnce(s.record.Workspaces, s.Folder)
	if err := s.record.write(); err != nil {
		return err
	}
	if err := os.MkdirAll(s.Folder, 0o755); err != nil {
		return memory.Unavailable(err, "make the folder %s", s.Folder).WithHint("name a folder that exists: --workspace FOLDER")
	}
	_, err := s.Machine.Register(ctx, "main", s.Folder)
	return err
}

// ClientRemoval is what the removal of a client did.
type ClientRemoval struct {
	Changes []FileChange
	Kept    []string // files that others changed, out of which our entries alone were taken
}

// PrepareRemoval reads the files and changes nothing. It works without the record too.
func PrepareRemoval(o ClientOptions) (*ClientSetup, ClientRemoval, error) {
	var removal ClientRemoval
	s, err := newClientSetup(o)
	if err != nil {
		return nil, removal, err
	}
	for _, f := range o.Client.Files {
		c := FileChange{Path: o.Env.file(f)}
		if c.Before, err = readFile(c.Path); err == nil {
			c.After, err = s.withoutOurs(f, c.Before)
		}
		if err != nil {
			return nil, removal, inFile(c.Path, err)
		}
		if _, isFormer := s.record.former(c.Path, c.Before); s.record.of(c.Path) != nil && !isFormer && c.Action() == "edited" {
			removal.Kept = append(removal.Kept, c.Path)
		}
		removal.Changes = append(removal.Changes, c)
	}
	if !slices.ContainsFunc(removal.Changes, func(c FileChange) bool { return c.Action() != "unchanged" }) && len(s.record.Files) == 0 {
		return nil, removal, &memory.Error{Kind: memory.ErrNotFound, Message: o.Client.Title + " is not set up with this memory", Hint: "memory setup " + o.Client.Name + " sets it up"}
	}
	return s, removal, s.checkWritable(removal.Changes)
}

// Remove takes a setup back.
func (s *ClientSetup) Remove(ctx context.Context, r ClientRemoval) error {
	for _, c := range r.Changes {
		if c.Action() == "unchanged" {
			continue
		}
		if err := c.write(); err != nil {
			return err
		}
	}
	if err := s.unfollow(ctx); err != nil {
		return err
	}
	if err := s.takeBackRest(ctx); err != nil {
		return err
	}
	s.record.removeFolders()
	if err := os.RemoveAll(s.record.dir); err != nil {
		return memory.Unavailable(err, "remove the record of the setup")
	}
	_ = os.Remove(filepath.Dir(s.record.dir)) // it stays if others are set up
	return nil
}

// takeBackRest unregisters the workspace and uninstalls the service. Another client that is
// set up takes them over.
func (s *ClientSetup) takeBackRest(ctx context.Context) error {
	if !s.record.Service && len(s.record.Workspaces) == 0 {
		return nil
	}
	for _, c := range clients.All() {
		other, err := readClientRecord(s.StateDir, c.Name)
		if err != nil || c.Name == s.Client.Name || len(other.Files) == 0 {
			continue
		}
		other.Service = other.Service || s.record.Service
		for _, dir := range s.record.Workspaces {
			other.Workspaces = addOnce(other.Workspaces, dir)
			s.record.Folders = slices.DeleteFunc(s.record.Folders, func(f string) bool { return f == dir })
			other.Folders = addOnce(other.Folders, dir)
		}
		return other.write()
	}
	known, err := s.Machine.Workspaces(ctx)
	if err != nil {
		return err
	}
	for _, dir := range s.record.Workspaces {
		if name := registeredName(known, dir); name != "" && isEmptyFolder(dir) {
			if err := s.Machine.Unregister(ctx, name); err != nil {
				return err
			}
		}
	}
	return s.record.uninstallService(ctx, s.Machine)
}

// isEmptyFolder reports whether a folder has no files. A workspace with notes stays.
func isEmptyFolder(dir string) bool {
	found, err := os.ReadDir(dir)
	return err == nil && len(found) == 0
}

// Recorded reports whether a setup of a client is recorded.
func Recorded(stateDir string, c Client) bool {
	r, err := readClientRecord(stateDir, c.Name)
	return err == nil && len(r.Files) > 0
}
