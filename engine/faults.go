package engine

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/redact"
	"github.com/memory-tiered/memory/index"
)

// A fault quotes what is wrong in a file, and that may be a forgotten text.

// faults lists the faults of all files, and what an unfinished destroy left in them. They
// repeat no forgotten text.
func (s *workspaceState) faults(ctx context.Context) (all []memory.Fault, err error) {
	if all, err = s.db.Faults(ctx); err != nil {
		return nil, err
	}
	left, err := s.destroys.Faults(ctx)
	if err != nil {
		return nil, err
	}
	return s.withoutForgotten(ctx, append(all, left...))
}

// withoutForgotten returns the faults of a workspace with … in place of forgotten texts.
func (s *workspaceState) withoutForgotten(ctx context.Context, faults []memory.Fault) ([]memory.Fault, error) {
	if len(faults) == 0 {
		return faults, nil
	}
	forgotten, err := s.db.ForgottenTexts(ctx)
	if err != nil || forgotten.IsEmpty() {
		return faults, err
	}
	list, _, err := s.db.List(ctx, memory.Predicate{Archive: true, Forgotten: memory.Only, Missing: memory.Include}, "path", 0, 0)
	if err != nil {
		return nil, err
	}
	known := memory.TextsOf(list)
	inFile := map[string][]string{}
	for i, f := range faults {
		texts, read := inFile[f.Path]
		if !read {
			texts = s.forgottenIn(f.Path, forgotten)
			inFile[f.Path] = texts
		}
		for _, text := range slices.Concat(texts, known) {
			faults[i].Message = redact.WithoutText(faults[i].Message, text)
		}
	}
	return faults, nil
}

// forgottenIn returns the parts of a file that repeat a forgotten text.
func (s *workspaceState) forgottenIn(path string, forgotten index.ForgottenTexts) []string {
	folder, err := s.openFolder()
	if err != nil {
		return nil
	}
	src, _, err := folder.Read(path)
	if err != nil {
		return nil // its faults quote nothing of it
	}
	return redact.ForgottenParts(src, s.Zone, forgotten)
}
