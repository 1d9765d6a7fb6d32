package git

import (
	"os"
	"path/filepath"
	"strings"
)

// MainFolder returns the folder of the repository's main work tree, also for a folder in
// one of its other work trees. It is empty if there is no repository.
//
// A folder from outside can hold a .git that names the repository of another project. So
// a work tree counts only if the repository names it too.
func (r Repository) MainFolder(dir string) string {
	if !r.Exists() {
		return ""
	}
	top := r.Top(dir)
	if info, err := os.Lstat(filepath.Join(top, ".git")); err != nil || info.IsDir() {
		return top
	}
	common := r.commonDir()
	if filepath.Base(common) != ".git" || !isWorkTree(common, filepath.Base(r.gitDir), top) {
		return top
	}
	return filepath.Dir(common)
}

// WorkTrees returns the folders of the repository's other work trees, and of the main one.
func (r Repository) WorkTrees(dir string) (folders []string) {
	main := r.MainFolder(dir)
	if main == "" {
		return nil
	}
	folders = append(folders, main)
	common := filepath.Join(main, ".git")
	entries, _ := os.ReadDir(filepath.Join(common, "worktrees")) // without the folder there are none
	for _, entry := range entries {
		text, err := readFile(filepath.Join(common, "worktrees", entry.Name(), "gitdir"))
		if folder := filepath.Dir(strings.TrimSpace(string(text))); err == nil && isWorkTree(common, entry.Name(), folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// isWorkTree reports whether a repository and a folder name each other as repository and
// linked work tree. Below .git it follows no link, which could lead to another repository.
func isWorkTree(common, name, folder string) bool {
	record := filepath.Join(realPath(filepath.Dir(common)), ".git", "worktrees", name)
	text, err := readFile(filepath.Join(record, "gitdir"))
	dotGit := filepath.Join(folder, ".git")
	return err == nil && realPath(record) == record &&
		realPath(strings.TrimSpace(string(text))) == realPath(dotGit) &&
		realPath(readGitFile(dotGit)) == record
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}
