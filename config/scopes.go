package config

import (
	"fmt"
	"strings"

	"github.com/memory-tiered/memory"
)

// ScopeRule gives a scope to the requests of an agent, of a channel, or of both.
type ScopeRule struct {
	Scope   string `yaml:"scope" json:"scope"`
	Agent   string `yaml:"agent,omitempty" json:"agent,omitempty"`
	Channel string `yaml:"channel,omitempty" json:"channel,omitempty"`
}

// UnmarshalText reads a text such as "work agent=coder".
func (r *ScopeRule) UnmarshalText(text []byte) error {
	*r = parseScopeRule(string(text))
	return nil
}

// String returns the rule as memory config set takes it.
func (r ScopeRule) String() string {
	text := r.Scope
	for _, p := range []struct{ name, pattern string }{{"agent", r.Agent}, {"channel", r.Channel}} {
		if p.pattern != "" {
			text += " " + p.name + "=" + p.pattern
		}
	}
	return text
}

// ScopeRules are tried in their order.
type ScopeRules []ScopeRule

func (all ScopeRules) String() string {
	var texts []string
	for _, r := range all {
		texts = append(texts, r.String())
	}
	return strings.Join(texts, ", ")
}

// Rules returns the rules in the form that requests are compared with.
func (all ScopeRules) Rules() (rules memory.ScopeRules) {
	for _, r := range all {
		rules = append(rules, memory.ScopeRule{Scope: memory.Scope(r.Scope), Agent: r.Agent, Channel: r.Channel})
	}
	return rules
}

// UnmarshalText reads rules with commas between them.
func (all *ScopeRules) UnmarshalText(text []byte) error {
	*all = listText(text, parseScopeRule)
	return nil
}

// parseScopeRule reads a rule: the scope, then agent=PATTERN, channel=PATTERN or both.
func parseScopeRule(text string) (r ScopeRule) {
	var scope []string
	for _, word := range strings.Fields(text) {
		name, pattern, valued := strings.Cut(word, "=")
		switch {
		case valued && name == "agent":
			r.Agent = pattern
		case valued && name == "channel":
			r.Channel = pattern
		default:
			scope = append(scope, word)
		}
	}
	r.Scope = strings.Join(scope, " ")
	return r
}

// check refuses a rule without a valid scope, or without a condition.
func (all ScopeRules) check() error {
	for _, r := range all {
		if err := memory.Scope(r.Scope).CheckName(); err != nil {
			return err
		}
		if r.Scope == "" || r.Agent == "" && r.Channel == "" {
			return fmt.Errorf("%q is not a rule: it needs a scope, and an agent or a channel", r.String())
		}
	}
	return nil
}
