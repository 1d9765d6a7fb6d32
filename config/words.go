package config

import "strings"

// Words is a list of words or phrases: a YAML list, or a text with commas.
type Words []string

// UnmarshalText reads words with commas between them.
func (w *Words) UnmarshalText(text []byte) error {
	*w = nil
	for word := range strings.SplitSeq(string(text), ",") {
		if word = strings.TrimSpace(word); word != "" {
			*w = append(*w, word)
		}
	}
	return nil
}

// String returns the words with commas between them, as a person writes them.
func (w Words) String() string { return strings.Join(w, ", ") }

// listText reads items with commas between them. one reads each.
func listText[T any](text []byte, one func(string) T) (items []T) {
	var words Words
	_ = words.UnmarshalText(text) // it never fails
	for _, word := range words {
		items = append(items, one(word))
	}
	return items
}
