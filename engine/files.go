package engine

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// bootstrapFiles are the files that hosts usually inject whole.
var bootstrapFiles = []string{"MEMORY.md", "USER.md"}

// Files returns files as a host may inject them: without the memories that may not
// be injected, such as forgotten and private ones, and without the entries about
// memories.
func (e *Engine) Files(ctx context.Context, r memory.FilesRequest) (memory.FilesAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	folder, err := s.openFolder()
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	paths := r.Paths
	if len(paths) == 0 {
		paths = bootstrapFiles
	}
	now := e.now()
	hidden, err := s.db.Redactions(ctx, now, paths)
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	var answer memory.FilesAnswer
	for _, path := range paths {
		file, err := s.serveFile(folder, path, hidden, now)
		if err != nil {
			return memory.FilesAnswer{}, err
		}
		answer.Files = append(answer.Files, file)
	}
	return answer, nil
}

func (s *workspaceState) serveFile(folder *workspaceFolder, path string, hidden index.Redactions, now time.Time) (memory.ServedFile, error) {
	if !folder.Indexable(path) {
		return memory.ServedFile{}, memory.Invalid("path", "%s is not a file of this workspace", path).
			WithHint("MEMORY.md, USER.md, or one below memory/")
	}
	src, _, err := folder.Read(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, memory.ErrNotFound) {
		return memory.ServedFile{Path: path, Missing: true}, nil
	}
	if err != nil {
		return memory.ServedFile{}, err
	}
	parsed := frontmatter.Parse(src, s.Zone)
	var spans []frontmatter.Span
	for i, b := range chunker.Blocks(src, parsed.BodyStart) {
		declared := b.Annotations.Over(parsed.FileDefaults)
		if hidden.Hides(path, i, b) || isWithheld(declared, now) {
			spans = append(spans, frontmatter.Span{Start: b.Start, End: b.End})
		}
	}
	content := frontmatter.Redact(src, parsed, spans)
	return memory.ServedFile{Path: path, Content: strings.ToValidUTF8(string(content), "\uFFFD"), Redacted: len(spans)}, nil
}

// isWithheld reports whether a declaration alone keeps a text from a model. It
// matters for texts that are not indexed yet.
func isWithheld(d memory.Declared, now time.Time) bool {
	return d.Private != nil && *d.Private || d.Trust == memory.TrustQuarantined ||
		d.ImportanceLabel == memory.ImportanceIgnore || !d.Expires.IsZero() && !d.Expires.After(now)
}
