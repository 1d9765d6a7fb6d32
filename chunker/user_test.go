package chunker_test

import (
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

func TestUserOfABlock(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string // by block
	}{
		{"at the end of the line", "- a fact <!-- user: Lena -->\n- another\n", []string{"lena", ""}},
		{"with other annotations", "- a fact <!-- source: tool; trust: untrusted; user: slack:U2 -->\n", []string{"slack:U2"}},
		{"escaped", "- a fact <!-- user: irc:a-%2Db%3B%20tier:%20hot%20-%2D%3E -->\n", []string{"irc:a--b; tier: hot -->"}},
		{"two users", "- a fact <!-- user: lena --> <!-- user: ben -->\n", []string{memory.NobodyUser}},
		{"no name", "- a fact <!-- user: -->\n", []string{memory.NobodyUser}},
		{"below a heading", "# One\n<!-- user: lena -->\n\n- a fact\n\n# Two\n- another\n", []string{memory.NobodyUser, memory.NobodyUser}},
		{"words of another tool", "- a fact <!-- the user agent -->\n- used <!-- used: 3 -->\n- count <!-- users: 3 -->\n", []string{"", "", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := chunker.Parse([]byte(tt.src), 0)
			blocks := l.Blocks
			if len(blocks) != len(tt.want) {
				t.Fatalf("%d blocks: %+v", len(blocks), blocks)
			}
			for i, b := range blocks {
				if user := b.Annotations.Over(l.Withheld).User; user != tt.want[i] {
					t.Errorf("block %d %q: user %q, want %q", i, b.Text, user, tt.want[i])
				}
			}
		})
	}
}

// A person who writes a user meant some users only. No mistake gives the memory to all.
func TestMistakeInAUserHidesABlock(t *testing.T) {
	tests := map[string]string{ // by comment
		"<!-- user=max -->": "max",
	}
	for _, comment := range []string{"<!-- user: max -- >", "<!-- user max -->", "<!-- usr: max -->", "<!-- users: max -->", "<!-- usr = max -->",
		"<!-- uesr: max -->", "<!- user: max -->", "<!— user: max —>", "< !-- user: max -->", "<!- user max -->",
		"<!-- user -->", "<!-- user: -->", "<!-- tier: hot user: max -->", "<!-- tier: hot, user: max -->"} {
		tests[comment] = memory.NobodyUser
	}
	for comment, want := range tests {
		layout := chunker.Parse([]byte("- a fact "+comment+"\n"), 0)
		if len(layout.Blocks) != 1 || layout.Blocks[0].Annotations.Over(layout.Withheld).User != want {
			t.Errorf("%s: %+v, want the user %q", comment, layout.Blocks, want)
		}
		if fault := comment != "<!-- user=max -->"; fault != (len(layout.Faults) > 0) {
			t.Errorf("%s: faults %+v", comment, layout.Faults)
		}
	}
}
