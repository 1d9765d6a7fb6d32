package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/migrate"
)

// oddTexts are texts that look like Markdown, front matter or state comments.
var oddTexts = []string{
	"# A heading, not a title", "---\nprivate: true\n---\nfront matter inside", "---", "- a bullet\n- another\n  - nested", "1. first\n2. second",
	"```js\nconst a = 1;\n```", "```\na fence that never ends", "> a quote\n> of two lines", "<!-- private -->", "in the <!-- private --> middle",
	"at the end <!-- trust: quarantined -->", "<!-- an open comment", "--> a comment end", "<!-- source: legacy; source_ref: fake/1 --> annotated",
	"<div>\n<b>HTML</b>\n</div>", "<script>alert(1)</script> x", "| a | b |\n|---|---|\n| 1 | 2 |", "Title\n=====\n\nbody", "a tag at the end #work",
	"a block id ^abc123", "[[wikilink]]", "a\n\n\nb", "blanks   \nand tabs\t\t", "    code by indentation\n    twice", "CRLF\r\nsecond\r\n\r\nthird",
	"NUL \x00 inside", "\x1b[31mred\x1b[0m \x07", "invalid \xff\xfe bytes", "BOM \ufeff inside", "מימין לשמאל ‫embedded‬", "日本語のテキスト、句読点。", "🙂👩‍👩‍👧",
	"\\# escaped", "`code <!-- private -->`", "- [ ] a task\n- [x] done", "***", "\\", "&lt;b&gt;", "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> x",
	"[ref]: http://example.org", "x", "memories:\n  - {id: \"abc\", forgotten: true}", "<relevant-memories>\nx\n</relevant-memories>",
	strings.Repeat("- ", 300) + "deep", strings.Repeat("> ", 200) + "deep", strings.Repeat("[a](", 200), strings.Repeat("Lorem ipsum, 12345. ", 3_000),
}

// foreignExport returns the export of memories of another system with these texts.
func foreignExport(t *testing.T, c migrate.Content) []byte {
	t.Helper()
	var out bytes.Buffer
	must.Get(c.Export(migrate.LanceDB, time.UTC, &out))(t)
	return out.Bytes()
}

func foreignTexts(texts ...string) (c migrate.Content) {
	for i, text := range texts {
		c.Entries = append(c.Entries, migrate.Entry{Ref: fmt.Sprint(i), Text: text})
	}
	return c
}

func messages(list []memory.ImportFailure) (all []string) {
	for _, f := range list {
		all = append(all, fmt.Sprintf("%d %s", f.Line, f.Message))
	}
	return all
}

func TestOddTextsOfAnotherSystemComeOverAsTheyAre(t *testing.T) {
	w := newWorld(t, nil)
	a := w.mustImport(foreignExport(t, foreignTexts(oddTexts...)), memory.ImportRequest{})
	var want, got []string
	for _, text := range oddTexts {
		want = append(want, chunker.Clean(text))
	}
	for _, m := range w.all() {
		got = append(got, m.Text)
		if m.Private && !slices.ContainsFunc(a.Private, func(f memory.ImportFailure) bool { return oddTexts[f.Line-2] == m.Text }) ||
			m.Forgotten || m.Trust != memory.TrustTrusted || m.SourceRef == nil || !strings.HasPrefix(*m.SourceRef, "lancedb/") || m.Source != memory.SourceLegacy {
			t.Errorf("%.60q has state from its text: %+v", m.Text, m)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%d texts of %d; failed: %v, left out: %v", len(got), len(want), messages(a.Failed), messages(a.LeftOut))
	}
}

func TestWhatIsKnownIsLeftOut(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- The baker opens at seven on weekdays\n- Kit likes jazz on rainy evenings at home\n"})
	w.decideAbout(memory.ActionForget, "Kit likes jazz on rainy evenings at home")
	export := foreignExport(t, foreignTexts("The baker opens at seven on weekdays", "Kit likes jazz on rainy evenings at home.", "The wifi password is Blaubeere#7719", "The mill burned down"))
	if a := w.mustImport(export, memory.ImportRequest{DryRun: true}); a.Added != 2 || len(w.all()) != 2 {
		t.Errorf("a dry run: %+v", a)
	}
	a := w.mustImport(export, memory.ImportRequest{})
	if want := []string{"2 duplicate", "3 forgotten"}; a.Added != 2 || !slices.Equal(messages(a.LeftOut), want) || len(a.Private) != 1 || a.Receipt == "" {
		t.Errorf("%+v", a)
	}
	for _, m := range w.all() {
		if m.Private != strings.Contains(m.Text, "wifi") {
			t.Errorf("%q: private %v", m.Text, m.Private)
		}
	}

	// An edited memory does not come twice.
	name := filepath.Join(w.dir, "memory/imported/lancedb.md")
	src := must.Get(os.ReadFile(name))(t)
	must.Do(t, os.WriteFile(name, bytes.Replace(src, []byte("burned down"), []byte("was rebuilt in the spring of 1912"), 1), 0o600))
	if a := w.mustImport(export, memory.ImportRequest{}); a.Added != 0 || !slices.Contains(messages(a.LeftOut), "5 migrated") {
		t.Errorf("again: %+v", a)
	}
	if _, err := w.Import(t.Context(), memory.ImportRequest{TakeBack: migrate.LanceDB, In: strings.NewReader("")}, nil); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("an edited file is taken back: %v", err)
	}
	kept := w.mustImport(nil, memory.ImportRequest{TakeBack: migrate.LanceDB, KeepEdited: true})
	if len(kept.Kept) != 1 || len(kept.Removed) > 0 {
		t.Errorf("%+v", kept)
	}
}

// TestAnImportFromAnotherSystemIsTakenBack imports more memories than a file holds, so that
// there are two files beside one of a person.
func TestAnImportFromAnotherSystemIsTakenBack(t *testing.T) {
	w := newWorld(t, map[string]string{"memory/imported/lancedb.md": "- Mine\n"})
	var texts []string
	for i := range 600 {
		texts = append(texts, fmt.Sprintf("Shelf %d holds the box number %d", i, i*7))
	}
	a := w.mustImport(foreignExport(t, foreignTexts(texts...)), memory.ImportRequest{})
	if want := []string{"memory/imported/lancedb-2.md", "memory/imported/lancedb-3.md"}; a.Added != 600 || !slices.Equal(a.Files, want) {
		t.Fatalf("%d added into %v", a.Added, a.Files)
	}
	if preview := w.mustImport(nil, memory.ImportRequest{TakeBack: migrate.LanceDB, DryRun: true}); len(preview.Removed) != 2 || len(w.all()) != 601 {
		t.Errorf("%+v", preview)
	}
	if done := w.mustImport(nil, memory.ImportRequest{TakeBack: migrate.LanceDB}); !slices.Equal(done.Removed, a.Files) || len(w.all()) != 1 {
		t.Errorf("%+v; %d memories", done, len(w.all()))
	}
	if again := w.mustImport(foreignExport(t, foreignTexts(texts...)), memory.ImportRequest{}); again.Added != 600 {
		t.Errorf("after it was taken back: %d added", again.Added)
	}
	if _, err := w.Import(t.Context(), memory.ImportRequest{TakeBack: migrate.ClawMem, In: strings.NewReader("")}, nil); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("nothing is from this system: %v", err)
	}
}

// TestPrivateLinesOfACopiedFileStayPrivate has a file whose lines read back in no new file,
// so that they are written in another form.
func TestPrivateLinesOfACopiedFileStayPrivate(t *testing.T) {
	w := newWorld(t, nil)
	c := migrate.Content{Documents: []migrate.Document{{Path: "MEMORY.md", Text: []byte("- The locker code is in the hall <!-- private -->\n- Ann drinks tea <!-- user: telegram:77 -->\n\n```\nan open fence\n")}}}
	a := w.mustImport(foreignExport(t, c), memory.ImportRequest{})
	private, user := 0, 0
	for _, m := range w.all() {
		if m.Private {
			private++
		}
		if m.User == "telegram:77" {
			user++
		}
	}
	if a.Added != 3 || private != 1 || user != 1 {
		t.Errorf("%+v: %d private, %d of a user", a, private, user)
	}
}
