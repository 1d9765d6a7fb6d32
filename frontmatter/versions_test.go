package frontmatter_test

import (
	"bytes"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/internal/git"
	"github.com/memory-tiered/memory/internal/property"
)

// mergeWithGit merges three versions of a file, and the texts in them with git.
func mergeWithGit(t testingT, base, ours, theirs string, decisionsFile bool) (merged string, conflicts bool) {
	t.Helper()
	text := func(base, ours, theirs []byte) ([]byte, bool, error) {
		return git.MergeText(t.Context(), base, ours, theirs)
	}
	out, conflicts, err := frontmatter.MergeVersions([]byte(base), []byte(ours), []byte(theirs), decisionsFile, text)
	if err != nil {
		t.Fatalf("merge %q, %q, %q: %v", base, ours, theirs, err)
	}
	return string(out), conflicts
}

func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
}

func TestMergeVersions(t *testing.T) {
	needGit(t)
	const (
		tabs    = `  - {id: "3f8a91c2b7d0", quote: "Prefers tabs", pinned: true}` + "\n"
		staging = `  - {id: "9c01aa7e44f1", quote: "The staging password", forgotten: 2026-11-20}` + "\n"
		text    = "- Prefers tabs\n- The staging password\n- Deploys on Fridays\n"
	)
	entry := func(rest string) string {
		return `  - {id: "9c01aa7e44f1", quote: "The staging password"` + rest + "}\n"
	}
	list := func(entries ...string) string { return "memories:\n" + strings.Join(entries, "") }
	head := func(lines ...string) string { return "---\n" + strings.Join(lines, "") + "---\n" + text }
	tests := []struct {
		name, base, ours, theirs, want string
		conflicts                      bool
	}{
		{name: "a pin on each side", base: text, ours: head(list(tabs)), theirs: head(list(staging)), want: head(list(tabs, staging))},
		{name: "a pin beside another key", base: head("tier: hot\n"), ours: head("tier: hot\n", list(tabs)), theirs: head("tier: warm\n"), want: head("tier: warm\n", list(tabs))},
		{name: "a pin and an edit", base: text, ours: head(list(tabs)), theirs: strings.Replace(text, "Fridays", "Mondays", 1),
			want: strings.Replace(head(list(tabs)), "Fridays", "Mondays", 1)},
		{name: "restored here", base: head(list(tabs, staging)), ours: head(list(tabs)), theirs: head(list(tabs, staging)), want: head(list(tabs))},
		{name: "each removes another", base: head(list(tabs, staging)), ours: head(list(tabs)), theirs: head(list(staging)), want: text},
		{name: "forgotten against pinned", base: text, ours: head(list(entry(", pinned: true"))), theirs: head(list(staging)),
			want: head(list(entry(", pinned: true, forgotten: 2026-11-20")))},
		{name: "restored against pinned", base: head(list(staging)), ours: text, theirs: head(list(entry(", pinned: true, forgotten: 2026-11-20"))),
			want: head(list(entry(", pinned: true, forgotten: 2026-11-20")))},
		{name: "private against public", base: head(list(entry(", private: true"))), ours: head(list(entry(", private: false"))), theirs: head(list(entry(", private: true, pinned: true"))),
			want: head(list(entry(", private: true, pinned: true")))},
		{name: "two tiers", base: text, ours: head(list(entry(", tier: warm, since: 2026-11-02"))), theirs: head(list(entry(", tier: hot, since: 2026-11-03"))),
			want: head(list(entry(", tier: hot, since: 2026-11-03")))},
		{name: "two lines about one memory", base: head(list(entry(", pinned: true"))), ours: head(list(entry(", pinned: true"), staging)), theirs: head(list(entry(", pinned: true, tier: warm"))),
			want: head(list(entry(", pinned: true, forgotten: 2026-11-20, tier: warm")))},
		{name: "two users", base: text, ours: head(list(entry(`, user: "ada"`))), theirs: head(list(entry(`, user: "lena"`))), want: head(list(entry(`, user: "?"`)))},
		{name: "unpinned here, moved to a tier there", base: head(list(entry(", pinned: true"))), ours: text, theirs: head(list(entry(", pinned: true, tier: warm"))),
			want: head(list(entry(", tier: warm")))},
		{name: "keys of another program", base: head(list(entry(", pinned: true, note: a"))), ours: head(list(entry(", note: a"))), theirs: head(list(entry(", pinned: true, note: b"))),
			want: head(list(entry(", note: b")))},
		{name: "comments", base: head(list("  # tabs\n", tabs)), ours: head(list("  # tabs\n", tabs, "  # hide\n", staging)), theirs: head("# mine\n", list("  # tabs\n", tabs)),
			want: head("# mine\n", list("  # tabs\n", tabs, "  # hide\n", staging))},
		{name: "a key behind the list", base: head(list(tabs), "zeta: 1\n"), ours: head(list(tabs, staging), "zeta: 1\n"), theirs: head(list(tabs), "zeta: 2\n"),
			want: head(list(tabs, staging), "zeta: 2\n")},
		{name: "no base", ours: head(list(tabs)), theirs: head(list(staging)), want: head(list(tabs, staging))},
		{name: "an emptied list", base: head("memories: [] # none\n"), ours: head(list(tabs)), theirs: head("memories: [] # none\n"), want: head(list(tabs))},
		{name: "two values of a key", base: head("tier: hot\n"), ours: head("tier: warm\n", list(tabs)), theirs: head("tier: cold\n", list(staging)), conflicts: true,
			want: head("<<<<<<< ours\ntier: warm\n=======\ntier: cold\n>>>>>>> theirs\n", list(tabs, staging))},
		{name: "two edits of a line", base: "- a\n", ours: "---\n" + list(tabs) + "---\n- b\n", theirs: "---\n" + list(staging) + "---\n- c\n", conflicts: true,
			want: "---\n" + list(tabs, staging) + "---\n<<<<<<< ours\n- b\n=======\n- c\n>>>>>>> theirs\n"},
		{name: "two values of another program", base: head(list(entry(", note: a"))), ours: head(list(entry(", note: b"))), theirs: head(list(entry(", note: c"))), conflicts: true,
			want: head("memories:\n<<<<<<< ours\n" + entry(", note: b") + "=======\n" + entry(", note: c") + ">>>>>>> theirs\n")},
		{name: "nothing between the delimiters", base: head(), ours: head(list(tabs)), theirs: head() + "- x\n", want: head(list(tabs)) + "- x\n"},
		{name: "edits below nothing", base: head(), ours: strings.Replace(head(), "tabs", "blanks", 1), theirs: head() + "- x\n", want: strings.Replace(head(), "tabs", "blanks", 1) + "- x\n"},
		{name: "a line below, from a person", base: head(list(tabs)), ours: text, theirs: head(list(tabs)) + "---\n- x\n", want: text + "---\n- x\n"},
		{name: "toml", base: "+++\ntier = \"hot\"\n+++\n" + text, ours: "+++\ntier = \"warm\"\n+++\n" + text, theirs: "+++\ntier = \"hot\"\n+++\n" + text + "- x\n",
			want: "+++\ntier = \"warm\"\n+++\n" + text + "- x\n"},
	}
	for _, test := range tests {
		for _, eol := range []string{"\n", "\r\n"} {
			in := func(s string) string { return strings.ReplaceAll(s, "\n", eol) }
			got, conflicts := mergeWithGit(t, in(test.base), in(test.ours), in(test.theirs), false)
			if got = strings.ReplaceAll(got, "\r\n", "\n"); got != test.want || conflicts != test.conflicts {
				t.Errorf("%s: conflicts: %v, %s\nwant %s", test.name, conflicts, got, test.want)
			}
			if test.conflicts {
				continue
			}
			if got, _ := mergeWithGit(t, in(test.base), in(test.theirs), in(test.ours), false); strings.ReplaceAll(got, "\r\n", "\n") != test.want {
				t.Errorf("%s, from the other side: %s\nwant %s", test.name, got, test.want)
			}
		}
	}
}

// clone is a file on one machine, where people edit it and decide.
type clone struct{ head, body string }

func (c clone) file() string { return c.head + c.body }

// decide changes the entry of a memory as a command does.
func (c *clone) decide(t testingT, id memory.ID, d memory.Declared) {
	t.Helper()
	after, err := frontmatter.Set([]byte(c.file()), nil, []frontmatter.Change{{ID: id, Quote: chunker.QuoteOf("memory " + id.Short()), Declared: d}})
	if err != nil {
		t.Fatalf("%q: %v", c.file(), err)
	}
	c.head = string(frontmatter.Head(after, false))
}

// declared returns what the entry of a memory declares.
func declaredIn(file string, id memory.ID) memory.Declared {
	if e := findEntry(frontmatter.Parse([]byte(file), nil), id); e != nil {
		return e.Declared
	}
	return memory.Declared{}
}

// work does random things in a clone. Every text that it writes is new.
func (c *clone) work(t *rapid.T, who string) {
	for n := range rapid.IntRange(0, 6).Draw(t, who) {
		lines := slices.Collect(strings.Lines(c.body))
		at, to := rapid.IntRange(0, len(lines)).Draw(t, "at"), rapid.IntRange(0, max(0, len(lines)-1)).Draw(t, "to")
		id := rapid.SampledFrom(ids).Draw(t, "id")
		was := declaredIn(c.file(), id)
		text := fmt.Sprintf("- %s writes %d\n", who, n)
		switch op := rapid.IntRange(0, 7).Draw(t, "op"); {
		case op == 0:
			was.Pinned = ptr(rapid.Bool().Draw(t, "pinned"))
			c.decide(t, id, was)
		case op == 1:
			was.Forgotten, was.ForgottenAt = ptr(true), day(2026, 11, 20+n)
			c.decide(t, id, was)
		case op == 2:
			was.Forgotten = nil
			c.decide(t, id, was)
		case op == 3:
			c.decide(t, id, declared().Draw(t, "declared"))
		case op == 4 || at == len(lines):
			lines = slices.Insert(lines, at, text)
		case op == 5:
			lines[at] = text
		case op == 6:
			lines = slices.Delete(lines, at, at+1)
		default:
			line := lines[at]
			lines = slices.Insert(slices.Delete(lines, at, at+1), min(to, len(lines)-1), line)
		}
		c.body = strings.Join(lines, "")
	}
}

// TestTwoClonesMergeAlike: whoever merges gets the same file. No decision and no text is lost,
// and what one side forgot stays forgotten unless the other side alone restored it.
func TestTwoClonesMergeAlike(t *testing.T) {
	needGit(t)
	property.Check(t, func(t *rapid.T) {
		base := clone{body: "# Title\n\n- one\n- two\n- three\n\ntext\n\n- four\n- five\n- six\n"}
		base.work(t, "first")
		ours, theirs := base, base
		ours.work(t, "ours")
		theirs.work(t, "theirs")
		merged, conflicts := mergeWithGit(t, base.file(), ours.file(), theirs.file(), false)
		back, conflictsBack := mergeWithGit(t, base.file(), theirs.file(), ours.file(), false)
		head := frontmatter.Head([]byte(merged), false)
		if conflicts != conflictsBack || !conflicts && merged != back || !bytes.Equal(head, frontmatter.Head([]byte(back), false)) {
			t.Fatalf("the sides differ:\n%s\n%s", merged, back)
		}
		if m := frontmatter.Parse([]byte(merged), nil); !conflicts && (len(m.Faults) > 0 || m.ReadOnlyReason != "") {
			t.Fatalf("%s: %v %s", merged, m.Faults, m.ReadOnlyReason)
		}
		for _, id := range ids {
			was, here, there := declaredIn(base.file(), id), declaredIn(ours.file(), id), declaredIn(theirs.file(), id)
			got := declaredIn(string(head), id)
			switch {
			case sameDeclared(here, was) && !sameDeclared(got, there), sameDeclared(there, was) && !sameDeclared(got, here):
				t.Fatalf("%s was %+v, is %+v and %+v, got %+v\n%s", id, was, here, there, got, merged)
			case !sameDeclared(here, was) && !sameDeclared(there, was) && isForgotten(got) != (isForgotten(here) || isForgotten(there)):
				t.Fatalf("%s: forgotten here %v, there %v, merged %v\n%s", id, isForgotten(here), isForgotten(there), isForgotten(got), merged)
			}
		}
		for line := range strings.Lines(ours.body + theirs.body) {
			in := func(body string) bool { return strings.Contains("\n"+body, "\n"+line) }
			isNew := !in(base.body) || in(ours.body) && in(theirs.body)
			if isNew && line != "\n" && !in(merged) {
				t.Fatalf("%q is lost in %s", line, merged)
			}
		}
	})
}

func TestMergeVersionsOfADecisionsFile(t *testing.T) {
	needGit(t)
	entry := func(id, rest string) string {
		return `  - {id: "` + id + `", path: "MEMORY.md", quote: "x", ` + rest + "}\n"
	}
	tabs, staging := entry("3f8a91c2b7d0", "pinned: true"), entry("9c01aa7e44f1", "forgotten: 2026-11-20")
	for _, test := range [][4]string{
		{"", "memories:\n" + tabs, "memories:\n" + staging, "memories:\n" + tabs + staging},
		{"memories:\n" + tabs + staging, "memories:\n" + tabs, "memories:\n" + staging, "memories: []\n"},
		{"memories: # mine\n" + tabs, "memories: [] # mine\n", "memories: # mine\n" + tabs + staging, "memories: # mine\n" + staging},
	} {
		if got, conflicts := mergeWithGit(t, test[0], test[1], test[2], true); got != test[3] || conflicts {
			t.Errorf("%q: conflicts: %v, %q", test, conflicts, got)
		}
	}
}

// FuzzMergeVersions: whatever the files have, what both sides forget stays forgotten.
func FuzzMergeVersions(f *testing.F) {
	files := sampleFiles()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f.Add([]byte(files["no front matter"]), []byte(files[name]), []byte(files["unsorted"]), false)
		f.Add([]byte(files[name]), []byte(files["comments among entries"]), []byte(files["block style"]), false)
		f.Add([]byte(files["doubled"]), []byte(files[name]), []byte(files[name]+"more\n"), len(name)%2 == 0)
	}
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte, decisionsFile bool) {
		text := func(_, ours, theirs []byte) ([]byte, bool, error) {
			return slices.Concat([]byte("<<<<<<< ours\n"), ours, []byte("\n=======\n"), theirs, []byte("\n>>>>>>> theirs\n")), true, nil
		}
		merged, conflicts, err := frontmatter.MergeVersions(base, ours, theirs, decisionsFile, text)
		parse := frontmatter.Parse
		if decisionsFile {
			parse = frontmatter.ParseDecisions
		}
		m, here, there := parse(merged, nil), parse(ours, nil), parse(theirs, nil)
		if err != nil || m.HasConflict && !conflicts && !here.HasConflict && !there.HasConflict {
			t.Fatalf("conflicts: %v, %v: %q", conflicts, err, merged)
		}
		for _, id := range ids {
			if h, e, o := findEntry(here, id), findEntry(there, id), findEntry(m, id); !conflicts && h != nil && e != nil && isForgotten(h.Declared) && isForgotten(e.Declared) &&
				(o == nil || !isForgotten(o.Declared)) {
				t.Fatalf("%s came back in %q", id, merged)
			}
		}
	})
}

func isForgotten(d memory.Declared) bool { return d.Forgotten != nil && *d.Forgotten }
