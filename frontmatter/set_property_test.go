package frontmatter_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
)

// ids are those that awkward files speak of, and others around them.
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
			d.Scope = memory.Scope(frontmatter.Quote(rapid.String().Draw(t, "scope")))
			d.Tags = rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z, :{}"]*[a-z]`), 0, 3, rapid.ID[string]).Draw(t, "tags")
			d.Expires = moment.Draw(t, "expires").Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "hours")) * time.Hour)
		}
		return d
	})
}

// Whatever the file and whatever was decided: the line says it afterwards, no
// other line of the file was touched, and taking it back gives the bytes back.
func TestSetTouchesOnlyItsLine(t *testing.T) {
	files := awkward()
	var fileNames []string
	for name := range files {
		fileNames = append(fileNames, name)
	}
	slices.Sort(fileNames)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(fileNames).Draw(t, "file")
		src := []byte(files[name])
		for range rapid.IntRange(1, 4).Draw(t, "decisions") {
			id := rapid.SampledFrom(ids).Draw(t, "id")
			quote := rapid.OneOf(rapid.Just("The staging password rotates on"), rapid.String()).Draw(t, "quote")
			c := frontmatter.Change{ID: id, Quote: frontmatter.Quote("x " + quote), Declared: declared().Draw(t, "declared")}
			src = checkSet(t, src, c)
		}
	})
}

// failer is what both a test and a property have.
type failer interface {
	Fatalf(format string, args ...any)
	Helper()
}

func checkSet(t failer, src []byte, c frontmatter.Change) []byte {
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
	checkSays(t, now, c, after)
	checkOthers(t, before, now, c, after)
	if !bytes.Contains(src, []byte("memories: [")) {
		checkLines(t, src, after, c)
	}
	if find(before, c.ID) == nil {
		checkTakenBack(t, src, after, c)
	}
	return after
}

func checkSays(t failer, m frontmatter.Parsed, c frontmatter.Change, after []byte) {
	t.Helper()
	e := find(m, c.ID)
	switch d := c.Declared; {
	case e == nil && !sameDeclared(d, memory.Declared{}) && !onlyEmpty(d):
		t.Fatalf("nothing is said of %s in %q", c.ID, after)
	case e == nil:
	case e.Quote != c.Quote || !sameDeclared(e.Declared, trimmed(d)):
		t.Fatalf("asked for %+v\nit says  %+v\n%q", c, e, after)
	}
}

// trimmed is a declaration to the second, as a line has it.
func trimmed(d memory.Declared) memory.Declared {
	var tags []string
	for _, tag := range d.Tags {
		if tag = strings.Join(strings.Fields(tag), " "); !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	d.Tags = tags
	return d
}

func onlyEmpty(d memory.Declared) bool { return sameDeclared(trimmed(d), memory.Declared{}) }

func find(m frontmatter.Parsed, id memory.ID) *memory.Entry {
	for i, e := range m.Entries {
		if e.IDPrefix == id.InFile() {
			return &m.Entries[i]
		}
	}
	return nil
}

// checkOthers holds every other memory's state, and the file's.
func checkOthers(t failer, before, now frontmatter.Parsed, c frontmatter.Change, after []byte) {
	t.Helper()
	states := func(m frontmatter.Parsed) (out []string) {
		for _, e := range m.Entries {
			if e.IDPrefix != c.ID.InFile() {
				out = append(out, fmt.Sprint(e.IDPrefix, e.Quote, said(e.Declared), e.Declared.ForgottenAt, e.Declared.Since))
			}
		}
		return out
	}
	if a, b := states(before), states(now); !slices.Equal(a, b) {
		t.Fatalf("others were %q, are %q in %q", a, b, after)
	}
	if !sameDeclared(before.FileDefaults, now.FileDefaults) {
		t.Fatalf("the file was %+v, is %+v", before.FileDefaults, now.FileDefaults)
	}
}

// checkLines finds the one stretch of lines that changed and holds it to be
// about the memory: front matter around it only where it is the first or last.
func checkLines(t failer, src, after []byte, c frontmatter.Change) {
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
		if s := strings.Trim(string(line), " \r\n\ufeff"); !about(s, c) && bytes.Count(src, line) == 0 {
			t.Fatalf("line %q is new:\n%q\n%q", s, src, after)
		}
	}
	if len(b) > 4 && !bytes.Contains(src, []byte("\n- ")) && !bytes.Contains(src, []byte("-\n    id")) {
		t.Fatalf("%d lines changed:\n%q\n%q", len(b), src, after)
	}
}

// about says that a line belongs to one decision or to its frame. Block style
// has a key a line.
func about(line string, c frontmatter.Change) bool {
	if line == "---" || line == "" || strings.HasPrefix(line, "memories:") || strings.Contains(line, c.ID.InFile()) {
		return true
	}
	key, _, found := strings.Cut(strings.TrimPrefix(line, "- "), ":")
	return found && slices.Contains([]string{"quote", "pinned", "forgotten", "tier", "since", "importance", "scope", "tags", "expires"}, key)
}

func checkTakenBack(t failer, src, after []byte, c frontmatter.Change) {
	t.Helper()
	back, err := frontmatter.Set(after, berlin, []frontmatter.Change{{ID: c.ID}})
	if err != nil {
		t.Fatalf("take back %q: %v", after, err)
	}
	// A list that was said to be empty, or stood between brackets, does not come
	// back as it was written.
	if !bytes.Equal(back, src) && !bytes.Contains(src, []byte("memories: [")) && !bytes.Contains(src, []byte("memories: ~")) &&
		!bytes.Contains(src, []byte("memories:\n---")) && !bytes.Contains(src, []byte("memories:\ntier")) {
		t.Fatalf("taken back it is\n%q, was\n%q", back, src)
	}
}

// A line that we wrote comes back byte for byte when what was added to it is
// taken back, and what was taken from it is added.
func TestSetThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
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
			t.Fatalf("was\n%s\nis\n%s", first, third)
		}
		for i := range changes {
			changes[i].Declared = memory.Declared{}
		}
		if none := mustSet(t, second, changes); !bytes.Equal(none, src) {
			t.Fatalf("without lines it is\n%q, was\n%q", none, src)
		}
	})
}

func mustSet(t failer, src []byte, changes []frontmatter.Change) []byte {
	t.Helper()
	out, err := frontmatter.Set(src, berlin, changes)
	if err != nil {
		t.Fatalf("%q: %v\n%+v", src, err, changes)
	}
	return out
}

// FuzzSet is the same over any bytes: an edit either keeps what it must or is
// refused.
func FuzzSet(f *testing.F) {
	for _, src := range awkward() {
		f.Add([]byte(src), "The staging password rotates on", uint8(0), true, false)
	}
	f.Fuzz(func(t *testing.T, src []byte, quote string, which uint8, pinned, forgotten bool) {
		c := frontmatter.Change{ID: ids[int(which)%len(ids)], Quote: frontmatter.Quote("x " + quote)}
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
		checkSays(t, now, c, after)
		checkOthers(t, before, now, c, after)
		if len(now.Entries) < len(before.Entries) {
			return // a comment inside an entry goes with it
		}
		for line := range bytes.Lines(src) {
			kept := bytes.Count(after, bytes.TrimRight(line, "\r\n")) >= 1
			if s := strings.TrimSpace(string(line)); bytes.HasPrefix([]byte(s), []byte("#")) && !kept {
				t.Fatalf("the comment %q is gone from %q", s, after)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	src := large(b)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		frontmatter.Parse(src, time.UTC)
	}
}

func BenchmarkSet(b *testing.B) {
	src := large(b)
	c := []frontmatter.Change{{ID: tabs, Quote: "Prefers tabs over spaces in Go", Declared: pin}}
	for b.Loop() {
		if _, err := frontmatter.Set(src, time.UTC, c); err != nil {
			b.Fatal(err)
		}
	}
}

// large is a file about which a thousand things were decided.
func large(b *testing.B) []byte {
	var changes []frontmatter.Change
	for i := range 1000 {
		id := memory.NewID(memory.Fingerprint{byte(i), byte(i >> 8)}, 0)
		changes = append(changes, frontmatter.Change{ID: id, Quote: "The staging password rotates on", Declared: forget})
	}
	src, err := frontmatter.Set([]byte("Text\n"), time.UTC, changes)
	if err != nil {
		b.Fatal(err)
	}
	return src
}
