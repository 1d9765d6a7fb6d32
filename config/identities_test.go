package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/must"
)

func TestIdentitiesAreChecked(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"two users", "identities:\n  owner: [\"telegram:1\"]\n  Lena Meyer: telegram:2, slack:U2\n", ""},
		{"no ids", "identities:\n  lena: []\n", ""},
		{"an id of two users", "identities:\n  owner: [\"telegram:1\"]\n  lena: [\" telegram:1\"]\n", `belongs to lena already`},
		{"two names that differ in case", "identities:\n  Lena: []\n  lena: []\n", "case does not matter"},
		{"a name with a colon", "identities:\n  \"telegram:1\": []\n", "is not a valid name"},
		{"the name of nobody", "identities:\n  none: []\n", "is not a valid name"},
		{"an id that is another name", "identities:\n  owner: [lena]\n  lena: []\n", "is the name of another identity"},
		{"an empty id", "identities:\n  owner: [\" \"]\n", "is not a channel id"},
		{"a group", "identities:\n  owner: {a: b}\n", "is not a list"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config.yaml")
			must.Do(t, os.WriteFile(file, []byte(tt.file), 0o600))
			_, err := config.Load(file, nil)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestIdentityIsSetAndUnset(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	for _, value := range []string{"telegram:1", "telegram:2, slack:U2"} {
		must.Do(t, config.Set(file, "identities.lena", value))
	}
	cfg, err := config.Load(file, nil)
	if err != nil || !slices.Equal(cfg.Identities["lena"], []string{"telegram:2", "slack:U2"}) {
		t.Fatalf("%v, %v", cfg.Identities, err)
	}
	listed := slices.ContainsFunc(cfg.Settings(), func(s config.Setting) bool {
		return s.Key == "identities.lena" && strings.HasPrefix(s.Source, file)
	})
	if !listed {
		t.Error("the settings do not list it")
	}
	if err := config.Set(file, "identities.owner", "slack:U2"); err == nil {
		t.Error("an id of another user is set")
	}
	must.Do(t, config.Unset(file, "identities.lena"))
	if cfg, err = config.Load(file, nil); err != nil || len(cfg.Identities) > 0 {
		t.Errorf("unset: %v, %v", cfg.Identities, err)
	}
}
