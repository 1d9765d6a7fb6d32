package frontmatter

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// maxValueLen is the maximum length in bytes of a scope, a tag or a reference.
// A longer one is probably a text in the wrong place.
const maxValueLen = 500

// maxTags is the maximum number of tags in one list.
const maxTags = 200

var errEmpty = errors.New("has no value")

// value is one value of any type: an id of digits is a number in YAML, and a
// date may be text.
type value struct {
	node *yaml.Node
	zone *time.Location
}

// text returns a scalar as it was written. It follows one alias.
func (v value) text() (string, error) {
	n := resolveAlias(v.node)
	switch {
	case n.Kind != yaml.ScalarNode:
		return "", errors.New("must be a single value")
	case n.Tag == "!!null" || strings.TrimSpace(n.Value) == "":
		return "", errEmpty
	}
	return strings.TrimSpace(n.Value), nil
}

func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func (v value) shortText() (string, error) {
	s, err := v.text()
	switch {
	case err != nil:
		return "", err
	case len(s) > maxValueLen:
		return "", fmt.Errorf("is longer than %d bytes", maxValueLen)
	}
	return foldSpaces(s), nil
}

// boolean accepts the booleans of all versions of YAML.
func (v value) boolean() (bool, error) {
	s, err := v.text()
	if err != nil {
		return false, err
	}
	return memory.ReadBool(s)
}

// importance accepts both scales. A bare 1 is the highest value, because the
// scale of front matter is 0 to 1.
func (v value) importance() (float64, error) {
	s, err := v.text()
	if err != nil {
		return 0, err
	}
	return memory.ReadImportance(s, 1)
}

// time parses a date; day reports that it has no time.
func (v value) time() (at time.Time, day bool, err error) {
	s, err := v.text()
	if err != nil {
		return at, false, err
	}
	return memory.ReadTime(s, v.zone)
}

// list accepts a list, or a text with commas. A tag may begin with #.
func (v value) list() ([]string, error) {
	n := resolveAlias(v.node)
	if n.Kind != yaml.SequenceNode {
		s, err := v.text()
		if err != nil {
			return nil, err
		}
		return uniqueWords(strings.Split(s, ","))
	}
	var all []string
	for _, item := range n.Content {
		s, err := value{item, v.zone}.text()
		if errors.Is(err, errEmpty) {
			continue
		}
		if err != nil {
			return nil, errors.New("must be a list of words")
		}
		all = append(all, s)
		if len(all) > maxTags {
			break
		}
	}
	return uniqueWords(all)
}

// uniqueWords returns the words without duplicates and without #.
func uniqueWords(all []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, s := range all {
		s = foldSpaces(strings.TrimPrefix(strings.TrimSpace(s), "#"))
		if s == "" || seen[s] {
			continue
		}
		if len(s) > maxValueLen || len(out) == maxTags {
			return out, fmt.Errorf("may have at most %d words of at most %d bytes; the rest is ignored", maxTags, maxValueLen)
		}
		seen[s] = true
		out = append(out, s)
	}
	if len(out) == 0 {
		return nil, errEmpty
	}
	return out, nil
}

// foldSpaces returns a text on one line with single blanks.
func foldSpaces(s string) string { return strings.Join(strings.Fields(s), " ") }

// truncate shortens a value for a fault message.
func truncate(s string) string {
	if r := []rune(foldSpaces(s)); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return foldSpaces(s)
}

// withHint adds the hint of the root package's error to its message: the list
// of valid words.
func withHint[W any](word W, err error) (W, error) {
	var e *memory.Error
	if errors.As(err, &e) && e.Hint != "" {
		return word, fmt.Errorf("%s (%s)", e.Message, e.Hint)
	}
	return word, err
}
