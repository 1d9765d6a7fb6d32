package migrate_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/migrate"
)

var now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// export returns the rows of an export, and what is left out.
func export(t *testing.T, c migrate.Content) (rows []memory.ExportRow, skipped []migrate.Skipped) {
	t.Helper()
	var out bytes.Buffer
	e := must.Get(c.Export(migrate.LanceDB, time.UTC, &out))(t)
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	for _, line := range lines[1 : len(lines)-1] {
		var row memory.ExportRow
		must.Do(t, json.Unmarshal(line, &row))
		rows = append(rows, row)
	}
	return rows, e.Skipped
}

func reasons(skipped []migrate.Skipped) map[string]string {
	out := map[string]string{}
	for _, s := range skipped {
		out[s.Ref] = s.Reason
	}
	return out
}

func TestCopiesComeOverOnce(t *testing.T) {
	c := readLines(t, `{"id":"a","text":"Tea","importance":0.3,"createdAt":1767225600}
{"id":"b","text":"Tea ","importance":0.9,"createdAt":1740812889,"private":true,"trust":"untrusted"}
{"id":"c","text":"Tea","scope":"work"}`)
	rows, skipped := export(t, c)
	if len(rows) != 2 || reasons(skipped)["b"] != migrate.SkipDuplicate || rows[0].Memory.ID == rows[1].Memory.ID {
		t.Fatalf("%+v, left out: %v", rows, skipped)
	}
	d := rows[1].Declared // that without a day comes first
	if d.Importance == nil || *d.Importance != 0.9 || d.Created.Year() != 2025 || d.Private == nil || d.Trust != memory.TrustUntrusted {
		t.Errorf("declared: %+v", d)
	}
}

func TestFilesThatDecideStay(t *testing.T) {
	c := migrate.Content{Documents: []migrate.Document{
		{Path: "entries.md", Text: []byte("---\nmemories:\n  - {id: 0123456789ab, quote: \"Tea\", forgotten: true}\n---\n- Tea\n")},
		{Path: "mistake.md", Text: []byte("- Tea <!-- privat -->\n")},
		{Path: "empty.md"},
		{Path: "a\x01.md", Text: []byte("- Tea\n")},
		{Path: "trusted.md", Text: []byte("---\ntrust: trusted\n---\n- Tea\n"), Untrusted: true},
		{Path: "forgotten.md", Text: []byte("---\nforgotten: true\n---\n- Tea\n")},
	}}
	rows, skipped := export(t, c)
	for ref, want := range map[string]string{"entries.md": migrate.SkipDeciding, "mistake.md": migrate.SkipDeciding, "empty.md": migrate.SkipEmpty,
		"a\x01.md": migrate.SkipUnindexable, "trusted.md": migrate.SkipUnmarkable, "forgotten.md": migrate.SkipDeciding} {
		if got := reasons(skipped)[ref]; got != want {
			t.Errorf("%q: %q, want %q", ref, got, want)
		}
	}
	if len(rows) != 0 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestAFileKeepsItsHeadingsAndMarks(t *testing.T) {
	at := now.AddDate(-1, 0, 0)
	rows, skipped := export(t, migrate.Content{Documents: []migrate.Document{
		{Path: "MEMORY.md", Time: at, Untrusted: true, Text: []byte("---\nscope: work\n---\n# Home\n\n- Tea <!-- private -->\n")},
		{Path: "memory/2025-03-01.md", Time: at, Text: []byte("Milk\n")},
	}})
	if len(rows) != 2 || len(skipped) > 0 {
		t.Fatalf("%d rows, left out: %v", len(rows), skipped)
	}
	first, second := rows[0], rows[1]
	if first.Memory.Path != "memory/imported/lancedb/MEMORY.md" || !slices.Equal(first.Memory.Heading, []string{"Home"}) || first.Declared.Private == nil ||
		strings.TrimSpace(*first.Markdown) != "- Tea <!-- private -->" {
		t.Errorf("the first row: %+v", first)
	}
	if f := first.File; f.Scope != "work" || f.Trust != memory.TrustUntrusted || !f.Created.Equal(at) {
		t.Errorf("the first file: %+v", f)
	}
	if !second.File.Created.IsZero() {
		t.Errorf("a daily note gets another day than its name: %v", second.File.Created)
	}
}
