package engine

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// bootstrap is what hosts put before a model whole, unless asked otherwise.
var bootstrap = []string{"MEMORY.md", "USER.md"}

// Files gives files as a host may put them before a model: without forgotten
// and private memories, and without what was decided about single memories.
func (e *Engine) Files(ctx context.Context, r memory.FilesRequest) (memory.FilesAnswer, error) {
	s, err := e.space(r.Workspace)
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	d, err := s.onDisk()
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	hidden, err := s.hidden(ctx)
	if err != nil {
		return memory.FilesAnswer{}, err
	}
	paths := r.Paths
	if len(paths) == 0 {
		paths = bootstrap
	}
	var answer memory.FilesAnswer
	for _, path := range paths {
		file, err := s.served(d, path, hidden)
		if err != nil {
			return memory.FilesAnswer{}, err
		}
		answer.Files = append(answer.Files, file)
	}
	return answer, nil
}

// hidden says of a text under a heading that it must not be put before a model.
// It knows what is forgotten for every copy, of texts too that were written a
// moment ago and are not indexed yet, and what is forgotten alone.
func (s *space) hidden(ctx context.Context) (func(memory.Block) bool, error) {
	covered, err := s.db.Covered(ctx)
	if err != nil {
		return nil, err
	}
	forgotten, _, err := s.db.List(ctx, memory.Predicate{Forgotten: memory.Only, Archive: true}, "path", 0, 0)
	if err != nil {
		return nil, err
	}
	texts := map[string]bool{}
	for _, m := range forgotten {
		texts[hiddenKey(m.Fingerprint, m.Heading)] = true
	}
	return func(b memory.Block) bool {
		return texts[hiddenKey(b.Fingerprint, b.Heading)] || covered.Text(b.Fingerprint, b.Text, b.Heading)
	}, nil
}

func hiddenKey(f memory.Fingerprint, heading []string) string {
	return f.String() + "\x00" + strings.Join(heading, "\x00")
}

func (s *space) served(d *disk, path string, hidden func(memory.Block) bool) (memory.ServedFile, error) {
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
	for _, b := range chunker.Blocks(src, parsed.Body) {
		private := b.Annotations.Over(parsed.File).Private
		if hidden(b) || (private != nil && *private) {
			spans = append(spans, frontmatter.Span{Start: b.Start, End: b.End})
		}
	}
	content := frontmatter.Redact(src, parsed, spans)
	return memory.ServedFile{Path: path, Content: strings.ToValidUTF8(string(content), "\uFFFD"), Redacted: len(spans)}, nil
}
