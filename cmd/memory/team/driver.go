// Package team shares memories through a git repository. A merge driver merges decisions, and
// proposals carry new memories on branches of their own. Nothing here writes into a work tree,
// but for the attributes that name the driver.
package team

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/git"
)

// The merge driver, as git's configuration has it. A shell runs it. If the program is not there,
// is too old or fails, git merges as it does without a driver.
const (
	driverKey  = "merge.memory.driver"
	driverName = "decisions about memories"
	driver     = "memory merge-file %O %A %B %P; s=$?; test $s -le 1 && exit $s; git merge-file %A %O %B || exit 1"
)

const attributesFile = ".gitattributes"

// Attributes for the files of a workspace. AllMarkdown is for a folder whose files all are.
var (
	WorkspaceFiles = []string{"/MEMORY.md merge=memory", "/USER.md merge=memory", "/memory/**/*.md merge=memory", "/" + memory.DecisionsFile + " merge=memory"}
	AllMarkdown    = []string{"*.md merge=memory"}
)

// MergeFile merges three versions of a file as git's merge drivers do: the result replaces ours.
// name is where the repository has the file. A base that does not exist is empty. If there is an
// error, ours stays as it is.
func MergeFile(ctx context.Context, base, ours, theirs, name string) (conflicts bool, err error) {
	var texts [3][]byte
	for i, file := range []string{base, ours, theirs} {
		texts[i], err = os.ReadFile(file)
		if err != nil && (i > 0 || !errors.Is(err, fs.ErrNotExist)) {
			return false, notMerged(name, err)
		}
	}
	isDecisions := path.Base(filepath.ToSlash(name)) == path.Base(memory.DecisionsFile)
	merged, conflicts, err := frontmatter.MergeVersions(texts[0], texts[1], texts[2], isDecisions, func(base, ours, theirs []byte) ([]byte, bool, error) {
		return git.MergeText(ctx, base, ours, theirs)
	})
	if err != nil {
		return false, notMerged(name, err)
	}
	if bytes.Equal(merged, texts[1]) {
		return conflicts, nil
	}
	info, err := os.Stat(ours)
	if err == nil {
		err = atomicfile.Write(ours, merged, info.Mode().Perm())
	}
	if err != nil {
		return false, notMerged(name, err)
	}
	return conflicts, nil
}

// notMerged returns the error for a file that stays as it is. Its exit code is not that of a
// conflict, so that the driver goes on.
func notMerged(name string, err error) error {
	return memory.Unavailable(err, "merge %s", name).WithHint("git merges it without this program")
}

// InstallDriver makes git merge decisions in the clone that a folder is in. It makes the folder.
// The attributes go into it, for a commit by the person. added reports that they were not there.
func InstallDriver(ctx context.Context, folder string, attributes []string) (added bool, err error) {
	if !git.Find(folder).Exists() {
		return false, memory.Invalid("", "%s is in no git repository", folder).WithHint("git init makes one")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return false, memory.Unavailable(err, "make %s", folder)
	}
	file := filepath.Join(folder, attributesFile)
	text, err := readAttributes(file)
	if err != nil {
		return false, err
	}
	after := withLines(text, attributes)
	if err = git.Configure(ctx, folder, "merge.memory.name", driverName); err == nil {
		err = git.Configure(ctx, folder, driverKey, driver)
	}
	if err == nil && after != text {
		added, err = true, atomicfile.Write(file, []byte(after), 0o644)
	}
	if err != nil {
		return false, memory.Unavailable(err, "set up the merge driver in %s", folder)
	}
	return added, nil
}

// readAttributes reads a file of attributes; empty if there is none. It follows no link, as git.
func readAttributes(file string) (string, error) {
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err == nil && !info.Mode().IsRegular():
		return "", memory.Conflict("%s is no regular file", file)
	}
	text, readErr := os.ReadFile(file)
	return string(text), errors.Join(err, readErr)
}

// HasDriver reports whether git merges decisions in the clone that a folder is in.
func HasDriver(ctx context.Context, folder string) bool {
	value, err := git.Setting(ctx, folder, driverKey)
	return err == nil && value == driver
}

// withLines returns a text with the lines that it lacks.
func withLines(text string, lines []string) string {
	known := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for _, line := range lines {
		if slices.Contains(known, line) {
			continue
		}
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		text += line + "\n"
	}
	return text
}

// FolderName is the name of a team's folder, if nobody chooses one.
const FolderName = "team-memory"

// FindFolder returns the folder of the team in the repository of another folder. Its attributes
// name the driver. If there is none, it is a new one at the top.
func FindFolder(ctx context.Context, dir string) (folder string, err error) {
	repository := git.Find(dir)
	if !repository.Exists() {
		return "", memory.Invalid("", "%s is in no git repository", dir).WithHint("name a folder in one, or git init makes one")
	}
	top := repository.Top(dir)
	names, _ := git.Tracked(ctx, top, attributesFile) // without a commit there are none
	for _, name := range names {
		text, err := readAttributes(filepath.Join(top, filepath.FromSlash(name)))
		if err == nil && withLines(text, AllMarkdown) == text {
			return filepath.Join(top, filepath.FromSlash(path.Dir(name))), nil
		}
	}
	return filepath.Join(top, FolderName), nil
}
