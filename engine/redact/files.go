// Package redact serves files as their view shows them. It cuts out the spans of hidden
// memories and fields, and what belongs to them alone.
package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/internal/lazyregexp"
	"github.com/memory-tiered/memory/workspace"
)

// Files redacts the files of a workspace for one reader.
type Files struct {
	Folder      *workspace.Workspace
	Zone        *time.Location         // of times without a zone in the files
	memory.View                        // of what is put before a prompt
	Redactions  index.Redactions       // what is hidden of these files
	Hashes      map[string]memory.Hash // as the files were indexed
	AllScanned  bool                   // every decision of the workspace is known
}

// Serve returns a file as the reader may have it. A file of which the reader may see
// nothing is missing.
func (f Files) Serve(path string) (memory.ServedFile, error) {
	if !f.Folder.Indexable(path) {
		return memory.ServedFile{}, memory.Invalid("path", "%s is not a file of this workspace", path).
			WithHint("memory list shows the paths: MEMORY.md, USER.md, files below memory/, and those that the workspace includes")
	}
	src, _, err := f.Folder.Read(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, memory.ErrNotFound) {
		return memory.ServedFile{Path: path, Missing: true}, nil
	}
	if err != nil {
		return memory.ServedFile{}, err
	}
	hash := sha256.Sum256(src)
	file := f.redact(path, src, hash)
	if f.Users == nil { // a hash confirms a guess of what other users have in the file
		file.Hash = "sha256:" + hex.EncodeToString(hash[:])
	}
	return file, nil
}

// redact returns the text of a file that may reach a model.
func (f Files) redact(path string, src []byte, hash memory.Hash) memory.ServedFile {
	parsed := frontmatter.Parse(src, f.Zone)
	layout := chunker.Parse(src, parsed.BodyStart)
	parsed.FileDefaults = layout.Protect(parsed.FileDefaults)
	blocks := layout.Blocks
	others := f.ofOthers(path, parsed, blocks)
	switch {
	case len(others) == len(blocks) && (len(blocks) > 0 || !f.Reads(parsed.FileDefaults.User)):
		return memory.ServedFile{Path: path, Missing: true} // it does not exist for this user
	case f.isWithheld(parsed.FileDefaults):
		return memory.ServedFile{Path: path, Redacted: len(blocks) - len(others), Reason: "no text of this file may reach a model"}
	case !f.AllScanned || f.Hashes[path] != hash || parsed.HasConflict || workspace.BinaryReason(src) != "":
		return f.serveKnown(path, src, blocks, others)
	}
	var spans []frontmatter.Span
	hidden := map[int]bool{}
	for i, b := range blocks {
		declared := b.Annotations.Over(parsed.FileDefaults)
		if f.Redactions.Hides(path, i, b) || f.isWithheld(declared) {
			hidden[i] = true
			spans = append(spans, frontmatter.Span{Start: b.Start, End: b.End})
		}
	}
	if b := layout.PropertiesOf(path); b != nil && f.Redactions.Hides(path, memory.PropertiesOrdinal, *b) {
		spans = append(spans, frontmatter.Span{Start: b.Start, End: b.End})
		if f.Redactions.IsOthers(path, memory.PropertiesOrdinal, *b) {
			others[memory.PropertiesOrdinal] = true
		}
	}
	memories := len(spans) - len(others)
	isHidden := func(i int) bool { return hidden[i] }
	spans = append(spans, emptiedHeadings(layout, isHidden)...)
	spans = append(spans, withheldTargets(src, layout, isHidden)...)
	spans = append(spans, f.hiddenTitles(src, layout)...)
	spans = append(spans, f.hiddenInsets(src, layout)...)
	content := frontmatter.Redact(src, parsed, spans)
	if f.hidesHead(content) {
		content = frontmatter.RedactWithoutHead(src, parsed, spans)
	}
	return memory.ServedFile{Path: path, Content: strings.ToValidUTF8(string(content), "\uFFFD"), Redacted: memories}
}

// hiddenTitles returns the headings, lead-ins and link definitions of a file that repeat a
// hidden text.
func (f Files) hiddenTitles(src []byte, layout chunker.Layout) (spans []frontmatter.Span) {
	for _, s := range layout.Skipped {
		title := chunker.Clean(s.Text)
		if s.Kind == chunker.SkippedDefinition {
			title = string(src[s.Start:s.End])
		}
		if f.Redactions.Hidden.Hides(title, s.Heading) {
			spans = append(spans, frontmatter.Span{Start: s.Start, End: s.End})
		}
	}
	return spans
}

// hiddenInsets returns the comments, tags, texts of images and titles of links of a file's body that
// repeat a hidden text.
func (f Files) hiddenInsets(src []byte, layout chunker.Layout) (spans []frontmatter.Span) {
	find := func(at, end int, heading []string) {
		f.Redactions.Insets(string(src[at:end]), heading, func(inset string) string {
			at += strings.Index(string(src[at:]), inset)
			spans = append(spans, frontmatter.Span{Start: at, End: at + len(inset)})
			at += len(inset)
			return ""
		})
	}
	for _, b := range layout.Blocks {
		find(b.Start, b.End, b.Heading)
	}
	for _, s := range layout.Skipped {
		find(s.Start, s.End, s.Heading)
	}
	return spans
}

// hidesHead reports whether front matter repeats a hidden text.
func (f Files) hidesHead(content []byte) bool {
	return slices.ContainsFunc(frontmatter.HeadTexts(content, frontmatter.Parse(content, f.Zone)), func(text string) bool {
		return f.Redactions.Hidden.Hides(chunker.Clean(text), nil)
	})
}

// ofOthers returns the numbers of the blocks that belong to other users. They do not
// exist for this one, so no answer counts them.
func (f Files) ofOthers(path string, parsed frontmatter.Parsed, blocks []memory.Block) map[int]bool {
	others := map[int]bool{}
	for i, b := range blocks {
		user := b.Annotations.Over(parsed.FileDefaults).User
		if !f.Reads(user) || f.Redactions.IsOthers(path, i, b) {
			others[i] = true
		}
	}
	return others
}

// serveKnown serves a file whose present version is not indexed: only those texts
// that are indexed in it and visible. It leaves out headings, comments and front
// matter, because nothing is known about them.
func (f Files) serveKnown(path string, src []byte, blocks []memory.Block, others map[int]bool) memory.ServedFile {
	file := memory.ServedFile{Path: path, Reason: "the file is not indexed as it is now: only texts that were indexed before are shown"}
	var texts []string
	for i, b := range blocks {
		switch {
		case f.Redactions.Shows(path, b) && !f.isWithheld(b.Annotations):
			texts = append(texts, strings.TrimRight(string(src[b.Start:b.End]), "\r\n"))
		case !others[i]:
			file.Redacted++
		}
	}
	if len(texts) > 0 {
		file.Content = strings.Join(texts, "\n\n") + "\n"
	}
	return file
}

// isWithheld reports whether a declaration alone keeps a text from the model that reads
// the answer. It matters for texts that are not indexed yet.
func (f Files) isWithheld(d memory.Declared) bool {
	m := memory.Memory{User: d.User, Scope: d.Scope, Private: d.Private != nil && *d.Private, Trust: d.Trust, ImportanceLabel: d.ImportanceLabel, Tier: d.Tier}
	if !d.Expires.IsZero() {
		m.ExpiresAt = &d.Expires
	}
	return f.Hides(&m, nil) != ""
}

// emptiedHeadings returns the headings and lead-ins below which memories are hidden and
// none is left. They tell what the hidden ones are about.
func emptiedHeadings(layout chunker.Layout, hidden func(int) bool) (spans []frontmatter.Span) {
	for i, s := range layout.Skipped {
		if (s.Kind == chunker.SkippedHeading || s.Kind == chunker.SkippedLeadIn) && s.Text != "" && isEmptied(layout, i, hidden) {
			spans = append(spans, frontmatter.Span{Start: s.Start, End: s.End})
		}
	}
	return spans
}

// isEmptied reports whether a heading or lead-in has memories, and all of them are hidden.
func isEmptied(layout chunker.Layout, i int, hidden func(int) bool) bool {
	heading := layout.Skipped[i]
	path := slices.Concat(heading.Heading, []string{heading.Text})
	first := sort.Search(len(layout.Blocks), func(k int) bool { return layout.Blocks[k].Start >= heading.End })
	end := first
	for end < len(layout.Blocks) && isInside(layout.Blocks[end].Heading, path) {
		end++
	}
	for _, s := range layout.Skipped[i+1:] {
		if s.Kind == chunker.SkippedHeading && !isInside(s.Heading, path) { // another section, which may have the same name
			end = min(end, sort.Search(len(layout.Blocks), func(k int) bool { return layout.Blocks[k].Start >= s.Start }))
			break
		}
	}
	for k := first; k < end; k++ {
		if !hidden(k) {
			return false
		}
	}
	return end > first
}

// isInside reports whether a heading path is that of a section, or of one below it.
func isInside(headings, section []string) bool {
	return len(headings) >= len(section) && slices.Equal(headings[:len(section)], section)
}

// definition matches [label]: target.
var definition = lazyregexp.New(`(?m)^[ \t>]*\[((?:\\.|[^\]\\])+)\]:\s*(<[^<>\n]*>|\S+)(?:\s+["'(](.*?)["')]\s*$)?`)

// reference matches a label in brackets, as links and footnotes use it.
var reference = lazyregexp.New(`\[((?:\\.|[^\[\]\\])+)\]`)

// footnote matches the beginning of a footnote's text.
var footnote = lazyregexp.New(`^[ \t]*\[(\^[^\[\]\s]+)\]:`)

// withheldTargets returns the link definitions and footnotes of a file that hidden
// memories refer to, and no other one does. hidden reports whether a block is hidden.
func withheldTargets(src []byte, layout chunker.Layout, hidden func(int) bool) (spans []frontmatter.Span) {
	ofHidden, ofShown := map[string]bool{}, map[string]bool{}
	for i, b := range layout.Blocks {
		uses := ofShown
		if hidden(i) {
			uses = ofHidden
		}
		text := string(src[b.Start:b.End])
		for _, found := range reference().FindAllStringSubmatch(text[len(footnote().FindString(text)):], -1) {
			uses[labelKey(found[1])] = true
		}
	}
	withheld := func(label string) bool { return ofHidden[labelKey(label)] && !ofShown[labelKey(label)] }
	for _, s := range layout.Skipped {
		if s.Kind != chunker.SkippedDefinition {
			continue
		}
		at := definition().FindAllSubmatchIndex(src[s.Start:s.End], -1)
		for _, found := range at {
			if withheld(string(src[s.Start+found[2] : s.Start+found[3]])) {
				spans = append(spans, frontmatter.Span{Start: s.Start + found[0], End: s.Start + found[1]})
			}
		}
	}
	for i, b := range layout.Blocks {
		if label := footnoteLabel(src, b); label != "" && !hidden(i) && withheld(label) {
			spans = append(spans, frontmatter.Span{Start: b.Start, End: b.End})
		}
	}
	return spans
}

// footnoteLabel returns the label of a footnote's text, or "".
func footnoteLabel(src []byte, b memory.Block) string {
	if found := footnote().FindSubmatch(src[b.Start:b.End]); found != nil {
		return string(found[1])
	}
	return ""
}

// labelKey returns a label as Markdown compares it.
func labelKey(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }
