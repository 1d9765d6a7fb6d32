package frontmatter

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// maxValueLen is how many bytes a scope, a tag or a reference may have: more is
// text that went to the wrong place.
const maxValueLen = 500

// maxTags is how many tags are read of one list.
const maxTags = 200

var errEmpty = errors.New("says nothing")

// value is one value as it stands, whatever type its language gives it: an id
// of digits alone is a number to YAML and a date may be text.
type value struct {
	node *yaml.Node
	zone *time.Location
}

// text is a scalar as it was written. An alias is followed once.
func (v value) text() (string, error) {
	n := resolveAlias(v.node)
	switch {
	case n.Kind != yaml.ScalarNode:
		return "", errors.New("has to be one value")
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

// boolean reads what YAML of any age takes for a boolean.
func (v value) boolean() (bool, error) {
	s, err := v.text()
	if err != nil {
		return false, err
	}
	switch strings.ToLower(s) {
	case "true", "yes", "on", "y", "1":
		return true, nil
	case "false", "no", "off", "n", "0":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", truncate(s))
}

func (v value) fraction() (float64, error) {
	s, err := v.text()
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || f < 0 || f > 1 {
		return 0, fmt.Errorf("%q is not a number from 0 to 1", truncate(s))
	}
	return f, nil
}

// dayLayouts are dates without a time, timeLayouts dates with one; those
// without a zone are in the workspace's.
var (
	dayLayouts  = []string{"2006-01-02", "2006-1-2", "2006/01/02"}
	timeLayouts = []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
		"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 -0700",
		"2006-01-02 15:04", "2006-01-02 15:04 Z07:00", "2006-01-02t15:04:05Z07:00",
	}
)

// time reads a date; day says that it has no time.
func (v value) time() (at time.Time, day bool, err error) {
	s, err := v.text()
	if err != nil {
		return at, false, err
	}
	for i, layout := range append(dayLayouts, timeLayouts...) {
		if at, err = time.ParseInLocation(layout, s, v.zone); err == nil && !at.IsZero() {
			return at, i < len(dayLayouts), nil
		}
	}
	return time.Time{}, false, fmt.Errorf("%q is not a date (2026-11-20, or 2026-11-20T14:05:00Z)", truncate(s))
}

// list reads a list, or a text with commas. A tag may wear its #.
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
			return nil, errors.New("has to be a list of words")
		}
		all = append(all, s)
		if len(all) > maxTags {
			break
		}
	}
	return uniqueWords(all)
}

func uniqueWords(all []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, s := range all {
		s = foldSpaces(strings.TrimPrefix(strings.TrimSpace(s), "#"))
		if s == "" || seen[s] {
			continue
		}
		if len(s) > maxValueLen || len(out) == maxTags {
			return out, fmt.Errorf("is read for its first %d words of up to %d bytes only", maxTags, maxValueLen)
		}
		seen[s] = true
		out = append(out, s)
	}
	if len(out) == 0 {
		return nil, errEmpty
	}
	return out, nil
}

// foldSpaces makes one line of a text, its white space single blanks.
func foldSpaces(s string) string { return strings.Join(strings.Fields(s), " ") }

// truncate keeps a fault's message readable whatever was written.
func truncate(s string) string {
	if r := []rune(foldSpaces(s)); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return foldSpaces(s)
}

// withHint turns a root package's refusal of a word into one that lists the words.
func withHint[W any](word W, err error) (W, error) {
	var e *memory.Error
	if errors.As(err, &e) && e.Hint != "" {
		return word, fmt.Errorf("%s (%s)", e.Message, e.Hint)
	}
	return word, err
}
