package config_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/config"
	"github.com/memory-tiered/memory/internal/must"
)

func TestGlobsAreReadInEveryForm(t *testing.T) {
	tests := []struct{ name, yaml, want string }{
		{"texts", `["**/*.md", notes/]`, "**/*.md, notes/"},
		{"mappings", `[{glob: "a/**", tier: cold, scope: work, inject: false}, b/]`, "a/** (tier: cold, scope: work, inject: false), b/"},
		{"a line each", "\n      - \"**/*.md\"\n      - glob: a/\n        tier: hot", "**/*.md, a/ (tier: hot)"},
		{"none", "[]", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := must.Get(config.Load(write(t, "workspaces:\n  n:\n    path: /n\n    globs: "+tt.yaml+"\n"), nil))(t)
			if got := l.Workspaces["n"].Globs.String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAnUnknownKeyOfAGlobNamesItsLine(t *testing.T) {
	_, err := config.Load(write(t, "workspaces:\n  n:\n    path: /n\n    globs:\n      - {glob: a/, teir: hot}\n"), nil)
	if err == nil || !strings.Contains(err.Error(), `config.yaml:5: unknown key "workspaces.n.globs.teir"`) {
		t.Errorf("%v", err)
	}
}

const head = "# mine\nworkspaces:\n  n:\n    path: /n # here\n"

func TestSetGlobsKeepsOtherLines(t *testing.T) {
	const value = `    globs: ["**/*.md", "b/"]`
	tests := []struct{ name, in, want string }{
		{"without any", head, head + value + "\n"},
		{"one line", head + "    globs: [a/] # some\n    readOnly: true\n", head + value + " # some\n    readOnly: true\n"},
		{"a line each", head + "    globs: # some\n      - a/\n      - {glob: c/, tier: hot}\n    readOnly: true\n",
			head + value + " # some\n    readOnly: true\n"},
		{"comments", head + "    globs: # some\n      # all\n      - '**/*.md' # stays\n      # c\n      - c/\n", head + value + " # some\n      # all\n      # c\n"},
		{"a list over several lines", head + "    globs: [a/,\n      # b\n      b/]\n    readOnly: true\n", head + value + "\n      # b\n    readOnly: true\n"},
		{"a list that is not indented", head + "    globs:\n    - a/\n  m:\n    path: /m\n", head + value + "\n  m:\n    path: /m\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := write(t, tt.in)
			must.Do(t, config.Set(file, "workspaces.n.globs", "**/*.md, b/"))
			if got, _ := os.ReadFile(file); string(got) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestAddGlobsKeepsThoseThatAreThere(t *testing.T) {
	tests := []struct{ name, in, want, added string }{
		{"a new workspace", "", "workspaces:\n  n:\n    path: /n\n    globs: [\"a/\", \"**/*.md\"]\n", "a/ **/*.md"},
		{"without any", head, head + "    globs: [\"a/\", \"**/*.md\"]\n", "a/ **/*.md"},
		{"one line", head + "    globs: [{glob: a/, tier: hot}] # some\n", head + "    globs: [{glob: a/, tier: hot}, \"**/*.md\"] # some\n", "**/*.md"},
		{"a line each", head + "    globs:\n      # far\n      - glob: a/ # first\n        tier: hot\n    readOnly: true\n",
			head + "    globs: [{glob: a/, tier: hot}, \"**/*.md\"]\n      # far\n    readOnly: true\n", "**/*.md"},
		{"all of them", head + "    globs: [\"**/*.md\", a/]\n", head + "    globs: [\"**/*.md\", a/]\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := write(t, tt.in)
			added := must.Get(config.AddWorkspace(file, "n", "/n", "", []string{"a/", "**/*.md"}))(t)
			if got, _ := os.ReadFile(file); string(got) != tt.want || strings.Join(added, " ") != tt.added {
				t.Errorf("added %q, got\n%s\nwant\n%s", added, got, tt.want)
			}
			l, err := config.Load(file, nil)
			if err != nil || !reflect.DeepEqual(sorted(l.Workspaces["n"].Globs.Patterns()), []string{"**/*.md", "a/"}) {
				t.Errorf("%+v, %v", l.Workspaces["n"], err)
			}
		})
	}
}

func sorted(words []string) []string {
	slices.Sort(words)
	return words
}
