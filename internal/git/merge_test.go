package git_test

import (
	"context"
	"testing"

	"github.com/memory-tiered/memory/internal/git"
)

func TestMergeTextLeavesGitsMarkers(t *testing.T) {
	newRepository(t) // skips without git
	for _, test := range []struct {
		base, ours, theirs, want string
		conflicts                bool
	}{
		{"a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n", false},
		{"", "a\n", "a\n", "a\n", false},
		{"a\n", "b\n", "c\n", "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n", true},
		{"a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC", "A\r\nb\r\nC", false},
	} {
		got, conflicts, err := git.MergeText(t.Context(), []byte(test.base), []byte(test.ours), []byte(test.theirs))
		if err != nil || string(got) != test.want || conflicts != test.conflicts {
			t.Errorf("%+v: %q, %v, %v", test, got, conflicts, err)
		}
	}
	if got, _, err := git.MergeText(t.Context(), nil, []byte("a\x00\n"), []byte("b\n")); err == nil {
		t.Errorf("a binary file merges to %q", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := git.MergeText(ctx, nil, []byte("a\n"), []byte("b\n")); err == nil {
		t.Error("merges without time")
	}
}

func TestConfigureIsAboutOneClone(t *testing.T) {
	dir := newRepository(t)
	if _, err := git.Setting(t.Context(), dir, "merge.memory.driver"); err == nil {
		t.Error("a key without a value has one")
	}
	if err := git.Configure(t.Context(), dir+"/notes", "merge.memory.driver", "memory %O 'x'"); err != nil {
		t.Fatal(err)
	}
	if got, err := git.Setting(t.Context(), dir, "merge.memory.driver"); got != "memory %O 'x'" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := git.Configure(t.Context(), t.TempDir(), "merge.memory.driver", "x"); err == nil {
		t.Error("a folder in no repository has settings")
	}
}
