//go:build unix

package watcher_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memory-tiered/memory/internal/leaks"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/watcher"
)

func TestMain(m *testing.M) { leaks.Check(m) }

// tree is a simple Tree: every .md file that is not hidden.
type tree string

func (d tree) Dir() string { return string(d) }

func (d tree) isMemory(path string) bool {
	return strings.HasSuffix(path, ".md") && !strings.Contains("/"+path, "/.")
}

func (d tree) Effect(path string) watcher.Effect {
	if d.isMemory(path) {
		return watcher.OnFile
	}
	return watcher.NoEffect
}

// Folders lists the folders that are not hidden.
func (d tree) Folders(context.Context) ([]string, error) {
	folders, _, err := d.list()
	return folders, err
}

// list returns the folders, and the content of the files.
func (d tree) list() (folders []string, files map[string]string, err error) {
	files = map[string]string{}
	err = filepath.WalkDir(string(d), func(full string, item fs.DirEntry, err error) error {
		path := strings.TrimPrefix(strings.TrimPrefix(full, string(d)), "/")
		switch {
		case os.IsNotExist(err) && path != "":
			return nil
		case err != nil:
			return err
		case path == "":
			folders = append(folders, ".")
		case item.IsDir() && strings.HasPrefix(item.Name(), "."):
			return fs.SkipDir
		case item.IsDir():
			folders = append(folders, path)
		case d.isMemory(path) && item.Type().IsRegular():
			if text, err := os.ReadFile(full); err == nil {
				files[path] = string(text)
			}
		}
		return nil
	})
	return folders, files, err
}

// read returns the content of the files, of other files than the paths as it was; no paths:
// of all.
func (d tree) read(paths []string, was map[string]string) (map[string]string, error) {
	if len(paths) == 0 {
		_, files, err := d.list()
		return files, err
	}
	files := maps.Clone(was)
	for _, path := range paths {
		delete(files, path)
		if text, err := os.ReadFile(filepath.Join(string(d), path)); err == nil {
			files[path] = string(text)
		}
	}
	return files, nil
}

// follower keeps a copy of the tree, as it was at the last look.
type follower struct {
	t    *testing.T
	dir  tree
	w    *watcher.Watcher
	stop func()

	mu      sync.Mutex
	copied  map[string]string // path → content
	deleted []string          // paths that were missing at least once
	reasons []string          // of the looks
	looked  chan struct{}
}

// follow starts to watch dir; it stops with the test. No sweep finds what an event missed.
func follow(t *testing.T, dir string, o watcher.Options) *follower {
	t.Helper()
	o.SweepInterval = 2 * waitLimit
	f := &follower{t: t, dir: tree(dir), w: watcher.New(tree(dir), o), copied: map[string]string{}, looked: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.w.Run(ctx, f.look) }()
	f.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(f.stop)
	f.until("the start", func() bool { return len(f.reasons) > 0 && f.w.Mode() == "events" })
	return f
}

func (f *follower) look(_ context.Context, paths []string, reason string) (changed bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reasons = append(f.reasons, reason)
	if found, err := f.dir.read(paths, f.copied); err == nil { // while the folder is missing, the copy stays
		for path := range f.copied {
			if _, there := found[path]; !there {
				f.deleted = append(f.deleted, path)
			}
		}
		changed, f.copied = !maps.Equal(f.copied, found), found
	}
	select {
	case f.looked <- struct{}{}:
	default:
	}
	return changed, nil
}

// until waits until a condition holds, and checks it after every look.
func (f *follower) until(what string, condition func() bool) {
	f.t.Helper()
	deadline := time.After(waitLimit)
	for {
		f.mu.Lock()
		done := condition()
		f.mu.Unlock()
		if done {
			return
		}
		select {
		case <-f.looked:
		case <-time.After(50 * time.Millisecond):
		case <-deadline:
			f.mu.Lock()
			defer f.mu.Unlock()
			f.t.Fatalf("not noticed: %s\ncopy:  %q\ndisk:  %q\nmode:  %s\nlooks: %v", what, f.copied, f.onDisk(), f.w.Mode(), f.reasons)
		}
	}
}

// waitLimit ends a test whose condition never holds. It is long, so that a slow
// machine does not fail the test.
const waitLimit = 5 * time.Minute

// untilEqual waits until the copy is equal to the disk.
func (f *follower) untilEqual() {
	f.t.Helper()
	f.until("the content of the disk", func() bool { return maps.Equal(f.copied, f.onDisk()) })
}

func (f *follower) onDisk() map[string]string {
	_, files, err := f.dir.list()
	if err != nil {
		return nil
	}
	return files
}

// dirOutsideTemp makes a folder outside of the system's temporary folder. There vim
// and emacs make no backups, so they save files in another way.
func dirOutsideTemp(t *testing.T) string {
	t.Helper()
	base, err := os.UserCacheDir()
	if err != nil {
		base = "testdata"
	}
	if err := os.MkdirAll(base, 0o755); err != nil {
		t.Skip("no folder outside of the temporary one:", err)
	}
	dir, err := os.MkdirTemp(base, "memory-watcher-test-")
	if err != nil {
		t.Skip("no folder outside of the temporary one:", err)
	}
	t.Cleanup(func() { must.Do(t, os.RemoveAll(dir)) })
	return dir
}

func put(t *testing.T, dir, path, text string) {
	t.Helper()
	full := filepath.Join(dir, path)
	must.Do(t, os.MkdirAll(filepath.Dir(full), 0o755))
	must.Do(t, os.WriteFile(full, []byte(text), 0o644))
}

// run runs a program in dir, and skips the test where it is not installed.
func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		t.Skip(name + " is not installed")
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=dumb", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v: %s", name, args, err, out)
	}
}

func TestSavesOfEditorsAreNoticed(t *testing.T) {
	saves := []struct {
		name string
		save func(t *testing.T, dir string)
		want string // of memory/a.md
	}{
		{"echo >>", func(t *testing.T, dir string) { run(t, dir, "sh", "-c", "echo more >> memory/a.md") }, "old\nmore\n"},
		{"echo >", func(t *testing.T, dir string) { run(t, dir, "sh", "-c", "echo new > memory/a.md") }, "new\n"},
		{"sed -i", func(t *testing.T, dir string) { run(t, dir, "sed", "-i", "s/old/new/", "memory/a.md") }, "new\n"},
		{"temporary file renamed over the file", func(t *testing.T, dir string) {
			put(t, dir, "memory/.a.tmp", "new\n")
			must.Do(t, os.Rename(filepath.Join(dir, "memory/.a.tmp"), filepath.Join(dir, "memory/a.md")))
		}, "new\n"},
		{"vim", func(t *testing.T, dir string) {
			run(t, dir, "vim", "-u", "NONE", "-es", "--cmd", "set nocompatible backup backupcopy=no swapfile",
				"+%s/old/new/", "+wq", "memory/a.md")
		}, "new\n"},
		{"vim, over a link", func(t *testing.T, dir string) {
			run(t, dir, "vim", "-u", "NONE", "-es", "--cmd", "set nocompatible writebackup backupcopy=yes",
				"+%s/old/new/", "+wq", "memory/a.md")
		}, "new\n"},
		{"emacs", func(t *testing.T, dir string) {
			run(t, dir, "emacs", "-Q", "--batch", "memory/a.md", "--eval", `(progn (insert "new\n") (save-buffer))`)
		}, "new\nold\n"},
		{"deleted and created again", func(t *testing.T, dir string) {
			must.Do(t, os.Remove(filepath.Join(dir, "memory/a.md")))
			time.Sleep(50 * time.Millisecond)
			put(t, dir, "memory/a.md", "new\n")
		}, "new\n"},
		{"write with an old modification time", func(t *testing.T, dir string) {
			full := filepath.Join(dir, "memory/a.md")
			must.Do(t, os.WriteFile(full, []byte("new\n"), 0o644))
			must.Do(t, os.Chtimes(full, time.Unix(1, 0), time.Unix(1, 0)))
		}, "new\n"},
	}
	for _, tt := range saves {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := dirOutsideTemp(t)
			put(t, dir, "memory/a.md", "old\n")
			// A busy machine may stop an editor between its two steps for longer than the default.
			f := follow(t, dir, watcher.Options{Quiet: time.Second})
			tt.save(t, dir)
			f.until("the save", func() bool { return f.copied["memory/a.md"] == tt.want })
			f.untilEqual()
			f.stop()
			if len(f.deleted) > 0 {
				t.Errorf("%q were missing at a look meanwhile", f.deleted)
			}
		})
	}
}

func TestChangesOfFilesAndFoldersAreNoticed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "a.md", "a")
	f := follow(t, dir, watcher.Options{})
	at := func(path string) string { return filepath.Join(dir, path) }
	steps := []struct {
		name string
		do   func()
	}{
		{"mkdir -p and write", func() { put(t, dir, "x/y/z/b.md", "b") }},
		{"write the same file again", func() { put(t, dir, "x/y/z/b.md", "bb") }},
		{"remove", func() { must.Do(t, os.Remove(at("a.md"))) }},
		{"rename a folder", func() { must.Do(t, os.Rename(at("x/y"), at("x/w"))) }},
		{"write below the renamed folder", func() { put(t, dir, "x/w/z/b.md", "bbb") }},
		{"rename it back and write at once", func() {
			must.Do(t, os.Rename(at("x/w"), at("x/y")))
			put(t, dir, "x/y/z/c.md", "c")
		}},
		{"move a folder in from outside", func() {
			other := t.TempDir()
			put(t, other, "in/d/d.md", "d")
			must.Do(t, os.Rename(filepath.Join(other, "in"), at("in")))
		}},
		{"write below the folder that was moved in", func() { put(t, dir, "in/d/d.md", "dd") }},
		{"replace a folder", func() {
			must.Do(t, os.RemoveAll(at("in")))
			put(t, dir, "in/d/e.md", "e")
		}},
		{"remove a folder", func() { must.Do(t, os.RemoveAll(at("x"))) }},
		{"folder that is named like a file", func() { put(t, dir, "odd.md/f.md", "f") }},
	}
	for _, step := range steps {
		step.do()
		f.until(step.name, func() bool { return maps.Equal(f.copied, f.onDisk()) })
	}
	if mode := f.w.Mode(); mode != "events" {
		t.Errorf("mode %q", mode)
	}
}

func TestCheckoutsAreNoticed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run(t, dir, "git", "init", "-q", "-b", "one")
	for i := range 300 {
		put(t, dir, fmt.Sprintf("memory/%d/%d.md", i%7, i), fmt.Sprint("one ", i))
	}
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-q", "-m", "one")
	run(t, dir, "git", "checkout", "-q", "-b", "two")
	for i := range 300 {
		put(t, dir, fmt.Sprintf("memory/%d/%d.md", i%7, i), fmt.Sprint("two ", i))
	}
	must.Do(t, os.Rename(filepath.Join(dir, "memory/3"), filepath.Join(dir, "memory/three")))
	run(t, dir, "git", "add", "-A", ".")
	run(t, dir, "git", "commit", "-q", "-m", "two")
	f := follow(t, dir, watcher.Options{})
	for range 3 {
		for _, branch := range []string{"one", "two"} {
			run(t, dir, "git", "checkout", "-q", branch)
			f.until("branch "+branch, func() bool { return f.copied["memory/0/0.md"] == branch+" 0" })
			f.untilEqual()
		}
	}
}

func TestFolderMayDisappearAndComeBack(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ws")
	put(t, dir, "a.md", "a")
	f := follow(t, dir, watcher.Options{})
	must.Do(t, os.Rename(dir, dir+".away"))
	f.until("the missing folder", func() bool { return strings.HasPrefix(f.w.Mode(), "off: ") })
	if f.copied["a.md"] != "a" {
		t.Error("the files of the missing folder were reported as deleted")
	}
	put(t, dir, "memory/b.md", "b")
	f.until("another folder at its path", func() bool { return f.copied["memory/b.md"] == "b" && f.copied["a.md"] == "" })
	put(t, dir, "memory/b.md", "bb")
	f.untilEqual()
	must.Do(t, os.RemoveAll(dir))
	must.Do(t, os.Rename(dir+".away", dir))
	f.until("the first folder at its path again", func() bool { return f.copied["a.md"] == "a" })
	put(t, dir, "c/c.md", "c")
	f.untilEqual()
}

func TestFolderMayBeCreatedLater(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ws")
	f := &follower{t: t, dir: tree(dir), w: watcher.New(tree(dir), watcher.Options{}), copied: map[string]string{}, looked: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- f.w.Run(ctx, f.look) }()
	f.until("the start", func() bool { return len(f.reasons) > 0 })
	if mode := f.w.Mode(); !strings.HasPrefix(mode, "off: ") {
		t.Errorf("mode %q", mode)
	}
	put(t, dir, "memory/a.md", "a")
	f.untilEqual()
	cancel()
	must.Do(t, <-ended)
}

// TestRandomChangesAreNoticed makes random changes quickly, and then expects the
// copy to be equal to the disk.
func TestRandomChangesAreNoticed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			dir, random := t.TempDir(), rand.New(rand.NewPCG(seed, 0))
			f := follow(t, dir, watcher.Options{})
			folders := []string{"", "x/", "x/y/", "z/", "z/y/w/"}
			path := func() string {
				return filepath.Join(dir, folders[random.IntN(len(folders))], fmt.Sprintf("%c.md", 'a'+random.IntN(4)))
			}
			for round := range 6 {
				for i := range 60 {
					// Changes that are not possible now are left out.
					switch random.IntN(8) {
					case 0, 1, 2, 3:
						name := path()
						if os.MkdirAll(filepath.Dir(name), 0o755) == nil {
							_ = os.WriteFile(name, fmt.Append(nil, round, i), 0o644)
						}
					case 4:
						_ = os.Rename(path(), path())
					case 5:
						_ = os.Remove(path())
					case 6:
						_ = os.Rename(filepath.Dir(path()), filepath.Join(dir, folders[1+random.IntN(4)]))
					case 7:
						if folder := folders[1+random.IntN(4)]; random.IntN(3) == 0 {
							_ = os.RemoveAll(filepath.Join(dir, folder))
						}
					}
					if random.IntN(10) == 0 {
						time.Sleep(time.Duration(random.IntN(20)) * time.Millisecond)
					}
				}
				f.untilEqual()
			}
			if mode := f.w.Mode(); mode != "events" {
				t.Errorf("mode %q", mode)
			}
		})
	}
}
