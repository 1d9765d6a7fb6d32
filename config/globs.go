package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Glob adds Markdown files to a workspace. A pattern alone may be written as a text.
type Glob struct {
	Glob   string `yaml:"glob"`
	Tier   string `yaml:"tier"`
	Scope  string `yaml:"scope"`
	Inject *bool  `yaml:"inject"`
}

// UnmarshalYAML reads a pattern, or a mapping with a pattern and its settings.
func (g *Glob) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		g.Glob = n.Value
		return nil
	}
	type settings Glob
	return n.Decode((*settings)(g))
}

// MarshalYAML writes a glob as briefly as possible, on one line.
func (g Glob) MarshalYAML() (any, error) {
	if g.Tier == "" && g.Scope == "" && g.Inject == nil {
		return &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: g.Glob}, nil
	}
	type settings struct {
		Glob   string
		Tier   string `yaml:",omitempty"`
		Scope  string `yaml:",omitempty"`
		Inject *bool  `yaml:",omitempty"`
	}
	var n yaml.Node
	err := n.Encode(settings(g))
	n.Style = yaml.FlowStyle
	return &n, err
}

// String returns the pattern with its settings.
func (g Glob) String() string {
	var settings []string
	for _, s := range []struct{ name, value string }{{"tier", g.Tier}, {"scope", g.Scope}} {
		if s.value != "" {
			settings = append(settings, s.name+": "+s.value)
		}
	}
	if g.Inject != nil {
		settings = append(settings, fmt.Sprintf("inject: %v", *g.Inject))
	}
	if len(settings) == 0 {
		return g.Glob
	}
	return fmt.Sprintf("%s (%s)", g.Glob, strings.Join(settings, ", "))
}

// Globs is a list of globs. memory config set takes patterns with commas between them.
type Globs []Glob

// MarshalYAML writes the list on one line.
func (all Globs) MarshalYAML() (any, error) {
	var n yaml.Node
	err := n.Encode([]Glob(all))
	n.Style = yaml.FlowStyle
	return &n, err
}

func (all Globs) String() string {
	var texts []string
	for _, g := range all {
		texts = append(texts, g.String())
	}
	return strings.Join(texts, ", ")
}

// Patterns lists the patterns without their settings.
func (all Globs) Patterns() []string {
	var patterns []string
	for _, g := range all {
		patterns = append(patterns, g.Glob)
	}
	return patterns
}

func parseGlobs(text string) Globs {
	var all Globs
	for _, pattern := range splitWords(text) {
		all = append(all, Glob{Glob: pattern})
	}
	return all
}

// AddGlobs adds patterns to a workspace in a configuration file, and sets its path if
// the workspace is new. It keeps the patterns that are there, with their settings, and
// returns those that it added.
func AddGlobs(file, name, path string, patterns []string) (added []string, err error) {
	err = edit(file, "workspaces."+name+".globs", func(src []byte) ([]byte, error) {
		var now struct {
			Workspaces map[string]struct {
				Path  string
				Globs Globs
			}
		}
		if err := yaml.Unmarshal(src, &now); err != nil {
			return nil, notYAML{err}
		}
		if now.Workspaces[name].Path == "" {
			if src, err = setKey(src, "workspaces."+name+".path", path); err != nil {
				return nil, err
			}
		}
		all := now.Workspaces[name].Globs
		for _, pattern := range patterns {
			if !slices.Contains(all.Patterns(), pattern) {
				all, added = append(all, Glob{Glob: pattern}), append(added, pattern)
			}
		}
		if len(added) == 0 {
			return src, nil
		}
		return addGlobs(src, []string{"workspaces", name, "globs"}, all, added)
	})
	return added, err
}

// addGlobs adds lines to a list that has a line for each glob. It writes any other list
// again.
func addGlobs(src []byte, parts []string, all Globs, added []string) ([]byte, error) {
	lines, newline := splitLines(src)
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return nil, notYAML{err}
	}
	if len(doc.Content) > 0 {
		list, depth, _ := findKey(doc.Content[0], parts)
		if depth == len(parts) && list.Kind == yaml.SequenceNode && list.Style&yaml.FlowStyle == 0 && len(list.Content) > 0 {
			var items []string
			for _, pattern := range added {
				items = append(items, fmt.Sprintf("%s- %q", strings.Repeat(" ", list.Column-1), pattern))
			}
			return joinLines(slices.Insert(lines, lastLine(list), items...), newline), nil
		}
	}
	text, err := yaml.Marshal(all)
	if err != nil {
		return nil, err
	}
	return setValue(src, parts, strings.TrimSpace(string(text)))
}
