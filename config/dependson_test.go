package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/config"
)

// A setting depends on a key and on values that exist.
func TestDependenciesExist(t *testing.T) {
	keys := append(config.Keys(), config.WorkspaceKeys()...)
	n := 0
	for _, k := range keys {
		name, values, depends := strings.Cut(k.DependsOn, "=")
		if !depends {
			if k.DependsOn != "" || k.Condition() != "" {
				t.Errorf("%s depends on %q", k.Name, k.DependsOn)
			}
			continue
		}
		n++
		on, known := config.KeyNamed(name)
		if !known || name == k.Name {
			t.Errorf("%s depends on %s, which is no other key", k.Name, name)
		}
		allowed := on.OneOf
		if len(allowed) == 0 {
			allowed = []string{"", "true", "false"}
		}
		for value := range strings.SplitSeq(values, "|") {
			if !slices.Contains(allowed, value) {
				t.Errorf("%s depends on the value %q of %s", k.Name, value, name)
			}
		}
	}
	if n < 15 {
		t.Errorf("%d settings depend on another", n)
	}
}

func TestASettingHasAnEffectOnlyWithTheOneItDependsOn(t *testing.T) {
	for _, c := range []struct {
		file, key, condition string
		want                 bool
	}{
		{"{}", "injection.budgets.hot", "only while autoRecall is true", true},
		{"autoRecall: false", "injection.budgets.hot", "only while autoRecall is true", false},
		{"{}", "embedding.apiKey", "only while embedding.provider is openai or gemini or auto", false},
		{"embedding:\n  provider: gemini", "embedding.apiKey", "only while embedding.provider is openai or gemini or auto", true},
		{"autoRecall: false", "log.level", "", true},
	} {
		cfg, err := config.Load(write(t, c.file), nil)
		if err != nil {
			t.Fatal(err)
		}
		k, known := config.KeyNamed(c.key)
		if got := cfg.HasEffect(k); !known || got != c.want || k.Condition() != c.condition {
			t.Errorf("%s with %q: %v, %q", c.key, c.file, got, k.Condition())
		}
	}
}
