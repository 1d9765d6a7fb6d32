package redact

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/index"
)

// sentenceEnd matches the end of a sentence inside a line.
var sentenceEnd = regexp.MustCompile(`[.!?…]["'”’)]*\s+|[。！？]`)

// paragraphEnd matches the blank lines after a paragraph.
var paragraphEnd = regexp.MustCompile(`\n[ \t]*\n\s*`)

// RepeatsForgotten reports whether a text, or one of its paragraphs, lines and
// sentences, is forgotten. A forgotten text that is not short is found inside them too.
func RepeatsForgotten(text string, forgotten index.ForgottenTexts) bool {
	isForgotten := func(part string) bool {
		part = strings.TrimSpace(part)
		return forgotten.Contains(chunker.Fingerprint(part), part, nil)
	}
	if isForgotten(text) || forgotten.ContainsRun(text) {
		return true
	}
	for _, paragraph := range paragraphEnd.Split(text, -1) {
		lines := strings.Split(paragraph, "\n")
		parts := slices.Concat([]string{paragraph}, lines, sentenceEnd.Split(paragraph, -1))
		if slices.ContainsFunc(parts, isForgotten) {
			return true
		}
	}
	return false
}

// ForgottenParts returns the parts of a file that repeat a forgotten text: of its front
// matter, its comments and its memories.
func ForgottenParts(src []byte, zone *time.Location, forgotten index.ForgottenTexts) (found []string) {
	parsed := frontmatter.Parse(src, zone)
	texts := frontmatter.HeadTexts(src, parsed)
	for _, c := range comment.FindAllSubmatch(src, -1) {
		texts = append(texts, commentTexts(string(c[1]))...)
	}
	layout := chunker.Parse(src, parsed.BodyStart)
	for _, b := range layout.Blocks {
		texts = append(texts, b.Text)
	}
	if layout.Properties != nil {
		texts = append(texts, layout.Properties.Text)
	}
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" && RepeatsForgotten(text, forgotten) {
			found = append(found, text)
		}
	}
	return found
}

// minRepeated is the number of characters of a forgotten text that make a message repeat
// it. A message cuts long texts.
const minRepeated = 12

// WithoutText returns a message with … in place of a text, or of its beginning.
func WithoutText(message, text string) string {
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
