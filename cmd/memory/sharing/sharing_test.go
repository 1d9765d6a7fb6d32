package sharing_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/cmd/memory/sharing"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/knowledge"
)

// Whatever the texts are, a file has each of them once, the next sync changes nothing, and a
// sync without memories leaves nothing behind.
func TestSecondSyncChangesNothing(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp("", "sync")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		s := knowledge.Scene{ID: "02c497f476fe", Title: rapid.StringMatching(`[a-z#<*\[ ]{0,9}`).Draw(t, "title")}
		sync := func(memories []memory.Memory) sharing.File {
			f, err := sharing.Plan(folder, "notes", s, memories)
			if err == nil {
				err = f.Write()
			}
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		var memories []memory.Memory
		var texts []string
		for i, text := range rapid.SliceOfNDistinct(rapid.StringMatching("[a-c#<>!*`|\\-\n \\[\\]é]{1,12}"), 1, 5, rapid.ID).Draw(t, "texts") {
			m := memory.Memory{ID: memory.ID("3f8a91c2-0d4e-8b7a-9c15-6e2f0a4b8d3" + string(rune('0'+i))), Text: chunker.Clean(text), CreatedAt: time.Unix(int64(i), 0).UTC(),
				Trust: rapid.SampledFrom([]memory.TrustTier{memory.TrustTrusted, memory.TrustUntrusted}).Draw(t, "trust")}
			m.ID = memory.ID(string(rune('0'+i))) + m.ID[1:]
			memories = append(memories, m)
		}
		first := sync(memories)
		if len(first.Added)+len(first.LeftOut) != len(memories) {
			t.Fatalf("%d memories: %+v", len(memories), first)
		}
		content, _ := os.ReadFile(first.Path)
		for _, b := range chunker.Blocks(content, 0) {
			texts = append(texts, b.Text)
		}
		if !slices.Equal(texts, first.Added) && len(first.Added) > 0 {
			t.Errorf("the file has %q, want %q", texts, first.Added)
		}
		if again := sync(memories); len(again.Added)+len(again.Removed) > 0 || again.Unchanged != len(first.Added) {
			t.Errorf("again: %+v\n%s", again, content)
		}
		if gone := sync(nil); len(gone.Removed) != len(first.Added) {
			t.Errorf("taken out: %+v", gone)
		}
		if _, err := os.Stat(first.Path); !os.IsNotExist(err) {
			left, _ := os.ReadFile(first.Path)
			t.Errorf("the file is left: %q", left)
		}
	})
}

var (
	quay   = knowledge.Scene{ID: "02c497f476fe", Title: "Quay"}
	barley = memory.Memory{ID: "3f8a91c2-0d4e-8b7a-9c15-6e2f0a4b8d31", Text: "The barley is at the quay", CreatedAt: time.Unix(0, 0).UTC(), Trust: memory.TrustTrusted}
)

func TestLinkDoesNotLeadASyncOutside(t *testing.T) {
	folder, outside := t.TempDir(), t.TempDir()
	err := errors.Join(os.Mkdir(filepath.Join(folder, "memory"), 0o700), os.Symlink(outside, filepath.Join(folder, "memory", "scenes")))
	if err != nil {
		t.Skip(err)
	}
	f, err := sharing.Plan(folder, "notes", quay, []memory.Memory{barley})
	if err == nil {
		err = f.Write()
	}
	if found, _ := os.ReadDir(outside); err == nil || len(found) > 0 {
		t.Errorf("%v, outside is %v", err, found)
	}
}

func TestSyncKeepsWhatIsWrittenAfterItsPlan(t *testing.T) {
	folder := t.TempDir()
	first, err := sharing.Plan(folder, "notes", quay, []memory.Memory{barley})
	if err == nil {
		err = first.Write()
	}
	if err != nil {
		t.Fatal(err)
	}
	second, err := sharing.Plan(folder, "notes", quay, nil)
	if err == nil {
		err = os.WriteFile(first.Path, []byte("- An edit\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	err = second.Write()
	if left, _ := os.ReadFile(first.Path); !errors.Is(err, memory.ErrConflict) || string(left) != "- An edit\n" {
		t.Errorf("%v: %q", err, left)
	}
}
