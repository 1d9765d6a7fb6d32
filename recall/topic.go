package recall

import (
	"strings"
	"unicode/utf8"
)

// A label is the text before the first colon: "Dead letter queue (DLQ, failed
// messages): …". These bounds tell it from a sentence with a colon.
const (
	maxLabelBytes = 140
	maxLabelWords = 5 // of one name
	maxNames      = 12
)

// namesTopic reports whether a question names the topic of a text: all words of its
// label, or of another name in the label.
func (in intent) namesTopic(text string) bool {
	for _, name := range labelNames(text) {
		if in.containsAll(name) {
			return true
		}
	}
	return false
}

func (in intent) containsAll(name []string) bool {
	for _, w := range name {
		if !in.words[w] {
			return false
		}
	}
	return true
}

// labelNames returns the names in the label of a text, as folded words: the name
// itself, those after a comma, and those in brackets. A text without a label has none.
func labelNames(text string) (names [][]string) {
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
		if words := foldedWords(part); len(words) > 0 && len(words) <= maxLabelWords && isTopic(part) && !allStopWords(words) {
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

// foldedWords returns the words of a text in lower case, without the s of a plural.
func foldedWords(text string) []string {
	words := splitWords(strings.ToLower(text))
	for i, w := range words {
		words[i] = foldPlural(w)
	}
	return words
}

func foldPlural(w string) string {
	const shortest = 5 // characters: bus and gas are no plurals
	if utf8.RuneCountInString(w) < shortest || strings.HasSuffix(w, "ss") {
		return w
	}
	return strings.TrimSuffix(w, "s")
}

func allStopWords(words []string) bool {
	for _, w := range words {
		if !stopWords[w] {
			return false
		}
	}
	return true
}
