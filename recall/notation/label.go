package notation

import (
	"slices"
	"strings"
	"unicode"

	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/lang"
)

// A label is the text before the first colon: "Dead letter queue (DLQ, failed
// messages): …". A name before a dash is one too: "Ann Lee – baker". These bounds tell it
// from a sentence with a colon.
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

// labelOf returns the text before the first colon of the first line, without emphasis, or
// the name before a dash.
func labelOf(text string) string {
	text = text[:min(len(text), maxLabelBytes)]
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	if name := nameBeforeDash(text); name != "" {
		return name
	}
	label, rest, found := strings.Cut(text, ":")
	rest = strings.TrimLeft(rest, "*_")
	if !found || rest != "" && rest[0] != ' ' { // 14:30, https://
		return ""
	}
	return trimEmphasis(label)
}

// maxDashWords bounds the words of a label before a dash, which sentences have too.
const maxDashWords = 3

// nameBeforeDash returns the name before the only dash between spaces: "Ann Lee – baker".
// A second dash ends an insertion: "We moved – finally – to Bergen".
func nameBeforeDash(text string) string {
	if strings.IndexByte(text, '-') < 0 && strings.IndexByte(text, "–"[0]) < 0 { // nearly every text; both long dashes begin alike
		return ""
	}
	before, dashes := "", 0
	for _, dash := range []string{" – ", " — ", " - "} {
		if n := strings.Count(text, dash); n > 0 {
			before, _, _ = strings.Cut(text, dash)
			dashes += n
		}
	}
	if dashes != 1 || !isName(trimEmphasis(before)) {
		return ""
	}
	return trimEmphasis(before)
}

// isName reports whether a text is a name: a few words of letters, the first with a capital.
// None is a stop word, but for particles ("Rik de Vries").
func isName(text string) bool {
	words := strings.Fields(text)
	return len(words) > 0 && len(words) <= maxDashWords && unicode.IsUpper(lang.FirstRune(text)) && !slices.ContainsFunc(words, isNoNameWord)
}

// isNoNameWord reports whether a word is a stop word, or has more than letters, a hyphen and
// an apostrophe.
func isNoNameWord(w string) bool {
	other := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune("-'’", r)
	}
	return strings.ContainsFunc(w, other) || lang.IsStopWord(strings.ToLower(w)) && !isParticle(w)
}

// isParticle reports whether a stop word may be part of a name in small letters.
var isParticle = lang.Words("notes", "particle")

func trimEmphasis(label string) string { return strings.Trim(label, "*_` ") }
