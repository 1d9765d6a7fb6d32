package dailynote

import (
	"bytes"
	"reflect"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// FitBullet returns a bullet to append to a file. With it, the file has its old blocks
// and the text with its annotation, and nothing else.
func FitBullet(current []byte, admitted Text, a Annotation) (bullet []byte, ok bool) {
	text := admitted.text
	before := chunker.Blocks(current, frontmatter.Parse(current, time.UTC).BodyStart)
	for _, bullet := range bulletForms(text, a.comment) {
		next := bytes.Clone(current)
		if len(next) > 0 && next[len(next)-1] != '\n' {
			next = append(next, '\n')
		}
		next = append(next, bullet...)
		after := chunker.Blocks(next, frontmatter.Parse(next, time.UTC).BodyStart)
		if len(after) == len(before)+1 && after[len(before)].Text == text && a.isOf(after[len(before)]) && sameMemories(before, after) {
			return bullet, true
		}
	}
	return nil, false
}

// bulletForms returns the ways to write a bullet: with and without a blank line
// before it, and with the comment in three places. It is at the end of the text, or on
// a line of its own behind a text that ends with a fence. A text that leaves a fence
// open has it on a line of its own before it.
func bulletForms(text, comment string) (forms [][]byte) {
	bullet := strings.TrimSuffix(string(chunker.Bullet(text)), "\n")
	bullets := []string{bullet}
	if comment != "" {
		bullets = []string{bullet + " " + comment, bullet + "\n  " + comment, "- " + comment + "\n  " + strings.TrimPrefix(bullet, "- ")}
	}
	for _, gap := range []string{"", "\n"} {
		for _, bullet := range bullets {
			forms = append(forms, []byte(gap+bullet+"\n"))
		}
	}
	return forms
}

// sameMemories reports whether the first blocks of after are those of before, and
// declared as they were. A comment at the end of a file may mean the text above it; it
// must not become that of a new text below it.
func sameMemories(before, after []memory.Block) bool {
	for i, b := range before {
		if after[i].Fingerprint != b.Fingerprint || !reflect.DeepEqual(after[i].Annotations, b.Annotations) {
			return false
		}
	}
	return true
}
