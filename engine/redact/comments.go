package redact

import (
	"fmt"
	"strings"

	"github.com/memory-tiered/memory/index"
)

// HideComments replaces the comments of some lines that are left out of answers by
// <!-- hidden 1 --> and so on. It returns the comments too.
func HideComments(lines string, texts *index.Hidden) (shown string, hidden []string) {
	shown = texts.Comments(lines, nil, func(comment string) string {
		hidden = append(hidden, comment)
		return hiddenComment(len(hidden))
	})
	return shown, hidden
}

func hiddenComment(n int) string { return fmt.Sprintf("<!-- hidden %d -->", n) }

// RestoreComments puts the comments that HideComments has replaced into the lines again,
// which a person may have edited.
func RestoreComments(lines string, hidden []string) string {
	for i, text := range hidden {
		lines = strings.Replace(lines, hiddenComment(i+1), text, 1)
	}
	return lines
}
