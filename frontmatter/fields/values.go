package fields

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// MaxValueLen is the maximum length in bytes of a scope, a tag or a reference.
// A longer one is probably a text in the wrong place.
const MaxValueLen = 500

// MaxTags is the maximum number of tags in one list.
const MaxTags = 200

// ErrEmpty is the error of a key without a value.
var ErrEmpty = errors.New("has no value")

// Value is one value of any type: an id of digits is a number in YAML, and a
// date may be text.
type Value struct {
	Node      *yaml.Node
	Zone      *time.Location
	InComment bool
}

// InComment returns a value as the comment beside a text has it.
func InComment(text string, zone *time.Location) Value {
	return Value{Node: &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}, Zone: zone, InComment: true}
}

// Text returns a scalar as it was written. It follows one alias.
func (v Value) Text() (string, error) {
	n := ResolveAlias(v.Node)
	switch {
	case n.Kind != yaml.ScalarNode:
		return "", errors.New("must be a single value")
	case n.Tag == "!!null" || strings.TrimSpace(n.Value) == "":
		return "", ErrEmpty
	}
	return strings.TrimSpace(n.Value), nil
}

func (v Value) shortText() (string, error) {
	s, err := v.Text()
	switch {
	case err != nil:
		return "", err
	case len(s) > MaxValueLen:
		return "", fmt.Errorf("is longer than %d bytes", MaxValueLen)
	}
	return FoldSpaces(s), nil
}

// Boolean accepts the booleans of all versions of YAML.
func (v Value) Boolean() (bool, error) {
	s, err := v.Text()
	if err != nil {
		return false, err
	}
	return memory.ReadBool(s)
}

// time parses a date; day reports that it has no time.
func (v Value) time() (at time.Time, day bool, err error) {
	s, err := v.Text()
	if err != nil {
		return at, false, err
	}
	return memory.ReadTime(s, v.Zone)
}

// list accepts a list, or a text with commas. A tag may begin with #.
func (v Value) list() ([]string, error) {
	n := ResolveAlias(v.Node)
	if n.Kind != yaml.SequenceNode {
		s, err := v.Text()
		if err != nil {
			return nil, err
		}
		all := strings.Split(s, ",")
		if v.InComment { // it may have the list as front matter has it
			all = strings.Split(strings.Trim(s, "[]"), ",")
			for i := range all {
				all[i] = strings.Trim(all[i], " \t\"'")
			}
		}
		return UniqueWords(all)
	}
	var all []string
	for _, item := range n.Content {
		s, err := Value{Node: item}.Text()
		if errors.Is(err, ErrEmpty) {
			continue
		}
		if err != nil {
			return nil, errors.New("must be a list of words")
		}
		all = append(all, s)
		if len(all) > MaxTags {
			break
		}
	}
	return UniqueWords(all)
}

// UniqueWords returns the words without duplicates and without #.
func UniqueWords(all []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, s := range all {
		s = FoldSpaces(strings.TrimPrefix(strings.TrimSpace(s), "#"))
		if s == "" || seen[s] {
			continue
		}
		if len(s) > MaxValueLen || len(out) == MaxTags {
			return out, fmt.Errorf("may have at most %d words of at most %d bytes; the rest is ignored", MaxTags, MaxValueLen)
		}
		seen[s] = true
		out = append(out, s)
	}
	if len(out) == 0 {
		return nil, ErrEmpty
	}
	return out, nil
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
