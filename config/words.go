package config

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// Words is a list of words or phrases: a YAML list, or a text with commas.
type Words []string

// UnmarshalYAML reads a list, or a text with commas.
func (w *Words) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*w = splitWords(n.Value)
		return nil
	}
	var list []string
	err := n.Decode(&list)
	*w = list
	return err
}

// String returns the words with commas between them, as a person writes them.
func (w Words) String() string { return strings.Join(w, ", ") }

func splitWords(text string) Words {
	var words Words
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}
