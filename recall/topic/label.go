package topic

import (
	"strings"

	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/recall/language"
)

// A label is the text before the first colon: "Dead letter queue (DLQ, failed
// messages): …". These bounds tell it from a sentence with a colon.
const (
	maxLabelBytes = 140
	maxLabelWords = 5 // of one name
	maxNames      = 12
)

// Names returns the names in the label of a text, as folded words: the name
// itself, those after a comma, and those in brackets. A text without a label has none.
func Names(text string) (names [][]string) {
	label := labelOf(text)
	if label == "" {
		return nil
	}
	outside, inside, _ := strings.Cut(label, "(")
	inside, after, _ := strings.Cut(inside, ")")
	if strings.ContainsAny(outside, ".!?") || len(strings.Fields(outside)) > 2*maxLabelWords {
		return nil // a sentence
	}
	for part := range strings.SplitSeq(outside+","+inside+","+after, ",") {
		if words := language.FoldedWords(part); len(words) > 0 && len(words) <= maxLabelWords && len(chunker.Topics([]string{part})) > 0 && !language.AllStopWords(words) {
			names = append(names, words)
		}
		if len(names) == maxNames {
			break
		}
	}
	return names
}

// labelOf returns the text before the first colon of the first line, without emphasis.
func labelOf(text string) string {
	text = text[:min(len(text), maxLabelBytes)]
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	label, rest, found := strings.Cut(text, ":")
	rest = strings.TrimLeft(rest, "*_")
	if !found || rest != "" && rest[0] != ' ' { // 14:30, https://
		return ""
	}
	return strings.Trim(label, "*_` ")
}
