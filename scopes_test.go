package memory_test

import (
	"testing"

	"github.com/memory-tiered/memory"
)

func TestFirstMatchingRuleGivesTheScope(t *testing.T) {
	rules := memory.ScopeRules{{Scope: "deploy", Agent: "ops-*-bot", Channel: "slack"}, {Scope: "work", Channel: "slack"}, {Scope: "work", Agent: "Coder"},
		{Scope: "family", Channel: "telegram:-100*"}, {Scope: "rest", Channel: "*"}}
	tests := []struct {
		requested memory.Scope
		agent     string
		s         memory.Sender
		want      memory.Scope
	}{
		{"", "ops-a/b-bot", memory.Sender{User: "slack:U2"}, "deploy"},
		{"", "ops-bot", memory.Sender{User: "slack:U2"}, "work"},
		{"", "ops-bot", memory.Sender{User: "U2", Channel: "Slack"}, "work"},
		{"", "coder", memory.Sender{}, "work"},
		{"", "coder2", memory.Sender{}, ""},
		{"", "", memory.Sender{Channel: "telegram:-1007"}, "family"},
		{"", "", memory.Sender{User: "telegram:7"}, "rest"},
		{"", "", memory.Sender{}, ""},
		{"home", "coder", memory.Sender{}, "home"},
	}
	for _, tt := range tests {
		if got := rules.ScopeOf(tt.requested, tt.agent, tt.s); got != tt.want {
			t.Errorf("%q %q %+v: %q, want %q", tt.requested, tt.agent, tt.s, got, tt.want)
		}
	}
}

func TestScopeThatCannotBeInACommentIsRefused(t *testing.T) {
	for _, s := range []memory.Scope{"a;b", "a-->", "a--b", " a", "a\nb", "-"} {
		if s.CheckName() == nil {
			t.Errorf("%q is a scope", s)
		}
	}
	for _, s := range []memory.Scope{"", "work", "client/acme-2", "Büro 3"} {
		if err := s.CheckName(); err != nil {
			t.Error(err)
		}
	}
}
