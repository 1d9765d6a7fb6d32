//go:build unix

package workspace_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/workspace"
)

// noTemps checks that a write left no temporary file.
func noTemps(t *testing.T, dir string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), ".memory-tiered-") {
			t.Errorf("a temporary file is left: %s", path)
		}
		return err
	}))
}

func TestReplace(t *testing.T) {
	tests := []struct {
		name, path string
		want       memory.Hash
		err        error
		after      string // of the path
	}{
		{"unchanged file", "memory/a.md", hash("old"), nil, "new"},
		{"changed file", "memory/a.md", hash("other"), memory.ErrConflict, "old"},
		{"new file that exists already", "memory/a.md", memory.Hash{}, memory.ErrConflict, "old"},
		{"new file", "memory/b.md", memory.Hash{}, nil, "new"},
		{"new file in new folders", "memory/x/y/b.md", memory.Hash{}, nil, "new"},
		{"deleted file", "memory/b.md", hash("old"), memory.ErrConflict, ""},
		{"through a link", "memory/link.md", hash("target"), nil, "new"},
		{"new file through a link to a folder", "memory/folder/b.md", memory.Hash{}, nil, "new"},
		{"through a link that leads outside", "memory/out.md", hash("secret"), memory.ErrConflict, "secret"},
		{"new file in a folder outside", "memory/away/b.md", memory.Hash{}, errAny, ""},
		{"new file in place of a dangling link", "memory/dangling.md", memory.Hash{}, memory.ErrConflict, ""},
		{"file of decisions", "memory/.decisions.yaml", memory.Hash{}, nil, "new"},
		{"not a file of memories", "notes.txt", memory.Hash{}, memory.ErrInvalid, ""},
		{"file of git", ".git/config.md", memory.Hash{}, memory.ErrInvalid, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, outside := t.TempDir(), t.TempDir()
			put(t, outside, map[string]string{"secret.md": "secret"})
			put(t, dir, map[string]string{"memory/a.md": "old", "notes/n.md": "target", "memory/link.md": "->../notes/n.md",
				"memory/folder": "->../notes", "memory/out.md": "->" + outside + "/secret.md", "memory/away": "->" + outside,
				"memory/dangling.md": "->gone.md"})
			w := open(t, dir, workspace.Options{})
			late, err := w.Replace(tt.path, tt.want, []byte("new"))
			if tt.err == errAny && err == nil || tt.err != errAny && !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			must.Do(t, late.Close())
			if tt.after != "" && onDisk(t, dir, tt.path) != tt.after {
				t.Errorf("%s contains %q, want %q", tt.path, onDisk(t, dir, tt.path), tt.after)
			}
			if tt.after == "" && exists(filepath.Join(dir, tt.path)) {
				t.Errorf("%s exists", tt.path)
			}
			if link, err := os.Readlink(filepath.Join(dir, "memory/link.md")); link != "../notes/n.md" {
				t.Errorf("the link is %q, %v", link, err)
			}
			if found, err := filepath.Glob(outside + "/*"); err != nil || len(found) != 1 {
				t.Errorf("outside: %q, %v", found, err)
			}
			noTemps(t, dir)
		})
	}
}

var errAny = errors.New("any error")

func exists(name string) bool { _, err := os.Stat(name); return err == nil }

func TestReplaceKeepsTheMode(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"MEMORY.md": "old"})
	for _, mode := range []os.FileMode{0o600, 0o664, 0o755} {
		must.Do(t, os.Chmod(filepath.Join(dir, "MEMORY.md"), mode))
		must.Do(t, os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("old"), 0))
		late, err := open(t, dir, workspace.Options{}).Replace("MEMORY.md", hash("old"), []byte("new"))
		must.Do(t, err)
		must.Do(t, late.Close())
		info, err := os.Stat(filepath.Join(dir, "MEMORY.md"))
		must.Do(t, err)
		if info.Mode().Perm() != mode {
			t.Errorf("mode %v, want %v", info.Mode().Perm(), mode)
		}
	}
}

func TestReplaceRefusesReadOnlyFiles(t *testing.T) {
	tests := []struct {
		name string
		o    workspace.Options
		mode map[string]os.FileMode
	}{
		{"workspace", workspace.Options{ReadOnly: true}, nil},
		{"file", workspace.Options{}, map[string]os.FileMode{"memory/a.md": 0o444}},
		{"folder", workspace.Options{}, map[string]os.FileMode{"memory": 0o555}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, map[string]string{"memory/a.md": "old"})
			for name, mode := range tt.mode {
				must.Do(t, os.Chmod(filepath.Join(dir, name), mode))
				defer os.Chmod(filepath.Join(dir, name), 0o755)
			}
			w := open(t, dir, tt.o)
			_, err := w.Replace("memory/a.md", hash("old"), []byte("new"))
			if !errors.Is(err, workspace.ErrReadOnly) || !errors.Is(err, memory.ErrForbidden) {
				t.Errorf("error %v", err)
			}
			if onDisk(t, dir, "memory/a.md") != "old" {
				t.Error("the file was written")
			}
			if tt.name == "file" {
				return
			}
			if _, err := w.Append("memory/b.md", func([]byte) []byte { return []byte("x") }); !errors.Is(err, workspace.ErrReadOnly) {
				t.Errorf("append: %v", err)
			}
		})
	}
}

// A new file that was written while the disk failed may still have its temporary name,
// which is a hard link.
func TestTemporaryNameOfAFileIsRemovedBeforeTheNextWrite(t *testing.T) {
	for _, first := range []string{"Replace", "WriteObstacle"} {
		t.Run(first, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, map[string]string{"memory/a.md": "old", "memory/.memory-tiered-B.tmp": "another file"})
			must.Do(t, os.Link(filepath.Join(dir, "memory/a.md"), filepath.Join(dir, "memory/.memory-tiered-A.tmp")))
			w := open(t, dir, workspace.Options{})
			if first == "WriteObstacle" {
				must.Do(t, w.WriteObstacle("memory/a.md"))
			} else {
				late, err := w.Replace("memory/a.md", hash("old"), []byte("new"))
				must.Do(t, err)
				must.Do(t, late.Close())
			}
			if exists(filepath.Join(dir, "memory/.memory-tiered-A.tmp")) || !exists(filepath.Join(dir, "memory/.memory-tiered-B.tmp")) {
				t.Error("the wrong temporary file was removed")
			}
		})
	}
}

func TestReplaceOnFullDiskKeepsTheFile(t *testing.T) {
	dir := t.TempDir()
	mount := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", dir)
	if out, err := mount.CombinedOutput(); err != nil {
		t.Skipf("this system cannot mount a small disk: %v: %s", err, out)
	}
	t.Cleanup(func() { must.Do(t, exec.Command("umount", "-l", dir).Run()) })
	old := strings.Repeat("old\n", 8<<10)
	put(t, dir, map[string]string{"MEMORY.md": old})
	w := open(t, dir, workspace.Options{})
	_, err := w.Replace("MEMORY.md", hash(old), []byte(strings.Repeat("new\n", 12<<10)))
	if !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("error %v, want unavailable", err)
	}
	if onDisk(t, dir, "MEMORY.md") != old {
		t.Error("the file changed")
	}
	noTemps(t, dir)
}

func TestFilesOverTheSizeLimitAreRefused(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"memory/big.md": "12345678901", "memory/full.md": "1234567890"})
	w := open(t, dir, workspace.Options{MaxBytes: 10})
	var large *workspace.TooLarge
	if _, _, err := w.Read("memory/big.md"); !errors.As(err, &large) || large.Size != 11 {
		t.Errorf("read: %v", err)
	}
	if _, _, err := w.Stat("memory/big.md"); !errors.As(err, &large) {
		t.Errorf("stat: %v", err)
	}
	if text, f, err := w.Read("memory/full.md"); err != nil || len(text) != 10 || f.Size != 10 {
		t.Errorf("read: %d bytes, %v", len(text), err)
	}
	if _, err := w.Replace("memory/full.md", hash("1234567890"), make([]byte, 11)); !errors.As(err, &large) {
		t.Errorf("replace: %v", err)
	}
}

func TestDefaultSizeLimitIs16MiB(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"memory/full.md": "", "memory/big.md": ""})
	must.Do(t, os.Truncate(filepath.Join(dir, "memory/full.md"), 16<<20))
	must.Do(t, os.Truncate(filepath.Join(dir, "memory/big.md"), 16<<20+1))
	w := open(t, dir, workspace.Options{})
	if _, ok, err := w.Stat("memory/full.md"); !ok || err != nil {
		t.Errorf("a file of 16 MiB: %v, %v", ok, err)
	}
	var large *workspace.TooLarge
	if _, _, err := w.Stat("memory/big.md"); !errors.As(err, &large) || large.Max != 16<<20 {
		t.Errorf("a file of 16 MiB and a byte: %v", err)
	}
}

// TestStampSoonAfterAChangeIsUnique checks the times for which another write could get
// the same time from the file system's clock.
func TestStampSoonAfterAChangeIsUnique(t *testing.T) {
	whole := time.Unix(1_700_000_000, 0)
	for _, tt := range []struct {
		name    string
		changed time.Time
		age     time.Duration
		want    bool
	}{
		{"30 ms", whole.Add(time.Nanosecond), 30 * time.Millisecond, true},
		{"100 ms", whole.Add(time.Nanosecond), 100 * time.Millisecond, false},
		{"a clock with whole seconds, 1.5 s", whole, 1500 * time.Millisecond, true},
		{"a clock with whole seconds, 3 s", whole, 3 * time.Second, false},
		{"a clock that is ahead", whole.Add(time.Nanosecond), -30 * time.Millisecond, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := workspace.ChangedJustNow(tt.changed, tt.changed.Add(tt.age)); got != tt.want {
				t.Errorf("unique: %v, want %v", got, tt.want)
			}
		})
	}
}

func TestStampChangesWithEveryWrite(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"MEMORY.md": "aaaa"})
	w := open(t, dir, workspace.Options{})
	at := time.Now().Add(-time.Hour)
	must.Do(t, os.Chtimes(filepath.Join(dir, "MEMORY.md"), at, at))
	first, _, err := w.Stat("MEMORY.md")
	must.Do(t, err)
	// The same size and times, within one tick of the clock.
	put(t, dir, map[string]string{"MEMORY.md": "bbbb"})
	must.Do(t, os.Chtimes(filepath.Join(dir, "MEMORY.md"), at, at))
	second, _, err := w.Stat("MEMORY.md")
	must.Do(t, err)
	if first.Stamp == second.Stamp {
		t.Errorf("both are %q", first.Stamp)
	}
	time.Sleep(100 * time.Millisecond) // longer than a tick of the clock
	third, _, err := w.Stat("MEMORY.md")
	must.Do(t, err)
	_, read, err := w.Read("MEMORY.md")
	must.Do(t, err)
	if third.Stamp != read.Stamp || third.Stamp != scan(t, w).Files[0].Stamp {
		t.Errorf("an unchanged file: %q, %q", third.Stamp, read.Stamp)
	}
}

func TestLateAppendsAreCopiedToTheNewFile(t *testing.T) {
	tests := []struct{ name, old, new, late, want string }{
		{"a line", "old\n", "new\n", "late\n", "new\nlate\n"},
		{"old file ends inside a line", "old", "new", "er\n", "newer\n"},
		{"only new file ends inside a line", "old\n", "new", "late\n", "new\nlate\n"},
		{"new file is empty", "old\n", "", "late\n", "late\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, map[string]string{"MEMORY.md": tt.old})
			w := open(t, dir, workspace.Options{})
			writer, err := os.OpenFile(filepath.Join(dir, "MEMORY.md"), os.O_APPEND|os.O_WRONLY, 0)
			must.Do(t, err)
			defer writer.Close()
			start := time.Now()
			late, err := w.Replace("MEMORY.md", hash(tt.old), []byte(tt.new))
			must.Do(t, err)
			for _, part := range []string{tt.late[:2], tt.late[2:]} { // in two writes
				_, err = writer.WriteString(part)
				must.Do(t, err)
				if done, err := late.Drain(start); done || err != nil {
					t.Fatalf("drain: %v, %v", done, err)
				}
			}
			if got := onDisk(t, dir, "MEMORY.md"); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if done, err := late.Drain(start.Add(1900 * time.Millisecond)); done || err != nil {
				t.Errorf("drain before the deadline: %v, %v", done, err)
			}
			if done, err := late.Drain(time.Now().Add(3 * time.Second)); !done || err != nil {
				t.Errorf("drain after the deadline: %v, %v", done, err)
			}
			if done, err := late.Drain(time.Now()); !done || err != nil {
				t.Errorf("drain when done: %v, %v", done, err)
			}
		})
	}
}

func TestLateWritesThatCannotBeCopiedAreReported(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"MEMORY.md": "old\n", "USER.md": "old\n"})
	w := open(t, dir, workspace.Options{})
	for name, write := range map[string]func(*os.File) error{
		"MEMORY.md": func(f *os.File) error { _, err := f.WriteAt([]byte("anew"), 0); return err },
		"USER.md": func(f *os.File) error {
			_, err := f.WriteAt([]byte("late"), 4)
			return errors.Join(err, os.Remove(filepath.Join(dir, "USER.md")))
		},
	} {
		writer, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR, 0)
		must.Do(t, err)
		defer writer.Close()
		late, err := w.Replace(name, hash("old\n"), []byte("new\n"))
		must.Do(t, err)
		must.Do(t, write(writer))
		done, err := late.Drain(time.Now())
		var unmerged *workspace.UnmergedWrite
		if !done || !errors.As(err, &unmerged) || !errors.Is(err, memory.ErrConflict) {
			t.Fatalf("%s: %v, %v", name, done, err)
		}
		if text := string(unmerged.Text); text != "anew" && text != "late" {
			t.Errorf("%s: unmerged text %q", name, text)
		}
	}
}

// TestAppendsAndReplacementsLoseNothing appends to the file as a shell does, while
// the file is replaced again and again.
func TestAppendsAndReplacementsLoseNothing(t *testing.T) {
	const rounds = 150
	dir, begin := t.TempDir(), time.Now()
	put(t, dir, map[string]string{"MEMORY.md": "start\n"})
	w := open(t, dir, workspace.Options{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range rounds {
			f, err := os.OpenFile(filepath.Join(dir, "MEMORY.md"), os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				time.Sleep(200 * time.Microsecond)
				_, err = fmt.Fprintf(f, "- theirs %d.\n", i)
				err = errors.Join(err, f.Close())
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
	var replaced []*workspace.LateAppends
	var ours []string
	for i := range rounds {
		line := fmt.Sprintf("- ours %d.\n", i)
		late, err := w.Append("MEMORY.md", func([]byte) []byte { return []byte(line) })
		if errors.Is(err, memory.ErrConflict) {
			continue // three conflicts in a row: nothing is written
		}
		must.Do(t, err)
		replaced = append(replaced, late)
		ours = append(ours, line)
		for _, late := range replaced {
			_, err := late.Drain(begin) // before every deadline, so that a busy machine loses nothing
			must.Do(t, err)
		}
	}
	wg.Wait()
	for _, late := range replaced {
		_, err := late.Drain(time.Now().Add(time.Hour))
		must.Do(t, err)
	}
	text := onDisk(t, dir, "MEMORY.md")
	for i := range rounds {
		if n := strings.Count(text, fmt.Sprintf("- theirs %d.\n", i)); n != 1 {
			t.Errorf("their line %d is in the file %d times", i, n)
		}
	}
	for _, line := range ours {
		if n := strings.Count(text, line); n != 1 {
			t.Errorf("%q is in the file %d times", line, n)
		}
	}
	if len(ours) == 0 {
		t.Error("no line of ours was written")
	}
}

func TestAppend(t *testing.T) {
	tests := []struct{ name, path, old, want string }{
		{"new file and folder", "memory/2026-11-20.md", "", "- x\n"},
		{"file ends with a line break", "MEMORY.md", "a\n", "a\n- x\n"},
		{"file ends inside a line", "MEMORY.md", "a", "a\n- x\n"},
		{"file with CRLF ends inside a line", "MEMORY.md", "a\r\nb", "a\r\nb\r\n- x\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.old != "" {
				put(t, dir, map[string]string{tt.path: tt.old})
			}
			w := open(t, dir, workspace.Options{})
			late, err := w.Append(tt.path, func(current []byte) []byte {
				if string(current) != tt.old {
					t.Errorf("current is %q", current)
				}
				return []byte("- x\n")
			})
			must.Do(t, err)
			must.Do(t, late.Close())
			if got := onDisk(t, dir, tt.path); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			noTemps(t, dir)
		})
	}
}

func TestAppendTriesThreeTimesAtMost(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"MEMORY.md": "0"})
	w := open(t, dir, workspace.Options{})
	calls := 0
	conflicting := func(times int) func([]byte) []byte {
		calls = 0
		return func([]byte) []byte {
			if calls++; calls <= times {
				put(t, dir, map[string]string{"MEMORY.md": fmt.Sprint("write ", calls)})
			}
			return []byte("x")
		}
	}
	late, err := w.Append("MEMORY.md", conflicting(2))
	must.Do(t, err)
	must.Do(t, late.Close())
	if got := onDisk(t, dir, "MEMORY.md"); got != "write 2\nx" {
		t.Errorf("%q", got)
	}
	if _, err := w.Append("MEMORY.md", conflicting(9)); !errors.Is(err, memory.ErrConflict) || calls != 3 {
		t.Errorf("%v after %d attempts", err, calls)
	}
	if late, err := w.Append("MEMORY.md", func([]byte) []byte { return nil }); late != nil || err != nil {
		t.Errorf("nothing to add: %v", err)
	}
}

func TestCleanUpRemovesOnlyAbandonedTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	kept := map[string]string{"MEMORY.md": "a", "memory/.memory-tiered-notes.md": "k", "memory/.memory-tiered-x": "k",
		"memory/x.tmp": "k", "elsewhere/.memory-tiered-A.tmp": "k", "memory/sub/.hidden": "k"}
	put(t, dir, kept)
	put(t, dir, map[string]string{".memory-tiered-A.tmp": "x", "memory/sub/.memory-tiered-B.tmp": "x"})
	writing, err := os.Create(filepath.Join(dir, "memory/.memory-tiered-C.tmp"))
	must.Do(t, err)
	defer writing.Close()
	must.Do(t, syscall.Flock(int(writing.Fd()), syscall.LOCK_EX)) // as another process does that writes it
	kept["memory/.memory-tiered-C.tmp"] = ""
	w := open(t, dir, workspace.Options{})
	must.Do(t, w.CleanUp(t.Context()))
	for name := range kept {
		onDisk(t, dir, name)
	}
	for _, name := range []string{".memory-tiered-A.tmp", "memory/sub/.memory-tiered-B.tmp"} {
		if exists(filepath.Join(dir, name)) {
			t.Errorf("%s still exists", name)
		}
	}
}

// TestSwappedFolderNeverLeadsOutside replaces a folder by a link to a secret, again
// and again, while files below it are read and written.
func TestSwappedFolderNeverLeadsOutside(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	put(t, outside, map[string]string{"a.md": "secret"})
	put(t, dir, map[string]string{"memory/x/a.md": "open"})
	w := open(t, dir, workspace.Options{})
	link, folder, aside := filepath.Join(dir, "link"), filepath.Join(dir, "memory/x"), filepath.Join(dir, "memory/.x")
	stop, swaps := make(chan struct{}), 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			err := errors.Join(os.Symlink(outside, link), os.Rename(folder, aside))
			swapErr := os.Rename(link, folder) // fails where a write has just made the folder again
			if swapErr == nil {
				swaps++
			}
			for errors.Join(os.RemoveAll(folder), os.RemoveAll(link), os.Rename(aside, folder)) != nil {
			}
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	reads, writes := 0, 0
	start := time.Now()
	for time.Since(start) < 400*time.Millisecond || (reads == 0 || writes == 0) && time.Since(start) < time.Minute {
		text, _, err := w.Read("memory/x/a.md")
		if string(text) == "secret" {
			t.Fatal("read a file outside")
		}
		if err == nil {
			reads++
		}
		late, err := w.Replace("memory/x/a.md", hash("open"), []byte("open"))
		if err == nil {
			writes++
		}
		must.Do(t, late.Close())
		_, err = w.Replace("memory/x/new.md", memory.Hash{}, []byte("ours"))
		_ = err // it may exist already; only its place matters
	}
	close(stop)
	wg.Wait()
	if found, err := filepath.Glob(outside + "/*"); err != nil || len(found) != 1 || onDisk(t, outside, "a.md") != "secret" {
		t.Errorf("outside: %q, %v", found, err)
	}
	if swaps == 0 || reads == 0 || writes == 0 {
		t.Errorf("%d swaps, %d reads, %d writes: the test tested nothing", swaps, reads, writes)
	}
}
