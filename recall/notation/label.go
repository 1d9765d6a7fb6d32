package notation

import (
	"strings"

	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/lang"
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
		if words := wordsOfName(part); words != nil {
			names = append(names, words)
		}
		if len(names) == maxNames {
			break
		}
	}
	return names
}

// RowNames returns the names of what the rows of a table are about, as folded words.
func RowNames(text string) (names [][]string) {
	_, rows := chunker.Table(text)
	for _, row := range rows {
		if words := wordsOfCell(row[0]); words != nil {
			names = append(names, words)
		}
	}
	return names
}

// HasCell reports whether a question names a row of a table by one of its cells, and another
// column. The row must have a value in that column. isNamed reports whether the question has
// all of some folded words.
func HasCell(text string, isNamed func(words []string) bool) bool {
	columns, rows := chunker.Table(text)
	for asked, column := range columns {
		if words := lang.FoldedWords(column); len(words) == 0 || !isNamed(words) {
			continue
		}
		for _, row := range rows {
			hasValue := asked < len(row) && strings.ContainsFunc(row[asked], lang.IsAlnum)
			for i, cell := range row {
				if words := wordsOfCell(cell); hasValue && i != asked && words != nil && isNamed(words) {
					return true
				}
			}
		}
	}
	return false
}

// wordsOfCell returns the folded words of the name in a cell of a table. A comma or a bracket
// ends it.
func wordsOfCell(cell string) []string {
	if end := strings.IndexAny(cell, ",("); end >= 0 {
		cell = cell[:end]
	}
	return wordsOfName(trimEmphasis(cell))
}

// wordsOfName returns the folded words of a name, or nil if the text names nothing.
func wordsOfName(text string) []string {
	words := lang.FoldedWords(text)
	if len(words) == 0 || len(words) > maxLabelWords || !chunker.IsTopic(text) || lang.AllStopWords(words) {
		return nil
	}
	return words
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
	return trimEmphasis(label)
}

func trimEmphasis(label string) string { return strings.Trim(label, "*_` ") }
