package migrate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/internal/property"
	"github.com/memory-tiered/memory/migrate"
)

var now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// options returns the options of a plan for an empty workspace.
func options() migrate.Options {
	return migrate.Options{System: migrate.LanceDB, Zone: time.UTC, MaxBytes: 1 << 20,
		Exists: func(string) bool { return false }, Indexable: func(string) bool { return true }, FolderFree: func(string) bool { return true }}
}

func nothingKnown() migrate.Known {
	return migrate.Known{
		IsForgotten: func(memory.Fingerprint, string, []string) bool { return false },
		WasMigrated: func(string) bool { return false },
	}
}

// entries returns one entry for each text, named by its position.
func entries(texts ...string) (c migrate.Content) {
	for i, text := range texts {
		c.Entries = append(c.Entries, migrate.Entry{Ref: fmt.Sprint(i), Text: text})
	}
	return c
}

// blocksOf reads the files of a plan as the index does.
func blocksOf(p *migrate.Plan) (blocks []memory.Block) {
	for _, f := range p.Files {
		blocks = append(blocks, chunker.Blocks(f.Text, frontmatter.Parse(f.Text, time.UTC).BodyStart)...)
	}
	return blocks
}

func textsOf(blocks []memory.Block) (texts []string) {
	for _, b := range blocks {
		texts = append(texts, b.Text)
	}
	slices.Sort(texts)
	return texts
}

func reasons(p *migrate.Plan) map[string]string {
	out := map[string]string{}
	for _, s := range p.Skipped {
		out[s.Ref] = s.Reason
	}
	return out
}

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

func TestOddTextsComeOverAsTheyAre(t *testing.T) {
	plan := migrate.NewPlan(entries(oddTexts...), nothingKnown(), options())
	var want []string
	for _, text := range oddTexts {
		want = append(want, chunker.Clean(text))
	}
	slices.Sort(want)
	if got := textsOf(blocksOf(plan)); !slices.Equal(got, want) {
		for _, text := range want {
			if !slices.Contains(got, text) {
				t.Errorf("%.80q does not come over", text)
			}
		}
		t.Errorf("%d texts of %d; left out: %v", len(got), len(want), plan.Skipped)
	}
	for _, b := range blocksOf(plan) {
		a := b.Annotations
		if a.Private != nil || a.Trust != "" || a.Forgotten != nil || !strings.HasPrefix(a.SourceRef, "lancedb/") || len(a.Tags) > 0 || b.BlockID != "" {
			t.Errorf("%.60q has annotations from its text: %+v", b.Text, a)
		}
	}
}

func TestAnyTextComesOverOrIsReported(t *testing.T) {
	pieces := append([]string{"\n", "\n\n", " ", "text", "port 8080", "```", "~~~", "#", "- ", "> ", "<!--", "-->", "\t", "    ", "\\", "`", "|", "===", "\x00", "\xff", "é"}, oddTexts[:len(oddTexts)-1]...)
	property.Check(t, func(r *rapid.T) {
		var texts []string
		for range rapid.IntRange(1, 8).Draw(r, "texts") {
			texts = append(texts, strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(r, "pieces"), ""))
		}
		plan := migrate.NewPlan(entries(texts...), nothingKnown(), options())
		left := reasons(plan)
		var want []string
		for i, text := range texts {
			switch reason := left[fmt.Sprint(i)]; reason {
			case "":
				want = append(want, chunker.Clean(text))
			case migrate.SkipEmpty, migrate.SkipDuplicate:
			default:
				r.Fatalf("%q is left out: %s", text, reason)
			}
		}
		slices.Sort(want)
		if got := textsOf(blocksOf(plan)); !slices.Equal(got, want) {
			r.Fatalf("the files have %q, want %q", got, want)
		}
	})
}

func TestWhatIsKnownComesOver(t *testing.T) {
	half, top := 0.55, 1.0
	yes := true
	created := time.Date(2025, 3, 1, 7, 8, 9, 0, time.UTC)
	declared := []memory.Declared{
		{Category: memory.CategoryDecision, Importance: &half, Created: created},
		{Category: memory.CategoryPreference, Importance: &top, Type: memory.TypeProcedural, Tags: []string{"home", "work-x"}, Scope: "client/acme", User: "lena@example.org"},
		{Pinned: &yes, Private: &yes, Trust: memory.TrustUntrusted, Expires: created, ImportanceLabel: memory.ImportanceMustRemember},
		{},
	}
	var c migrate.Content
	for i, d := range declared {
		c.Entries = append(c.Entries, migrate.Entry{Ref: fmt.Sprint(i), Text: fmt.Sprintf("Shelf %d has the tools", i), Declared: d})
	}
	plan := migrate.NewPlan(c, nothingKnown(), options())
	if len(plan.Files) != 1 || plan.Files[0].Path != "memory/imported/lancedb.md" {
		t.Fatalf("files: %+v, left out: %+v", plan.Files, plan.Skipped)
	}
	head := frontmatter.Parse(plan.Files[0].Text, time.UTC).FileDefaults
	if head.Tier != memory.TierWarm || head.Source != memory.SourceLegacy {
		t.Errorf("the file declares %+v", head)
	}
	for _, b := range blocksOf(plan) {
		var n int
		if _, err := fmt.Sscanf(b.Text, "Shelf %d", &n); err != nil {
			t.Fatal(err)
		}
		want := declared[n]
		want.SourceRef = fmt.Sprintf("lancedb/%d", n)
		if got, want := fmt.Sprintf("%+v", flat(b.Annotations)), fmt.Sprintf("%+v", flat(want)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", b.Text, got, want)
		}
	}
	if text := string(plan.Files[0].Text); strings.Index(text, "# Decisions") > strings.Index(text, "# Preferences") || !strings.Contains(text, "# Other memories") {
		t.Errorf("the groups are not in order:\n%s", text)
	}
}

// flat returns declarations without pointers, to print them.
func flat(d memory.Declared) map[string]any {
	out := map[string]any{"type": d.Type, "category": d.Category, "scope": d.Scope, "user": d.User, "label": d.ImportanceLabel, "trust": d.Trust,
		"ref": d.SourceRef, "created": d.Created.UTC(), "expires": d.Expires.UTC(), "tags": fmt.Sprint(d.Tags), "pinned": d.Pinned != nil, "private": d.Private != nil}
	if d.Importance != nil {
		out["importance"] = *d.Importance
	}
	return out
}

func TestCopiesComeOverOnce(t *testing.T) {
	c := entries("The mill burned in 1911", "The  mill burned\nin 1911", "The mill burned in 1912", " \n", "The baker opens at 7")
	old, low, high := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), 0.2, 0.9
	c.Entries[0].Declared.Importance, c.Entries[1].Declared.Importance, c.Entries[1].Declared.Created = &low, &high, old
	known := nothingKnown()
	known.Memories = []memory.Memory{{ID: "0a1b2c3d-0000-8000-8000-000000000000", Text: "The baker opens at 7"}}
	plan := migrate.NewPlan(c, known, options())
	if got := textsOf(blocksOf(plan)); !slices.Equal(got, []string{"The mill burned in 1911", "The mill burned in 1912"}) {
		t.Errorf("texts: %q", got)
	}
	want := map[string]string{"1": migrate.SkipDuplicate, "3": migrate.SkipEmpty, "4": migrate.SkipDuplicate}
	if got := reasons(plan); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("left out: %v, want %v", got, want)
	}
	for _, s := range plan.Skipped {
		if s.Ref == "1" && s.Of != "0" || s.Ref == "4" && s.ID == "" {
			t.Errorf("%+v names no copy", s)
		}
	}
	for _, b := range blocksOf(plan) {
		a := b.Annotations
		if strings.HasSuffix(b.Text, "1911") && (a.Importance == nil || *a.Importance != high || !a.Created.Equal(old)) {
			t.Errorf("a copy's date and importance are lost: %+v", a)
		}
	}
}

func TestACopyForOthersIsNoCopy(t *testing.T) {
	known := nothingKnown()
	known.Memories = []memory.Memory{{Text: "The mill burned in 1911", Scope: "work"}, {Text: "The baker opens at 7", User: "lena"}}
	plan := migrate.NewPlan(entries("The mill burned in 1911", "The baker opens at 7"), known, options())
	if plan.Memories() != 2 {
		t.Errorf("%d memories come over, want 2: those of the workspace are not for everybody", plan.Memories())
	}
}

func TestForgottenTextsStayForgotten(t *testing.T) {
	known := nothingKnown()
	known.Forgotten = []memory.Memory{{Text: "The spare key of the mill hangs behind the blue door"}, {Text: "likes jazz"}}
	known.Memories = []memory.Memory{{Text: "The baker opens at 7", Heading: []string{"Town"}}}
	destroyed := map[string]string{"The safe opens with the date of the fire": "", "port 5432": "Town"}
	known.IsForgotten = func(_ memory.Fingerprint, text string, heading []string) bool {
		under, ok := destroyed[text]
		return ok && under == strings.Join(heading, "/")
	}
	plan := migrate.NewPlan(entries("The spare key of the mill hangs behind the blue door", "The spare key of the mill hangs neatly behind the blue door",
		"likes jazz", "The safe opens with the date of the fire", "port 5432", "port 5433"), known, options())
	if got := textsOf(blocksOf(plan)); !slices.Equal(got, []string{"port 5433"}) {
		t.Errorf("these come over: %q", got)
	}
	for ref, reason := range reasons(plan) {
		if reason != migrate.SkipForgotten {
			t.Errorf("%s is left out as %s", ref, reason)
		}
	}
}

// TestNearCopiesOfForgottenTextsStayForgotten compares with forgotten memories as store and
// capture do.
func TestNearCopiesOfForgottenTextsStayForgotten(t *testing.T) {
	gate := "The gate of the summer house opens with the brass lever"
	known := nothingKnown()
	known.Forgotten = []memory.Memory{{Text: "The gate of the summer house opens only with the brass lever"}, {Text: gate}, {Text: "likes jazz"}}
	repeated := []string{gate + " today", strings.Replace(gate, "brass", "old brass", 1), strings.Replace(gate, "opens", "always opens", 1),
		gate + " really", "**" + gate + "**", "likes old jazz", "The gate of summer house opens with the brass lever"}
	other := []string{"The gate of the summer house opens with the iron key of Lena", "likes chess"}
	plan := migrate.NewPlan(entries(slices.Concat(repeated, other)...), known, options())
	if got := textsOf(blocksOf(plan)); !slices.Equal(got, other) {
		t.Errorf("these come over: %q", got)
	}
	c := migrate.Content{Documents: []migrate.Document{{Path: "a.md", Text: []byte("- " + gate + " today\n- Tea at five\n")}}}
	if got := textsOf(blocksOf(migrate.NewPlan(c, known, options()))); !slices.Equal(got, []string{"Tea at five"}) {
		t.Errorf("the copied file has %q", got)
	}
}

func TestSecretsBecomePrivate(t *testing.T) {
	plan := migrate.NewPlan(entries("The wifi password is Blaubeere#7719", "The wifi is slow in the attic"), nothingKnown(), options())
	if len(plan.Private) != 1 || plan.Private[0].Ref != "0" || plan.Private[0].Kind == "" {
		t.Errorf("private: %+v", plan.Private)
	}
	for _, b := range blocksOf(plan) {
		if private := b.Annotations.Private != nil; private != strings.Contains(b.Text, "password") {
			t.Errorf("%q: private %t", b.Text, private)
		}
	}
}

func TestTextsThatNoFileCanContainAreReported(t *testing.T) {
	o := options()
	o.MaxBytes = 1000
	c := entries(strings.Repeat("a long text ", 100), strings.Repeat("too long with its head ", 43), "short 1", strings.Repeat("long ", 70), strings.Repeat("word ", 70), "short 2")
	c.Entries[5].Declared.Scope = "a --> b" // the scopes that are read are clean
	plan := migrate.NewPlan(c, nothingKnown(), o)
	want := map[string]string{"0": migrate.SkipTooLarge, "1": migrate.SkipTooLarge, "5": migrate.SkipUnwritable}
	if got := reasons(plan); plan.Memories() != 3 || len(plan.Files) != 2 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d memories in %q, left out: %v", plan.Memories(), plan.Paths(), got)
	}
}

func TestFilesStayReadable(t *testing.T) {
	var texts []string
	for i := range 1200 {
		texts = append(texts, fmt.Sprintf("Shelf %d has item %d", i, i*7))
	}
	taken := "memory/imported/lancedb.md"
	o := options()
	o.Exists = func(name string) bool { return name == taken }
	plan := migrate.NewPlan(entries(texts...), nothingKnown(), o)
	if len(plan.Files) != 3 || plan.Memories() != 1200 || slices.Contains(plan.Paths(), taken) {
		t.Errorf("files: %q with %d memories", plan.Paths(), plan.Memories())
	}
}
