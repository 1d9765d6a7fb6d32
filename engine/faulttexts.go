package engine

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// A fault quotes what is wrong in a file, and that may be a forgotten text.

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
	known := textsOf(list)
	inFile := map[string][]string{}
	for i, f := range faults {
		texts, read := inFile[f.Path]
		if !read {
			texts = s.forgottenIn(f.Path, forgotten)
			inFile[f.Path] = texts
		}
		for _, text := range slices.Concat(texts, known) {
			faults[i].Message = withoutText(faults[i].Message, text)
		}
	}
	return faults, nil
}

// forgottenIn returns the parts of a file that repeat a forgotten text: of its front
// matter, its comments and its memories.
func (s *workspaceState) forgottenIn(path string, forgotten index.ForgottenTexts) (found []string) {
	folder, err := s.openFolder()
	if err != nil {
		return nil
	}
	src, _, err := folder.Read(path)
	if err != nil {
		return nil // its faults quote nothing of it
	}
	parsed := frontmatter.Parse(src, s.Zone)
	texts := frontmatter.HeadTexts(src, parsed)
	for _, c := range comment.FindAllSubmatch(src, -1) {
		texts = append(texts, commentTexts(string(c[1]))...)
	}
	for _, b := range chunker.Parse(src, parsed.BodyStart).Blocks {
		texts = append(texts, b.Text)
	}
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" && repeatsForgotten(text, forgotten) {
			found = append(found, text)
		}
	}
	return found
}

// minRepeated is the number of characters of a forgotten text that make a message repeat
// it. A message cuts long texts.
const minRepeated = 12

// withoutText returns a message with … in place of a text, or of its beginning.
func withoutText(message, text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return message
	}
	lower, start := strings.ToLower(message), strings.ToLower(text)
	if len(lower) != len(message) || len(start) != len(text) { // letters whose cases differ in length
		lower, start = message, text
	}
	cut := 0 // the first minRepeated characters, or all of a short text
	for n := 0; n < minRepeated && cut < len(start); n++ {
		_, size := utf8.DecodeRuneInString(start[cut:])
		cut += size
	}
	at := strings.Index(lower, start[:cut])
	if at < 0 {
		return message
	}
	end := at + cut
	for cut < len(start) && end < len(lower) && lower[end] == start[cut] {
		end, cut = end+1, cut+1
	}
	for !utf8.ValidString(message[end:]) && end < len(message) {
		end++
	}
	return message[:at] + "…" + strings.TrimPrefix(message[end:], "…")
}
