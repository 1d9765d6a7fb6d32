package workspace_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/workspace"
)

func TestDefaults(t *testing.T) {
	w := open(t, t.TempDir(), workspace.Options{Globs: []workspace.Glob{
		{Pattern: "memory/projects/**", Tier: memory.TierCold, Scope: "work", Inject: false},
		{Pattern: "notes/**", Scope: "home", Inject: true},
		{Pattern: "**/*.md"},
	}})
	tests := []struct {
		in     string
		tier   memory.Tier
		scope  memory.Scope
		inject bool
	}{
		{"memory/projects/p.md", memory.TierCold, "work", false},
		{"notes/n.md", memory.TierWarm, "home", true},
		{"elsewhere/e.md", memory.TierWarm, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			d := w.Defaults(tt.in)
			if d.Tier != tt.tier || d.Scope != tt.scope || (d.ImportanceLabel == "") != tt.inject {
				t.Errorf("%+v, want injected %v", d, tt.inject)
			}
		})
	}
	plain := open(t, t.TempDir(), workspace.Options{})
	for name, tier := range map[string]memory.Tier{"MEMORY.md": memory.TierWarm, "USER.md": memory.TierWarm,
		"memory/a.md": memory.TierHot, "memory/x/y.md": memory.TierHot, "other.md": ""} {
		if got := plain.Defaults(name).Tier; got != tier {
			t.Errorf("%s starts in tier %q, want %q", name, got, tier)
		}
	}
}

func TestDateOf(t *testing.T) {
	zone := time.FixedZone("east", 3*3600)
	tests := []struct{ name, in, want string }{
		{"date only", "memory/2026-11-20.md", "2026-11-20T00:00:00+03:00"},
		{"with a slug", "memory/2026-11-20-vendor-call.md", "2026-11-20T00:00:00+03:00"},
		{"in a subfolder", "memory/captured/2026-11-20.md", "2026-11-20T00:00:00+03:00"},
		{"a leap day", "memory/2028-02-29.md", "2028-02-29T00:00:00+03:00"},
		{"no such day", "memory/2026-02-29.md", ""},
		{"too many digits", "memory/2026-11-201.md", ""},
		{"date at the end of the name", "memory/log-2026-11-20.md", ""},
		{"date of the folder", "memory/2026-11-20/a.md", ""},
		{"no date", "MEMORY.md", ""},
		{"without separators", "memory/20261120.md", "2026-11-20T00:00:00+03:00"},
		{"without separators, with a slug", "memory/20261120-vendor-call.md", "2026-11-20T00:00:00+03:00"},
		{"with underscores", "journals/2026_11_20.md", "2026-11-20T00:00:00+03:00"},
		{"with dots", "memory/2026.11.20.md", "2026-11-20T00:00:00+03:00"},
		{"with dots and a slug", "memory/2026.11.20 vendor call.md", "2026-11-20T00:00:00+03:00"},
		{"in folders of a year and a month", "memory/2026/11/20.md", "2026-11-20T00:00:00+03:00"},
		{"in a folder of a month", "memory/2026-11/20.md", "2026-11-20T00:00:00+03:00"},
		{"in such a folder at the top", "2026/11/20.md", "2026-11-20T00:00:00+03:00"},
		{"the whole day in a folder of its month", "memory/2026/11/2026-11-20.md", "2026-11-20T00:00:00+03:00"},
		{"no such day, without separators", "memory/20260229.md", ""},
		{"no such month", "memory/20261320.md", ""},
		{"a number of another length", "memory/202611201015.md", ""},
		{"a telephone number", "memory/20261120-4455.md", ""},
		{"a number of no year of ours", "memory/44261120.md", ""},
		{"a version", "memory/2026.1.2.md", ""},
		{"a version with two digits each", "memory/2026.11.20.1.md", ""},
		{"a version with a word", "memory/2026.11.20.beta.md", ""},
		{"mixed separators", "memory/2026.11_20.md", ""},
		{"a chapter in a folder of a month", "memory/2026-11/01-introduction.md", ""},
		{"a chapter in a folder of a year", "memory/2026/11.md", ""},
		{"no such day of the month", "memory/2026/11/31.md", ""},
		{"a folder that only ends like a year", "memory/v2026/11/20.md", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			at, ok := workspace.DateOf(tt.in, zone)
			got := ""
			if ok {
				got = at.Format(time.RFC3339)
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestNextScanAppliesIgnoreFile(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"memory/a.md": "a", "memory/private/b.md": "b"})
	w := open(t, dir, workspace.Options{})
	same(t, listed(t, w), []string{"memory/a.md", "memory/private/b.md"})
	put(t, dir, map[string]string{".memoryignore": "# mine\r\nprivate/\r\n"})
	same(t, listed(t, w), []string{"memory/a.md"})
	if w.Indexable("memory/private/b.md") || !w.SkipDir("memory/private") {
		t.Error("Indexable or SkipDir disagree with the scan")
	}
	if _, _, err := w.Read("memory/private/b.md"); err == nil {
		t.Error("an ignored file was read")
	}
	must.Do(t, os.Remove(filepath.Join(dir, ".memoryignore")))
	same(t, listed(t, w), []string{"memory/a.md", "memory/private/b.md"})
}

func TestScanFailsIfIgnoreFileCannotBeRead(t *testing.T) {
	for name, text := range map[string]string{"folder": "", "dangling": "->nowhere", "outside": "->/etc/hosts"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, map[string]string{"MEMORY.md": "a"})
			w := open(t, dir, workspace.Options{})
			if text == "" {
				name = ".memoryignore/"
			} else {
				name = ".memoryignore"
			}
			put(t, dir, map[string]string{name: text})
			if _, err := w.Scan(t.Context()); err == nil || !strings.Contains(err.Error(), ".memoryignore") {
				t.Errorf("scan: %v", err)
			}
		})
	}
}

// TestIgnoreAgreesWithGit compares with what git ignores by the same lines.
func TestIgnoreAgreesWithGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	must.Do(t, exec.Command(git, "init", "-q", dir).Run())
	var names []string
	for _, folder := range []string{"memory", "memory/a", "memory/a/b", "memory/ab", "memory/b/a"} {
		for _, file := range []string{"a.md", "b.md", "ab.md", "b c.md"} {
			names = append(names, folder+"/"+file)
			put(t, dir, map[string]string{folder + "/" + file: "x"})
		}
	}
	slices.Sort(names)
	segment := rapid.SampledFrom([]string{"a", "b", "ab", "*", "**", "a.md", "b.md", "*.md", "?.md", "[ab].md", "[!a].md", "memory", "a*", "b c.md"})
	property.Check(t, func(rt *rapid.T) {
		var lines []string
		for range rapid.IntRange(1, 5).Draw(rt, "lines") {
			line := strings.Join(rapid.SliceOfN(segment, 1, 4).Draw(rt, "segments"), "/")
			line = rapid.SampledFrom([]string{"", "", "!", "/"}).Draw(rt, "before") + line
			lines = append(lines, line+rapid.SampledFrom([]string{"", "", "/", " "}).Draw(rt, "after"))
		}
		rules := strings.Join(lines, "\n")
		must.Do(t, os.WriteFile(filepath.Join(dir, ".memoryignore"), []byte(rules), 0o644))
		cmd := exec.Command(git, "-C", dir, "-c", "core.excludesFile=/dev/null", "ls-files", "-z", "--others", "--exclude-from=.memoryignore", "memory")
		out, err := cmd.Output()
		must.Do(t, err)
		want := strings.Split(string(bytes.TrimSuffix(out, []byte{0})), "\x00")
		if len(out) == 0 {
			want = nil
		}
		slices.Sort(want)
		w := open(t, dir, workspace.Options{})
		if got := listed(t, w); !slices.Equal(got, want) {
			rt.Fatalf("rules %q\nours %q\ngit  %q", rules, got, want)
		}
		statAgrees(t, w, names)
	})
}

func TestNamesThatLeaveTheWorkspaceAreRefused(t *testing.T) {
	w := open(t, t.TempDir(), workspace.Options{Globs: []workspace.Glob{{Pattern: "**"}}})
	for _, name := range []string{"", ".", "..", "/", "/etc/a.md", "../a.md", "a/../../b.md", "a//b.md", "./a.md", "a/", "memory/\x00.md"} {
		if w.Indexable(name) {
			t.Errorf("%q is indexable", name)
		}
		if _, ok, err := w.Stat(name); ok || err != nil {
			t.Errorf("stat %q: %v, %v", name, ok, err)
		}
		if _, _, err := w.Read(name); err == nil {
			t.Errorf("read %q", name)
		}
		if _, err := w.Replace(name, memory.Hash{}, nil); err == nil {
			t.Errorf("wrote %q", name)
		}
	}
}
