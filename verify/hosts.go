package verify

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// Hosts names what other programs store beside the workspace. Only they write there, so no
// decision reaches it.
type Hosts struct {
	Dirs      []string // OpenClaw's state folders
	Workspace string   // OpenClaw keeps its recalls in memory/.dreams
	More      []string // files and folders of other programs, which may be missing
}

// Find reads the databases and the sessions of each agent, and the recalls.
func (h Hosts) Find(ctx context.Context, texts *Matcher, progress func(memory.Progress)) (answer memory.VerifyAnswer, err error) {
	s := fileScan{Files: Files{Progress: progress}, texts: texts, seen: map[string]bool{}, open: map[string]openFile{}, answer: &answer}
	all := func(string, fs.DirEntry) bool { return true }
	if err := s.walkExisting(ctx, recalls(h.Workspace), all, "OpenClaw's recalls: dreaming writes from them to MEMORY.md"); err != nil {
		return answer, err
	}
	for _, dir := range h.Dirs {
		for _, part := range []string{"agents", "state"} {
			if err := s.walkExisting(ctx, filepath.Join(dir, part), isHostStore, "a store of OpenClaw: its index, recalls, sessions or prompts"); err != nil {
				return answer, err
			}
		}
	}
	for _, path := range h.More {
		if err := s.walkExisting(ctx, path, all, ""); err != nil {
			return answer, err
		}
	}
	return answer, nil
}

// recalls returns the folder where OpenClaw notes what its search returned.
func recalls(workspace string) string { return filepath.Join(workspace, "memory", ".dreams") }

// isHostStore accepts databases with their logs, and sessions.
func isHostStore(path string, d fs.DirEntry) bool {
	return d.IsDir() || strings.Contains(filepath.Base(path), ".sqlite") || slices.Contains([]string{".json", ".jsonl"}, filepath.Ext(path))
}

// walkExisting walks a folder or a file that may be missing. A file with a text gets the note.
func (s *fileScan) walkExisting(ctx context.Context, dir string, accepts func(string, fs.DirEntry) bool, note string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	from := len(s.answer.Checked)
	err := s.walk(ctx, dir, accepts)
	for i := from; i < len(s.answer.Checked); i++ {
		if c := &s.answer.Checked[i]; c.Found {
			c.Note = note
		}
	}
	return err
}
