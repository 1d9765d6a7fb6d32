package chunker

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/protecting"
)

// annotator reads annotations into blocks, and notes those that it cannot use.
type annotator struct {
	zone     *time.Location  // for dates without a time zone; nil: UTC
	notes    []note          // since the last call of faults
	withheld memory.Declared // what marks that cannot be read declare for the file
}

// note is what is wrong with an annotation of a comment.
type note struct{ comment, message string }

// HasAnnotation reports whether a file with the text would have an annotation in one of
// its comments. [Bullet] makes it part of the text.
func HasAnnotation(text string) bool { return isAnnotation(text) }

// isAnnotation reports whether any comment of a text holds an annotation.
func isAnnotation(text string) bool {
	return new(annotator).applyComments(&memory.Block{}, text)
}

// applyComments adds the annotations of every comment of a text to b and
// reports whether it found any.
func (a *annotator) applyComments(b *memory.Block, text string) bool {
	known := false
	for _, c := range findComments(text) {
		known = a.applyComment(b, text[c.Start:c.End]) || known
	}
	return known
}

// applyComment adds the annotations of a comment to b: "key: value" pairs
// between semicolons or on lines. It reports whether it knows any key. Comments with other
// keys belong to other tools. What looks like a mark that protects and is outside
// this grammar withholds the file.
func (a *annotator) applyComment(b *memory.Block, comment string) bool {
	known, noted := false, len(a.notes)
	body := strings.Trim(strings.TrimSuffix(strings.TrimPrefix(comment, "<!--"), "-->"), "-")
	separators := ";；\n"
	if strings.Contains(body, "<") {
		separators = ";" // its end is missing, and the next comment is in it
	}
	for pair := range strings.FieldsFuncSeq(body, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		ours, err := a.applyPair(b, pair)
		if !ours && err == nil {
			if k := protecting.InComment(pair, body); k != nil {
				ours, err = true, a.refuse(k)
			}
		}
		if err != nil {
			a.notes = append(a.notes, note{comment, err.Error()})
		}
		known = known || ours
	}
	if len(a.notes) == noted || protecting.Protects(a.withheld.Over(b.Annotations)) {
		return known
	}
	if k := protecting.Anywhere(body); k != nil {
		last := &a.notes[len(a.notes)-1]
		last.message = a.withhold(k.Name == "user", last.message)
		return true
	}
	return known
}

// refuse withholds the file of what looks like a key that protects.
func (a *annotator) refuse(k *protecting.Key) error {
	return errors.New(a.withhold(k.Name == "user", "it looks like "+k.Name+", and cannot be read"))
}

// applyPair adds one annotation to b. ours reports that its key is known.
func (a *annotator) applyPair(b *memory.Block, pair string) (ours bool, err error) {
	key, value, valued := cutPair(pair)
	k, known := annotationKeys[key]
	if known && k.free && key != "user" {
		if mark := protecting.InWords(value); mark != nil {
			return true, a.refuse(mark)
		}
	}
	switch {
	case known && (valued || k.flag):
		if err := k.read(a, b, value); err != nil {
			return true, fmt.Errorf("%s: %w", key, err)
		}
		return true, nil
	case known && !k.free:
		return false, fmt.Errorf("%s has no value; write it as <!-- %s: … -->", key, key)
	case !known && !valued:
		if a.applyWords(b, pair) {
			return true, nil
		}
		return false, suggestFlag(key)
	case known:
		return false, nil
	}
	if meant := memory.SuggestKey(key, annotationNames); meant != "" && protecting.InComment(pair, pair) == nil {
		return true, fmt.Errorf("unknown key %q; do you mean %s?", key, meant)
	}
	return false, nil
}

// cutPair splits a pair at its colon, or at an equals sign behind a key.
func cutPair(pair string) (key, value string, valued bool) {
	for _, separator := range []string{":", "="} {
		before, after, found := strings.Cut(pair, separator)
		key = strings.ToLower(strings.Trim(before, " \t\r\n@"))
		key = strings.ReplaceAll(key, "-", "_")
		if _, known := annotationKeys[key]; known && found {
			return key, strings.TrimSpace(after), true
		}
	}
	before, after, found := strings.Cut(pair, ":")
	return strings.ToLower(strings.TrimSpace(before)), strings.TrimSpace(after), found
}

// applyWords reads an annotation without a colon, such as "tier hot", if its
// value is valid. Other words are a comment of a person.
func (a *annotator) applyWords(b *memory.Block, pair string) bool {
	words := strings.Fields(pair)
	if len(words) != 2 {
		return false
	}
	k, known := annotationKeys[strings.ToLower(words[0])]
	if !known || k.free || k.read(a, &memory.Block{}, words[1]) != nil {
		return false
	}
	return k.read(a, b, words[1]) == nil
}

// suggestFlag reports a comment of one word that probably misspells a flag.
func suggestFlag(word string) error {
	word = strings.Trim(word, " \t\r\n@.!-")
	if meant := memory.SuggestKey(word, annotationNames); annotationKeys[meant].flag && protecting.InComment(word, word) == nil {
		return fmt.Errorf("unknown word %q; do you mean <!-- %s -->?", word, meant)
	}
	return nil
}

// maxFaults limits the faults of one file. More of them are one mistake, made by
// a program.
const maxFaults = 50

// faults returns what was noted since the last call, with lines. src begins on
// the given line and contains the comments. A comment that applies to no block
// is a fault too.
func (a *annotator) faults(src []byte, line int) (out []memory.Fault) {
	for _, n := range a.notes {
		at := max(bytes.Index(src, []byte(n.comment)), 0)
		out = append(out, memory.Fault{Line: line + bytes.Count(src[:at], []byte("\n")),
			Message: "annotation " + shorten(n.comment) + ": " + n.message})
	}
	a.notes = nil
	return out
}

// noteUnused notes the annotations of comments that belong to no block.
func (a *annotator) noteUnused(text string) {
	a.notes = nil
	for _, c := range findComments(text) {
		comment := text[c.Start:c.End]
		a.noteMisplaced(comment, comment, "it belongs to no memory; write it at the end of a memory's line, or on the next line", false)
	}
	a.applyUnclosed(text)
	a.applyMarks(text)
}

// shorten returns a comment on one line, cut for a message.
func shorten(comment string) string {
	s := strings.Join(strings.Fields(comment), " ")
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
