package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory/internal/textedit"
)

// Glob adds Markdown files to a workspace. A pattern alone may be written as a text.
type Glob struct {
	Glob   string `yaml:"glob"`
	Tier   string `yaml:"tier,omitempty"`
	Scope  string `yaml:"scope,omitempty"`
	Inject *bool  `yaml:"inject,omitempty"`
}

// UnmarshalText reads a pattern alone.
func (g *Glob) UnmarshalText(pattern []byte) error {
	g.Glob = string(pattern)
	return nil
}

// MarshalYAML writes a glob without settings as a text.
func (g Glob) MarshalYAML() (any, error) {
	if g.Tier == "" && g.Scope == "" && g.Inject == nil {
		return &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: g.Glob}, nil
	}
	type settings Glob
	return settings(g), nil
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

// UnmarshalText reads patterns with commas between them.
func (all *Globs) UnmarshalText(text []byte) error {
	*all = listText(text, func(pattern string) Glob { return Glob{Glob: pattern} })
	return nil
}

// AddWorkspace adds a workspace to a configuration file, or patterns to one that is there.
// It keeps the patterns that are there, with their settings, and returns those that it
// added. A new workspace with a client is one that we only read.
func AddWorkspace(file, name, path, client string, patterns []string) (added []string, err error) {
	cfg, err := Load(file, nil)
	if err != nil {
		return nil, err
	}
	key := "workspaces." + name
	var steps []func(*textedit.Document) error
	set := func(part string, value any) {
		steps = append(steps, func(d *textedit.Document) error { return setValue(d, key+part, value) })
	}
	w, known := cfg.Workspaces[name]
	if !known {
		set(".path", path)
	}
	if !known && client != "" {
		set(".readOnly", true)
		set(".client", client)
	}
	for _, pattern := range patterns {
		if !slices.Contains(w.Globs.Patterns(), pattern) {
			w.Globs, added = append(w.Globs, Glob{Glob: pattern}), append(added, pattern)
		}
	}
	if len(added) > 0 {
		set(".globs", w.Globs)
	}
	return added, edit(file, key, steps...)
}
