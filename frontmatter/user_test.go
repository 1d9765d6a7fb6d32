package frontmatter_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
)

func TestUserOfAFile(t *testing.T) {
	tests := []struct {
		name, head, want string
		faults           int
	}{
		{"a name", "---\nuser: Lena\n---\n", "lena", 0},
		{"a channel id", "---\nuser: slack:U2\n---\n", "slack:U2", 0},
		{"a number", "---\nuser: 4711\n---\n", "4711", 0},
		{"TOML", "+++\nuser = \"lena\"\n+++\n", "lena", 0},
		{"no value", "---\nuser:\n---\n", memory.NobodyUser, 1},
		{"misspelled", "---\nusr: lena\n---\n", memory.NobodyUser, 1},
		{"swapped letters", "---\nuesr: lena\n---\n", memory.NobodyUser, 1},
		{"the plural", "---\nusers: lena\n---\n", memory.NobodyUser, 1},
		{"the plural with a list", "---\nusers: [lena, ben]\n---\n", memory.NobodyUser, 1},
		{"an equals sign", "---\nuser = lena\n---\n", memory.NobodyUser, 2},
		{"four dashes", "----\nuser: lena\n----\n", memory.NobodyUser, 1},
		{"stars", "***\nuser: lena\n***\n", memory.NobodyUser, 1},
		{"below blank lines", "\n\n---\nuser: lena\n---\n", memory.NobodyUser, 1},
		{"below a comment", "<!-- a note -->\n---\nUser: lena\n---\n", memory.NobodyUser, 1},
		{"a conversation", "\n---\nUser: Hello there\nAssistant: Hello to you\n---\n", "", 0},
		{"a list", "---\nuser: [lena, ben]\n---\n", memory.NobodyUser, 1},
		{"twice", "---\n\"user\": lena\nUser: ben\n---\n", memory.NobodyUser, 1},
		{"broken YAML", "---\nuser: lena\ntags: [a\n---\n", memory.NobodyUser, 2},
		{"another key", "---\nusers: 3\nused: 2024\n---\n", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := frontmatter.Parse([]byte(tt.head+"- a memory\n"), time.UTC)
			if p.FileDefaults.User != tt.want || len(p.Faults) != tt.faults {
				t.Errorf("user %q, want %q; faults %+v", p.FileDefaults.User, tt.want, p.Faults)
			}
		})
	}
}
