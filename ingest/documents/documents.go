// Package documents reads the files that people keep as documents: Markdown, text, HTML and
// PDF. It cuts them into passages with the place of each in its source.
//
// The bytes are untrusted. Nothing in a document declares anything: a mark, front matter or an
// annotation is not read.
package documents

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// The length of a passage in characters. A shorter section is a passage of its own, because a
// passage never has the text of two sections.
const (
	enough      = 900
	mostPassage = memory.MaxChunk - 100 // so that a passage is one chunk
)

// Extractor returns the text of each page of a PDF, with blank lines between its paragraphs, or
// a page of HTML as Markdown. That has &, < and > as entities. kind is .pdf, .html or .htm.
type Extractor func(ctx context.Context, kind string, src []byte) (pages []string, err error)

// Read returns the passages of a file in order. The lines of a passage are those of the file.
// Those of a PDF are its pages, counted from 1, and those of HTML are of its text as Markdown.
func Read(ctx context.Context, name string, src []byte, extract Extractor) ([]memory.Block, error) {
	title := []string{strings.NewReplacer("-", " ", "_", " ").Replace(strings.TrimSuffix(path.Base(name), path.Ext(name)))}
	var all []piece
	kind := strings.ToLower(path.Ext(name))
	if kind != ".pdf" {
		if src = decode(src); !isText(src) {
			return nil, errors.New("it is no text")
		}
	}
	switch kind {
	case ".pdf", ".html", ".htm":
		if extract == nil {
			return nil, nil
		}
		pages, err := extract(ctx, kind, src)
		if err != nil {
			return nil, err
		}
		for i, text := range pages {
			if kind != ".pdf" {
				all = readMarkdown([]byte(text))
				unescape(all)
				continue
			}
			for paragraph := range strings.SplitSeq(text, "\n\n") {
				all = append(all, piece{section: i, text: paragraph, first: i + 1, last: i + 1})
			}
		}
	case ".md":
		all = readMarkdown(src)
	default:
		all = readText(src)
	}
	for i := range all {
		if len(all[i].heading) == 0 {
			all[i].heading = title
		}
	}
	return join(all), nil
}

// unescape replaces the characters that a page of HTML has as entities, also in its Markdown.
func unescape(all []piece) {
	for i := range all {
		all[i].text = html.UnescapeString(all[i].text)
		all[i].heading = slices.Clone(all[i].heading) // blocks share theirs
		for k, heading := range all[i].heading {
			all[i].heading[k] = html.UnescapeString(heading)
		}
	}
}

// decode returns a text in UTF-8, without a byte order mark. If it is in another encoding, its first bytes tell which, or a
// page of HTML names it. Otherwise it is Windows-1252.
func decode(src []byte) []byte {
	if utf8.Valid(src) {
		return bytes.TrimPrefix(src, byteOrderMark)
	}
	encoding, _, _ := charset.DetermineEncoding(src, "")
	text, err := encoding.NewDecoder().Bytes(src)
	if err != nil {
		return src
	}
	return bytes.TrimPrefix(text, byteOrderMark)
}

var byteOrderMark = []byte("\uFEFF")

// isText reports whether a file is text: at most one character in a hundred is a control
// character. One byte in ten of a compressed file, a picture or a program is one.
func isText(src []byte) bool {
	controls := 0
	for _, c := range src {
		if c < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b", rune(c)) {
			controls++
		}
	}
	return 100*controls <= len(src)
}

// piece is a part of a document that is not divided, unless it is too long: a paragraph, an
// item, a row.
type piece struct {
	section     int // only pieces of one section are joined
	heading     []string
	text        string
	first, last int  // lines, or pages
	isLine      bool // it follows the piece above without a blank line
}

// join makes passages of pieces. A passage ends where the next piece would make it too long,
// and with its section.
func join(all []piece) (passages []memory.Block) {
	passages = make([]memory.Block, 0, len(all)/2)
	var of piece
	end := func() {
		if text := strings.TrimSpace(of.text); text != "" {
			passages = append(passages, memory.Block{Kind: memory.KindParagraph, Text: text, Heading: of.heading,
				LineStart: of.first, LineEnd: of.last, Fingerprint: chunker.Fingerprint(text)})
		}
	}
	length := 0
	for _, p := range all {
		for _, part := range p.split() {
			n := utf8.RuneCountInString(part.text)
			if of.section == part.section && length < enough && length+n <= mostPassage && of.text != "" {
				gap := "\n\n"
				if part.isLine {
					gap = "\n"
				}
				of.text, of.last, length = of.text+gap+part.text, part.last, length+n+len(gap)
				continue
			}
			end()
			of, length = part, n
		}
	}
	end()
	return passages
}

// split cuts a piece that is too long for a passage. Where each line of the text is a line of
// the file, its parts have the lines that they are on.
func (p piece) split() []piece {
	p.text = strings.Map(visible, strings.ToValidUTF8(p.text, "\uFFFD"))
	if len(p.text) <= mostPassage || utf8.RuneCountInString(p.text) <= mostPassage {
		return []piece{p}
	}
	exact := strings.Count(p.text, "\n") == p.last-p.first
	var parts []piece
	rest, line := p.text, p.first
	for _, c := range chunker.Chunks(p.text) {
		before, after, _ := strings.Cut(rest, c.Text)
		part := p
		part.text = c.Text
		if exact {
			line += strings.Count(before, "\n")
			part.first, part.last = line, line+strings.Count(c.Text, "\n")
			line = part.last
		}
		parts, rest = append(parts, part), after
	}
	return parts
}

func visible(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' {
		return -1
	}
	return r
}

// readMarkdown cuts Markdown as the memories of a person are cut, and joins what is below one
// heading.
func readMarkdown(src []byte) (all []piece) {
	section, heading := 0, []string(nil)
	for _, b := range chunker.Blocks(src, frontmatter.Parse(src, time.UTC).BodyStart) {
		if !slices.Equal(heading, b.Heading) {
			section, heading = section+1, b.Heading
		}
		p := piece{section: section, heading: b.Heading, text: b.Text, first: b.LineStart, last: b.LineEnd}
		if b.Kind == memory.KindItem {
			p.text, p.isLine = "- "+b.Text, true
		}
		all = append(all, p)
	}
	return all
}

// readText cuts text at its blank lines.
func readText(src []byte) (all []piece) {
	text, start, end, line := string(src), -1, 0, 0
	for next := range strings.Lines(text) {
		line, end = line+1, end+len(next)
		if strings.TrimSpace(next) == "" {
			start = -1
			continue
		}
		if start < 0 {
			start, all = end-len(next), append(all, piece{first: line})
		}
		p := &all[len(all)-1]
		p.text, p.last = strings.TrimRightFunc(text[start:end], unicode.IsSpace), line
	}
	return all
}
