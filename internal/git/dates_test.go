package git_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/internal/git"
	"github.com/memory-tiered/memory/internal/must"
)

// commitAt commits everything with an author date.
func commitAt(t *testing.T, dir, date string) {
	t.Helper()
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-q", "--date", date, "-m", "notes")
}

// dates returns the author date of each line that contains a text.
func dates(t *testing.T, dir, name string) map[string]string {
	t.Helper()
	lines := must.Get(git.Lines(t.Context(), dir, name))(t)
	found := map[string]string{}
	for _, l := range lines {
		found[l.Text] = l.AuthoredAt.Format(time.DateOnly)
	}
	return found
}

func TestLinesHaveTheDateOfTheCommitThatIntroducedThem(t *testing.T) {
	dir := newRepository(t)
	write(t, dir, "notes/MEMORY.md", "- The ferry leaves at nine\r\n- Old\n")
	commitAt(t, dir, "2021-03-04T10:00:00Z")
	write(t, dir, "notes/MEMORY.md", "- New\n- The ferry leaves at nine\r\n- Old\n")
	commitAt(t, dir, "2022-05-06T10:00:00+02:00")
	run(t, dir, "mv", "notes/MEMORY.md", "notes/moved.md")
	commitAt(t, dir, "2023-01-01T10:00:00Z")
	write(t, dir, "notes/moved.md", "- Not committed\n")
	got := dates(t, filepath.Join(dir, "notes"), "moved.md")
	if got["- New"] != "2022-05-06" || got["- Old"] != "2021-03-04" || len(got) != 3 {
		t.Errorf("got %v", got)
	}
	if _, err := git.Lines(t.Context(), dir, "notes/other.md"); !errors.Is(err, git.ErrNotCommitted) {
		t.Errorf("a file that is not committed: %v", err)
	}
	if _, err := git.Lines(t.Context(), t.TempDir(), "MEMORY.md"); !errors.Is(err, git.ErrUnusable) {
		t.Errorf("outside a repository: %v", err)
	}
}

// trap returns a command that leaves a trace when it runs, and a check that it did
// not run.
func trap(t *testing.T) (command string, check func()) {
	t.Helper()
	dir := t.TempDir()
	trace := filepath.Join(dir, "ran")
	command = filepath.Join(dir, "trap.sh")
	must.Do(t, os.WriteFile(command, []byte("#!/bin/sh\necho \"$0 $*\" >> "+trace+"\ncat\n"), 0o755))
	return command, func() {
		t.Helper()
		if text, err := os.ReadFile(trace); err == nil {
			t.Errorf("git ran a command of the repository: %s", text)
		}
	}
}

// TestLinesRunsNoCommandOfTheRepository sets everything with which a repository can
// make git run a command.
func TestLinesRunsNoCommandOfTheRepository(t *testing.T) {
	dir := newRepository(t)
	command, check := trap(t)
	write(t, dir, ".gitattributes", "*.md filter=evil diff=evil textconv=evil\n")
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-q", "-m", "attributes")
	for _, key := range []string{"core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass", "core.gitProxy",
		"core.alternateRefsCommand", "diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean",
		"filter.evil.smudge", "filter.evil.process", "gpg.program", "credential.helper", "pager.blame", "alias.cat-file",
		"sequence.editor", "uploadpack.packObjectsHook"} {
		run(t, dir, "config", key, command)
	}
	run(t, dir, "config", "alias.blame", "!"+command)
	run(t, dir, "config", "log.showSignature", "true")
	run(t, dir, "config", "core.hooksPath", filepath.Dir(command))
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "post-checkout", "pre-auto-gc"} {
		write(t, dir, ".git/hooks/"+hook, "#!/bin/sh\n"+command+"\n")
		must.Do(t, os.Chmod(filepath.Join(dir, ".git", "hooks", hook), 0o755))
	}
	// The trap works where git is run without our settings.
	c := exec.Command("git", "blame", "--", "notes/MEMORY.md")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Logf("plain git: %v, %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(command), "ran")); err != nil {
		t.Fatal("the trap does not work")
	}
	must.Do(t, os.Remove(filepath.Join(filepath.Dir(command), "ran")))
	if got := dates(t, filepath.Join(dir, "notes"), "MEMORY.md"); len(got) != 1 {
		t.Errorf("got %v", got)
	}
	check()
}

func TestLinesContactsNoServer(t *testing.T) {
	dir := newRepository(t)
	command, check := trap(t)
	run(t, dir, "config", "remote.origin.url", "ext::"+command)
	run(t, dir, "config", "remote.origin.promisor", "true")
	run(t, dir, "config", "remote.origin.partialCloneFilter", "blob:none")
	run(t, dir, "config", "remote.origin.uploadpack", command)
	run(t, dir, "config", "remote.origin.vcs", "evil")
	run(t, dir, "config", "extensions.partialClone", "origin")
	run(t, dir, "config", "core.repositoryFormatVersion", "1")
	run(t, dir, "config", "protocol.ext.allow", "always")
	c := exec.Command("git", "rev-parse", "HEAD:notes/MEMORY.md")
	c.Dir = dir
	blob := must.Get(c.Output())(t)
	hash := strings.TrimSpace(string(blob))
	must.Do(t, os.Remove(filepath.Join(dir, ".git", "objects", hash[:2], hash[2:])))
	if _, err := git.Lines(t.Context(), filepath.Join(dir, "notes"), "MEMORY.md"); err == nil {
		t.Error("the file's content is missing, and there is no error")
	}
	check()
}

func TestLinesIgnoresTheCallersEnvironment(t *testing.T) {
	dir, other := newRepository(t), newRepository(t)
	command, check := trap(t)
	write(t, other, "notes/MEMORY.md", "- Another repository\n")
	commitAt(t, other, "2020-01-01T00:00:00Z")
	for name, value := range map[string]string{"GIT_DIR": filepath.Join(other, ".git"), "GIT_WORK_TREE": other, "GIT_EXTERNAL_DIFF": command,
		"GIT_SSH_COMMAND": command, "GIT_PAGER": command, "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": command,
		"GIT_TRACE": filepath.Join(filepath.Dir(command), "ran"), "GIT_EXEC_PATH": filepath.Dir(command)} {
		t.Setenv(name, value)
	}
	got := dates(t, filepath.Join(dir, "notes"), "MEMORY.md")
	if _, ours := got["- The ferry leaves at nine"]; !ours {
		t.Errorf("got %v", got)
	}
	check()
}

func TestGitFileThatPointsElsewhere(t *testing.T) {
	dir, other := t.TempDir(), newRepository(t)
	command, check := trap(t)
	run(t, other, "config", "core.fsmonitor", command)
	write(t, dir, ".git", "gitdir: "+filepath.Join(other, ".git")+"\n")
	write(t, dir, "MEMORY.md", "- The ferry leaves at nine\n")
	if _, err := git.Lines(t.Context(), dir, "MEMORY.md"); err == nil {
		t.Error("the other repository has no such file, and there is no error")
	}
	check()
	write(t, dir, ".git", "gitdir: /nonexistent\n")
	if _, err := git.Lines(t.Context(), dir, "MEMORY.md"); !errors.Is(err, git.ErrUnusable) {
		t.Errorf("a .git file that points to nothing: %v", err)
	}
}

func TestBareRepositoryInTheWorkspaceIsNotUsed(t *testing.T) {
	source := newRepository(t)
	command, check := trap(t)
	dir := filepath.Join(t.TempDir(), "evil")
	run(t, filepath.Dir(dir), "clone", "-q", "--bare", source, dir)
	run(t, dir, "config", "core.fsmonitor", command)
	if _, err := git.Lines(t.Context(), dir, "notes/MEMORY.md"); !errors.Is(err, git.ErrUnusable) {
		t.Errorf("got %v", err)
	}
	check()
}

func TestRepositoryOfAnotherUserIsNotUsed(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	dir := newRepository(t)
	for _, path := range []string{dir, filepath.Join(dir, ".git")} {
		must.Do(t, os.Chown(path, 12345, 12345))
	}
	_, err := git.Lines(t.Context(), filepath.Join(dir, "notes"), "MEMORY.md")
	if !errors.Is(err, git.ErrUnusable) || !strings.Contains(err.Error(), "ownership") {
		t.Errorf("got %v", err)
	}
}

func TestLinesStopsWithItsContext(t *testing.T) {
	dir := newRepository(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := git.Lines(ctx, filepath.Join(dir, "notes"), "MEMORY.md"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestBrokenRepositoryIsUnusable(t *testing.T) {
	dir := newRepository(t)
	run(t, dir, "config", "blame.ignoreRevsFile", "does-not-exist")
	if _, err := git.Lines(t.Context(), filepath.Join(dir, "notes"), "MEMORY.md"); !errors.Is(err, git.ErrUnusable) {
		t.Errorf("a list of revisions is missing: %v", err)
	}
	write(t, dir, ".git/HEAD", "nonsense\n")
	if _, err := git.Lines(t.Context(), filepath.Join(dir, "notes"), "MEMORY.md"); !errors.Is(err, git.ErrUnusable) {
		t.Errorf("got %v", err)
	}
}
