package engine

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// bootstrapFiles is what hosts put before a model whole, unless asked otherwise.
var bootstrapFiles = []string{"MEMORY.md", "USER.md"}

// Files gives files as a host may put them before a model: without forgotten,
// private, quarantined and superseded memories, and without what was decided
// about single memories.
func (e *Engine) Files(ctx context.Context, r memory.FilesRequest) (memory.FilesAnswer, error) {
	s, err := e.lookup(r.Workspace)
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	d, err := s.openFolder()
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	paths := r.Paths
	if len(paths) == 0 {
		paths = bootstrapFiles
	}
	hidden, err := s.db.Redactions(ctx, paths)
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	var answer memory.FilesAnswer
	for _, path := range paths {
		file, err := s.serveFile(d, path, hidden)
		if err != nil {
			return memory.FilesAnswer{}, err
		}
		answer.Files = append(answer.Files, file)
	}
	return answer, nil
}

func (s *workspaceState) serveFile(d *workspaceFolder, path string, hidden index.Redactions) (memory.ServedFile, error) {
	if !d.Indexable(path) {
		return memory.ServedFile{}, memory.Invalid("path", "%s is not a file of this workspace", path).
			WithHint("MEMORY.md, USER.md, or one below memory/")
	}
	src, _, err := d.Read(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, memory.ErrNotFound) {
		return memory.ServedFile{Path: path, Missing: true}, nil
	}
	if err != nil {
		return memory.ServedFile{}, err
	}
	parsed := frontmatter.Parse(src, s.Zone)
	var spans []frontmatter.Span
	for i, b := range chunker.Blocks(src, parsed.Body) {
		said := b.Annotations.Over(parsed.File)
		private := said.Private != nil && *said.Private
		if hidden.Hides(path, i, b) || private || said.Trust == memory.TrustQuarantined {
			spans = append(spans, frontmatter.Span{Start: b.Start, End: b.End})
		}
	}
	content := frontmatter.Redact(src, parsed, spans)
	return memory.ServedFile{Path: path, Content: strings.ToValidUTF8(string(content), "\uFFFD"), Redacted: len(spans)}, nil
}
