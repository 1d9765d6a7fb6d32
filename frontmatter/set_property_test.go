package frontmatter_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
)

// ids occur in the sample files, or sort around those that do.
var ids = []memory.ID{staging, tabs, fridays, other, "00000000-0000-8000-8000-000000000000", "ffffffff-ffff-8000-8000-000000000000"}

func declared() *rapid.Generator[memory.Declared] {
	return rapid.Custom(func(t *rapid.T) memory.Declared {
		var d memory.Declared
		moment := rapid.Custom(func(t *rapid.T) time.Time {
			return day(2026, 1, 1).AddDate(0, 0, rapid.IntRange(0, 700).Draw(t, "day"))
		})
		if rapid.Bool().Draw(t, "pinned") {
			d.Pinned = ptr(rapid.Bool().Draw(t, "pin"))
		}
		if rapid.Bool().Draw(t, "forgotten") {
			d.Forgotten, d.ForgottenAt = ptr(true), moment.Draw(t, "at")
		}
		if rapid.Bool().Draw(t, "tiered") {
			d.Tier = rapid.SampledFrom(memory.Tiers).Draw(t, "tier")
			d.Since, d.SinceDay = moment.Draw(t, "since"), rapid.Bool().Draw(t, "by day")
		}
		if rapid.Bool().Draw(t, "more") {
			d.Importance = ptr(rapid.Float64Range(0, 1).Draw(t, "importance"))
			d.Scope = memory.Scope(chunker.QuoteOf(rapid.String().Draw(t, "scope")))
			d.Tags = rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z, :{}"]*[a-z]`), 0, 3, rapid.ID[string]).Draw(t, "tags")
			d.Expires = moment.Draw(t, "expires").Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "hours")) * time.Hour)
		}
		return d
	})
}

// TestSetChangesOnlyTheLinesOfTheEntry applies random changes to the sample
// files. The entry must have the new content, no other line may change, and
// undoing the change must restore the bytes.
func TestSetChangesOnlyTheLinesOfTheEntry(t *testing.T) {
	files := sampleFiles()
	var fileNames []string
	for name := range files {
		fileNames = append(fileNames, name)
	}
	slices.Sort(fileNames)
	property.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(fileNames).Draw(t, "file")
		src := []byte(files[name])
		for range rapid.IntRange(1, 4).Draw(t, "decisions") {
			id := rapid.SampledFrom(ids).Draw(t, "id")
			quoted := rapid.OneOf(rapid.Just("The staging password rotates on"), rapid.String()).Draw(t, "quote")
			c := frontmatter.Change{ID: id, Quote: chunker.QuoteOf("x " + quoted), Declared: declared().Draw(t, "declared")}
			src = setAndCheck(t, src, c)
		}
	})
}

// testingT is implemented by *testing.T and *rapid.T.
type testingT interface {
	Context() context.Context
	Fatalf(format string, args ...any)
	Helper()
}

func setAndCheck(t testingT, src []byte, c frontmatter.Change) []byte {
	t.Helper()
	before := frontmatter.Parse(src, berlin)
	after, err := frontmatter.Set(bytes.Clone(src), berlin, []frontmatter.Change{c})
	if err != nil {
		if !errors.Is(err, memory.ErrConflict) || before.ReadOnlyReason == "" && !bytes.Contains(src, []byte("#")) {
			t.Fatalf("%q: %v\n%+v", src, err, c.Declared)
		}
		return src
	}
	now := frontmatter.Parse(after, berlin)
	if !bytes.Equal(src[before.BodyStart:], after[now.BodyStart:]) {
		t.Fatalf("the body changed:\n%q\n%q", src, after)
	}
	checkEntry(t, now, c, after)
	checkOtherEntries(t, before, now, c, after)
	if !bytes.Contains(src, []byte("memories: [")) {
		checkLines(t, src, after, c)
	}
	if findEntry(before, c.ID) == nil {
		checkUndo(t, src, after, c)
	}
	return after
}

func checkEntry(t testingT, m frontmatter.Parsed, c frontmatter.Change, after []byte) {
	t.Helper()
	e := findEntry(m, c.ID)
	switch d := c.Declared; {
	case e == nil && !sameDeclared(d, memory.Declared{}) && !isEmpty(d):
		t.Fatalf("no entry of %s in %q", c.ID, after)
	case e == nil:
	case e.Quote != c.Quote || !sameDeclared(e.Declared, normalized(d)):
		t.Fatalf("want %+v\ngot  %+v\n%q", c, e, after)
	}
}

// normalized returns a declaration as Parse reads it back.
func normalized(d memory.Declared) memory.Declared {
	var tags []string
	for _, tag := range d.Tags {
		if tag = strings.Join(strings.Fields(tag), " "); !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	d.Tags = tags
	return d
}

func isEmpty(d memory.Declared) bool { return sameDeclared(normalized(d), memory.Declared{}) }

func findEntry(m frontmatter.Parsed, id memory.ID) *memory.Entry {
	for i, e := range m.Entries {
		if e.IDPrefix == id.InFile() {
			return &m.Entries[i]
		}
	}
	return nil
}

// checkOtherEntries compares the entries of other memories and the file
// defaults.
func checkOtherEntries(t testingT, before, now frontmatter.Parsed, c frontmatter.Change, after []byte) {
	t.Helper()
	states := func(m frontmatter.Parsed) (out []string) {
		for _, e := range m.Entries {
			if e.IDPrefix != c.ID.InFile() {
				out = append(out, fmt.Sprint(e.IDPrefix, e.Quote, describe(e.Declared), e.Declared.ForgottenAt, e.Declared.Since))
			}
		}
		return out
	}
	if a, b := states(before), states(now); !slices.Equal(a, b) {
		t.Fatalf("other entries were %q, are %q in %q", a, b, after)
	}
	if !sameDeclared(before.FileDefaults, now.FileDefaults) {
		t.Fatalf("the file defaults were %+v, are %+v", before.FileDefaults, now.FileDefaults)
	}
}

// checkLines finds the range of changed lines and checks that they belong to
// the entry. New delimiters are allowed only for a first or last entry.
func checkLines(t testingT, src, after []byte, c frontmatter.Change) {
	t.Helper()
	a := bytes.SplitAfter(bytes.TrimPrefix(src, []byte("\ufeff")), []byte("\n"))
	b := bytes.SplitAfter(bytes.TrimPrefix(after, []byte("\ufeff")), []byte("\n"))
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	for _, line := range b {
		if s := strings.Trim(string(line), " \r\n\ufeff"); !belongsToEntry(s, c) && bytes.Count(src, line) == 0 {
			t.Fatalf("line %q is new:\n%q\n%q", s, src, after)
		}
	}
	if len(b) > 4 && !bytes.Contains(src, []byte("\n- ")) && !bytes.Contains(src, []byte("-\n    id")) {
		t.Fatalf("%d lines changed:\n%q\n%q", len(b), src, after)
	}
}

// belongsToEntry reports whether a line belongs to an entry or its frame. Block
// style has one key per line.
func belongsToEntry(line string, c frontmatter.Change) bool {
	if line == "---" || line == "" || strings.HasPrefix(line, "memories:") || strings.Contains(line, c.ID.InFile()) {
		return true
	}
	key, _, found := strings.Cut(strings.TrimPrefix(line, "- "), ":")
	return found && slices.Contains([]string{"quote", "pinned", "forgotten", "tier", "since", "importance", "scope", "tags", "expires"}, key)
}

func checkUndo(t testingT, src, after []byte, c frontmatter.Change) {
	t.Helper()
	back, err := frontmatter.Set(after, berlin, []frontmatter.Change{{ID: c.ID}})
	if err != nil {
		t.Fatalf("undo in %q: %v", after, err)
	}
	// An empty list with a value, or a list between brackets, is written in
	// another form afterwards.
	if !bytes.Equal(back, src) && !bytes.Contains(src, []byte("memories: [")) && !bytes.Contains(src, []byte("memories: ~")) &&
		!bytes.Contains(src, []byte("memories:\n---")) && !bytes.Contains(src, []byte("memories:\ntier")) {
		t.Fatalf("after undo the file is\n%q, was\n%q", back, src)
	}
}

// TestUndoneSetRestoresEveryByte changes an entry that Set wrote, and changes
// it back.
func TestUndoneSetRestoresEveryByte(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		src := []byte(rapid.SampledFrom([]string{"", "Text\r\n", "---\ntier: hot\n# c\n---\nText"}).Draw(t, "file"))
		var changes []frontmatter.Change
		for i, id := range ids {
			d := declared().Draw(t, "declared")
			d.Private = ptr(true)
			changes = append(changes, frontmatter.Change{ID: id, Quote: fmt.Sprint("memory ", i), Declared: d})
		}
		first := mustSet(t, src, changes)
		one := rapid.SampledFrom(changes).Draw(t, "one")
		one.Declared = declared().Draw(t, "now")
		one.Declared.Private = ptr(true)
		second := mustSet(t, first, []frontmatter.Change{one})
		if third := mustSet(t, second, changes); !bytes.Equal(first, third) {
			t.Fatalf("before\n%s\nafter\n%s", first, third)
		}
		for i := range changes {
			changes[i].Declared = memory.Declared{}
		}
		if none := mustSet(t, second, changes); !bytes.Equal(none, src) {
			t.Fatalf("without entries it is\n%q, was\n%q", none, src)
		}
	})
}

func mustSet(t testingT, src []byte, changes []frontmatter.Change) []byte {
	t.Helper()
	out, err := frontmatter.Set(src, berlin, changes)
	if err != nil {
		t.Fatalf("%q: %v\n%+v", src, err, changes)
	}
	return out
}

// FuzzSet checks Set on any bytes: it changes only the entry, or refuses the
// file.
func FuzzSet(f *testing.F) {
	for _, src := range sampleFiles() {
		f.Add([]byte(src), "The staging password rotates on", uint8(0), true, false)
	}
	f.Fuzz(func(t *testing.T, src []byte, quoted string, which uint8, pinned, forgotten bool) {
		c := frontmatter.Change{ID: ids[int(which)%len(ids)], Quote: chunker.QuoteOf("x " + quoted)}
		if pinned {
			c.Declared.Pinned = ptr(true)
		}
		if forgotten {
			c.Declared.Forgotten = ptr(true)
		}
		before := frontmatter.Parse(src, berlin)
		after, err := frontmatter.Set(bytes.Clone(src), berlin, []frontmatter.Change{c})
		if err != nil {
			if !errors.Is(err, memory.ErrConflict) {
				t.Fatal(err)
			}
			return
		}
		now := frontmatter.Parse(after, berlin)
		if !bytes.Equal(src[before.BodyStart:], after[now.BodyStart:]) {
			t.Fatalf("the body changed: %q", after)
		}
		checkEntry(t, now, c, after)
		checkOtherEntries(t, before, now, c, after)
		if len(now.Entries) < len(before.Entries) {
			return // a comment inside an entry is removed with it
		}
		for line := range bytes.Lines(src) {
			kept := bytes.Count(after, bytes.TrimRight(line, "\r\n")) >= 1
			if s := strings.TrimSpace(string(line)); bytes.HasPrefix([]byte(s), []byte("#")) && !kept {
				t.Fatalf("the comment %q is missing in %q", s, after)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	src := largeFile(b)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		frontmatter.Parse(src, time.UTC)
	}
}

func BenchmarkSet(b *testing.B) {
	src := largeFile(b)
	c := []frontmatter.Change{{ID: tabs, Quote: "Prefers tabs over spaces in Go", Declared: pin}}
	for b.Loop() {
		must.Get(frontmatter.Set(src, time.UTC, c))(b)
	}
}

// largeFile returns a file with a thousand entries.
func largeFile(b *testing.B) []byte {
	var changes []frontmatter.Change
	for i := range 1000 {
		id := memory.NewID(memory.Fingerprint{byte(i), byte(i >> 8)}, 0)
		changes = append(changes, frontmatter.Change{ID: id, Quote: "The staging password rotates on", Declared: forget})
	}
	src := must.Get(frontmatter.Set([]byte("Text\n"), time.UTC, changes))(b)
	return src
}
