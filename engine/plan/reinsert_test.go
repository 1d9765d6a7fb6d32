package plan_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/engine/plan"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/workspace"
)

// forms are the ways in which a text can be in a file.
var forms = []string{
	"- %s\n", "- %s\n", "* %s\n", "1. %s\n", "%s\n\n", "\n%s\n\n", "- %s\n  over two lines\n", "- %s\n\n", "## Heading of %s\n\n",
	"```\n%s\n```\n", "> %s\n\n", "| a | b |\n|---|---|\n| %s | x |\n\n", "Some ports:\n- %s\n", "- %s\r\n", "<!-- -->\n%s\n", "    %s\n\n",
}

// Memories are taken out of a file, and another program edits the file. Then they come back once,
// and no other memory of the file changes.
func TestReinsert(t *testing.T) {
	dir := t.TempDir()
	folder := must.Get(workspace.Open(dir, workspace.Options{}))(t)
	defer func() {
		if err := folder.Close(); err != nil {
			t.Error(err)
		}
	}()
	f := &plan.Executor{Zone: time.UTC}
	property.Check(t, func(r *rapid.T) {
		file := rapid.SampledFrom([]string{"", "---\nname: b\ndescription: d\n---\n\n", "# Notes\n\n", "\uFEFF", "---\nname: b\n---", "---\nname: [\n---\n"}).Draw(r, "head")
		for i := range rapid.IntRange(1, 8).Draw(r, "blocks") {
			file += fmt.Sprintf(rapid.SampledFrom(forms).Draw(r, "form"), fmt.Sprintf("text %d of %s", i, rapid.SampledFrom([]string{"cabbage", "rain"}).Draw(r, "word")))
		}
		if rapid.Bool().Draw(r, "unended") {
			file = strings.TrimRight(file, "\r\n")
		}
		var gone []memory.Memory
		var texts []string
		for _, b := range blocksOf(file) {
			if rapid.Bool().Draw(r, "is taken") && !slices.Contains(texts, b.Text) {
				gone, texts = append(gone, memory.Memory{Text: b.Text, LineStart: b.LineStart}), append(texts, b.Text)
			}
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte(file), 0o600))
		change, err := f.Without(folder, "MEMORY.md", gone)
		if err != nil {
			r.Skip("a removal that is refused")
		}
		if same, ok := f.Reinsert(change, change.After); !ok || string(same) != file {
			r.Fatalf("without an edit: %q\nback: %q", file, same)
		}
		now := edited(r, string(change.After))
		next, ok := f.Reinsert(change, []byte(now))
		if !ok {
			r.Fatalf("no place:\nbefore: %q\nafter: %q\nnow: %q", file, change.After, now)
		}
		left := textsOf(string(next))
		for _, text := range slices.Concat(textsOf(now), texts) {
			i := slices.Index(left, text)
			if i < 0 {
				r.Fatalf("%q is lost:\nbefore: %q\nafter: %q\nnow: %q\nback: %q", text, file, change.After, now, next)
			}
			left = slices.Delete(left, i, i+1)
		}
		if len(left) > 0 {
			r.Fatalf("too much: %q\nbefore: %q\nafter: %q\nnow: %q\nback: %q", left, file, change.After, now, next)
		}
		if again, ok := f.Reinsert(change, next); !ok || string(again) != string(next) {
			r.Fatalf("put back twice: %q\nthen: %q", next, again)
		}
	})
}

// edited returns a file after edits of another program.
func edited(r *rapid.T, file string) string {
	lines := strings.SplitAfter(file, "\n")
	for i := range rapid.IntRange(1, 5).Draw(r, "edits") {
		at := rapid.IntRange(0, len(lines)-1).Draw(r, "line")
		switch rapid.SampledFrom([]string{"change", "insert", "delete", "move", "continue", "line ends", "all", "append"}).Draw(r, "edit") {
		case "change":
			lines[at] = strings.Replace(lines[at], "text", "TEXT", 1)
		case "insert":
			lines = slices.Insert(lines, at, fmt.Sprintf("- line %d of the client\n", i))
		case "delete":
			lines[at] = ""
		case "move":
			line := lines[at]
			lines = slices.Insert(slices.Delete(lines, at, at+1), rapid.IntRange(0, len(lines)-1).Draw(r, "to"), line)
		case "continue":
			lines = slices.Insert(lines, at, "  and more of it\n")
		case "line ends":
			for j, line := range lines {
				lines[j] = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r") + "\r\n"
			}
		case "all":
			lines = []string{"# Anew\n", "\n", "- all is new here\n"}
		case "append":
			lines = append(lines, fmt.Sprintf("- line %d at the end", i))
		}
	}
	return strings.Join(lines, "")
}

func blocksOf(file string) []memory.Block {
	return chunker.Blocks([]byte(file), frontmatter.Parse([]byte(file), time.UTC).BodyStart)
}

func textsOf(file string) (texts []string) {
	for _, b := range blocksOf(file) {
		texts = append(texts, b.Text)
	}
	return texts
}
