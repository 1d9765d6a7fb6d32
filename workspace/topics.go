package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Coding agents keep topic files, such as debugging.md, in one folder with MEMORY.md.
// These files are memories too if the folder holds nothing else. A file of another kind
// shows that the folder is a project, a vault or an agent's home: then only patterns
// include more files.

// topicRule reports whether the Markdown files beside MEMORY.md are memories.
type topicRule struct {
	found  bool // there is a MEMORY.md
	on     bool
	reason string // the name of the file that rules them out; empty: there is no MEMORY.md, or on is true
}

// topicInclude has the defaults of topic files.
var topicInclude = include{}

// loadTopics reads the names in the top folder, and decides whether topic files are
// memories.
func (w *Workspace) loadTopics(root *os.Root) error {
	listed, err := readDir(root, ".")
	if err != nil {
		return err
	}
	rule := &topicRule{}
	var signs []string
	for _, item := range listed {
		name := item.Name()
		rule.found = rule.found || isMemoryFile(name)
		if w.ignore.Load().match(name, item.IsDir()) || item.IsDir() && !slices.Contains(projectFolders, name) {
			continue
		}
		if isProjectFile(name) && (item.IsDir() || item.Type().IsRegular() || item.Type()&fs.ModeSymlink != 0 && hasExtension(name)) {
			signs = append(signs, name)
		}
	}
	if rule.found {
		rule.on = len(signs) == 0
		if !rule.on {
			rule.reason = slices.Min(signs)
		}
	}
	w.topics.Store(rule)
	return nil
}

// isTopic reports whether a file is beside MEMORY.md, and may be a memory for that.
func (w *Workspace) isTopic(name string) bool {
	return w.topics.Load().on && isMarkdown(name) && !strings.Contains(name, "/")
}

// Decides reports whether a file was created or removed since the last scan, and that may
// change which others are indexable. Where one file rules topics out, more of them change
// nothing, so that a project's files come and go without a scan.
func (w *Workspace) Decides(name string) bool {
	rule := w.topics.Load()
	if strings.Contains(name, "/") || !isMemoryFile(name) && name != rule.reason && !(rule.on && isProjectFile(name) && !w.ignore.Load().match(name, false)) {
		return false
	}
	root, err := w.openRoot()
	if err != nil {
		return true
	}
	_, err = root.Lstat(name)
	was := name == rule.reason || isMemoryFile(name) && rule.found
	return was == errors.Is(err, fs.ErrNotExist)
}

func isMemoryFile(name string) bool {
	return isMarkdown(name) && strings.TrimSuffix(name, path.Ext(name)) == "MEMORY"
}

// projectFolders are hidden folders of vaults and repositories.
var projectFolders = []string{".github", ".logseq", ".obsidian"}

// projectPages are Markdown files that a project or an agent's host keeps at the top of
// a folder, in any case.
var projectPages = []string{"agents", "changelog", "changes", "claude", "code-of-conduct", "code_of_conduct", "contributing", "gemini", "heartbeat",
	"licence", "license", "readme", "soul"}

// projectPagesInCapitals may be topics of an agent if they are not in capitals.
var projectPagesInCapitals = []string{"BOOT", "BOOTSTRAP", "GOVERNANCE", "HISTORY", "IDENTITY", "MAINTAINERS", "ROADMAP", "SECURITY", "SKILL", "SUMMARY",
	"SUPPORT", "TOOLS"}

// isProjectFile reports whether a file at the top shows that the folder is not only
// an agent's memory. It is not Markdown, or a page of a project. Temporary files
// and backups, which come and go, show nothing.
func isProjectFile(name string) bool {
	if name[0] == '.' {
		return slices.Contains(projectFolders, name)
	}
	if isMarkdown(name) {
		stem, _, _ := strings.Cut(name, ".")
		return slices.Contains(projectPages, strings.ToLower(stem)) || slices.Contains(projectPagesInCapitals, stem)
	}
	return !isTemporaryName(name)
}

// isTemporaryName reports whether a name is one that editors, sed and downloads give to
// a file for a moment, or to a backup.
func isTemporaryName(name string) bool {
	lower := strings.ToLower(name)
	ext := path.Ext(lower)
	switch {
	case strings.HasSuffix(name, "~"), name[0] == '#', name[0] == '~', strings.Contains(lower, ".md."), strings.Contains(lower, ".tmp"):
		return true
	case slices.Contains([]string{".bak", ".orig", ".part", ".swp", ".temp"}, ext):
		return true
	case ext == "" && (strings.HasPrefix(name, "tmp") || strings.HasPrefix(name, "sed") && len(name) == len("sedXXXXXX")):
		return true
	}
	return name == "4913" || lower == "desktop.ini" || lower == "thumbs.db"
}

func readDir(root *os.Root, name string) (listed []fs.DirEntry, err error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return f.ReadDir(-1)
}
