package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/must"
)

func TestScopeRulesAreReadAndChecked(t *testing.T) {
	const list = "work agent=coder channel=slack, client/acme channel=telegram:-100*"
	tests := []struct{ name, file, want, problem string }{
		{"mappings", "scopes:\n  - {scope: work, agent: coder, channel: slack}\n  - {scope: client/acme, channel: \"telegram:-100*\"}\n", list, ""},
		{"texts", "scopes:\n  - work agent=coder channel=slack\n  - client/acme channel=telegram:-100*\n", list, ""},
		{"none", "scopes: []\n", "", ""},
		{"no condition", "scopes:\n  - {scope: work}\n", "", "it needs a scope, and an agent or a channel"},
		{"no scope", "scopes:\n  - {agent: coder}\n", "", "it needs a scope"},
		{"a scope that ends a comment", "scopes:\n  - {scope: \"a-->\", agent: coder}\n", "", "is not a valid scope"},
		{"another key", "scopes:\n  - {scope: work, agents: coder}\n", "", "unknown key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config.yaml")
			must.Do(t, os.WriteFile(file, []byte(tt.file), 0o600))
			cfg, err := config.Load(file, nil)
			if (err == nil) != (tt.problem == "") || err != nil && !strings.Contains(err.Error(), tt.problem) {
				t.Fatalf("%v, want %q", err, tt.problem)
			}
			if err == nil && cfg.Scopes.String() != tt.want {
				t.Errorf("%q, want %q", cfg.Scopes, tt.want)
			}
		})
	}
	file := filepath.Join(t.TempDir(), "config.yaml")
	for range 2 {
		must.Do(t, config.Set(file, "scopes", list))
	}
	if cfg, err := config.Load(file, nil); err != nil || cfg.Scopes.String() != list || len(cfg.Scopes.Rules()) != 2 {
		t.Errorf("set: %v, %v", cfg, err)
	}
}
