package redact

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/index"
)

// comment matches a comment in Markdown.
var comment = regexp.MustCompile(`(?s)<!--(.*?)-->`)

// commentTexts returns what of a comment may repeat a text: all of it, a line, or the
// value of an annotation.
func commentTexts(text string) []string {
	texts := append(strings.Split(text, "\n"), text)
	for pair := range strings.SplitSeq(text, ";") {
		for _, separator := range []string{":", "="} {
			if _, value, found := strings.Cut(pair, separator); found {
				texts = append(append(texts, value), strings.Split(value, ",")...)
			}
		}
	}
	return texts
}

// HideComments replaces the comments of some lines that repeat a forgotten text by
// <!-- hidden 1 --> and so on. It returns the comments too.
func HideComments(lines string, forgotten index.ForgottenTexts) (shown string, hidden []string) {
	if forgotten.IsEmpty() {
		return lines, nil
	}
	shown = comment.ReplaceAllStringFunc(lines, func(whole string) string {
		texts := commentTexts(comment.FindStringSubmatch(whole)[1])
		if !slices.ContainsFunc(texts, func(text string) bool { return RepeatsForgotten(text, forgotten) }) {
			return whole
		}
		hidden = append(hidden, whole)
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
