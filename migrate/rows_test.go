package migrate_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/migrate"
)

func readLines(t *testing.T, text string) migrate.Content {
	t.Helper()
	c, err := migrate.ReadLines("x.ndjson", strings.NewReader(text), now, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLinesAreRead(t *testing.T) {
	for line, want := range map[string]string{
		// memory-lancedb
		`{"id":"a1","text":"Tea","importance":0.800000011920929,"category":"preference","createdAt":1740812889123,"agentId":"main","vector":[1,2]}`: "a1 main Tea category=preference importance=0.8 created=2025-03-01T07:08:09Z",
		// memory-lancedb-pro
		`{"id":"a2","text":"Tea","category":"reflection","scope":"project:acme","importance":0.5,"timestamp":1740812889}`: "a2  Tea category=lesson scope=project/acme importance=0.5 created=2025-03-01T07:08:09Z",
		`{"id":"a3","text":"Tea","scope":"agent:coder"}`:                                                                  "a3 coder Tea",
		`{"id":"a4","text":"Tea","scope":"global"}`:                                                                       "a4  Tea",
		`{"id":"a5","text":"Tea","scope":"user:Lena@Example"}`:                                                            "a5  Tea user=lena@example",
		`{"content":"Tea","tags":["home","x y"],"pinned":true,"private":1}`:                                               "line 1  Tea tags=home,x-y pinned private",
		`{"text":"Tea","importance":8,"created_at":"2025-03-01 07:08:09.5"}`:                                              "line 1  Tea importance=0.8 created=2025-03-01T07:08:09Z",
		`{"text":"Tea","importance":{"score":0.3,"label":"ignore"},"ts":"2025-03-01"}`:                                    "line 1  Tea importance=0.3 label=ignore created=2025-03-01T00:00:00Z",
		`{"text":"Tea","importance":-3,"createdAt":"never","category":"odd one"}`:                                         "line 1  Tea tags=odd-one",
		`{"text":"Tea","memory_type":"procedural","trust_tier":"quarantined"}`:                                            "line 1  Tea type=procedural trust=quarantined",
		`{"text":"Tea","createdAt":4102444800000}`:                                                                        "line 1  Tea",
		`{"text":"Tea","createdAt":1740812889123456}`:                                                                     "line 1  Tea created=2025-03-01T07:08:09Z",
		`{"text":"Tea","createdAt":1740812889123456789}`:                                                                  "line 1  Tea created=2025-03-01T07:08:09Z",
		`{"text":"Tea","scope":"--"}`:                                                                                     "line 1  Tea scope=scope-",
		`{"text":"Tea","scope":"a -->  b"}`:                                                                               "line 1  Tea scope=a-b",
		`{"text":"\ud83d Tea \u0000"}`:                                                                                    "line 1  \ufffd Tea \x00",
		`{"importance":1}`:                                                                                                "line 1   importance=1",
	} {
		c := readLines(t, "\ufeff"+line+"\r\n\n")
		if len(c.Entries) != 1 || !strings.HasPrefix(describe(c.Entries[0]), want) {
			t.Errorf("%s:\n got %+v\nwant %s", line, describe(c.Entries[0]), want)
		}
	}
}

// describe returns an entry as one line.
func describe(e migrate.Entry) string {
	d, out := e.Declared, e.Ref+" "+e.Owner+" "+e.Text
	add := func(name, value string) {
		if value != "" {
			out += " " + name + "=" + value
		}
	}
	add("category", string(d.Category))
	add("type", string(d.Type))
	add("trust", string(d.Trust))
	add("scope", string(d.Scope))
	add("user", d.User)
	if d.Importance != nil {
		add("importance", fmt.Sprint(*d.Importance))
	}
	add("label", string(d.ImportanceLabel))
	add("tags", strings.Join(d.Tags, ","))
	if !d.Created.IsZero() {
		add("created", d.Created.Format("2006-01-02T15:04:05Z07:00"))
	}
	if d.Pinned != nil {
		out += " pinned"
	}
	if d.Private != nil {
		out += " private"
	}
	return out
}

func TestDatesThatAreNotBelievedAreReported(t *testing.T) {
	c := readLines(t, `{"text":"a","createdAt":4102444800000}`+"\n"+`{"text":"b","createdAt":"1970-01-02"}`+"\n"+`{"id":"__schema__","text":""}`)
	if len(c.Entries) != 2 || len(c.Notes) != 1 || !strings.HasPrefix(c.Notes[0], "2 dates ") {
		t.Errorf("%d entries, notes: %q", len(c.Entries), c.Notes)
	}
}

func TestBrokenLinesAreAnError(t *testing.T) {
	for _, text := range []string{"{}\n{\"text\": \"a\"", "{}\n[1]", "{}\nnull x"} {
		_, err := migrate.ReadLines("x.ndjson", strings.NewReader(text), now, func(int) {})
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "x.ndjson:2") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAgentsAreKeptApart(t *testing.T) {
	c := readLines(t, `{"text":"a","agentId":"main"}`+"\n"+`{"text":"b","agentId":"work"}`+"\n"+`{"text":"c"}`)
	if owners := strings.Join(c.Owners(), ","); owners != "main,work" {
		t.Errorf("owners: %s", owners)
	}
	if n := c.KeepOwner("work"); n != 1 || len(c.Entries) != 2 {
		t.Errorf("%d left out, kept %+v", n, c.Entries)
	}
}

func FuzzReadLines(f *testing.F) {
	f.Add(`{"id":"a1","text":"Tea","importance":0.8,"category":"preference","createdAt":1740812889123,"scope":"agent:x","tags":"a,b"}`)
	f.Add(`{"text":1e999,"tags":[null],"createdAt":"2025-03-01T07:08:09+14:00"}`)
	f.Fuzz(func(t *testing.T, line string) {
		c, err := migrate.ReadLines("x", strings.NewReader(line), now, func(int) {})
		if err != nil {
			return
		}
		if rows, skipped := export(t, c); len(rows)+len(skipped) != len(c.Entries) {
			t.Errorf("%d memories and %d left out of %d", len(rows), len(skipped), len(c.Entries))
		}
	})
}

// TestAMistakeInAProtectingFieldHides reads mistakes in the fields that hide a memory with
// the rules of front matter.
func TestAMistakeInAProtectingFieldHides(t *testing.T) {
	for fields, want := range map[string]string{
		`"user":["lena"]`:                            "user=?",
		`"user":{"name":"lena"}`:                     "user=?",
		`"user":["lena","bob"]`:                      "user=?",
		`"user":""`:                                  "user=?",
		`"user":true`:                                "user=true",
		`"user":"lena","User":"bob"`:                 "user=?",
		`"user":"lena","scope":"user:bob"`:           "user=?",
		`"user":12345678`:                            "user=12345678",
		`"User":"Lena"`:                              "user=lena",
		`"userId":"lena"`:                            "user=lena",
		`"user_id":["lena"]`:                         "user=?",
		`"user_id":""`:                               "",
		`"user":null,"private":null,"trust":null`:    "",
		`"users":3`:                                  "",
		`"trust_tier":"quarantine"`:                  "trust=quarantined",
		`"trust_tier":"unverified"`:                  "trust=quarantined",
		`"trust_tier":["quarantined"]`:               "trust=quarantined",
		`"trust_tier":""`:                            "",
		`"trust":"untrusted","trust_tier":"trusted"`: "trust=untrusted",
		`"trustTier":"quarantined"`:                  "trust=quarantined",
		`"private":"privat"`:                         "private",
		`"private":{"by":"lena"}`:                    "private",
		`"private":[]`:                               "private",
		`"private":2`:                                "private",
		`"private":""`:                               "private",
		`"isPrivate":true`:                           "private",
		`"is_private":true`:                          "private",
		`"isPrivate":false`:                          "",
		`"metadata":{"private":true,"user":"lena"}`:  "user=lena private",
		`"metadata":"{\"is_private\":1}"`:            "private",
		`"user":"bob","metadata":{"user":"lena"}`:    "user=?",
		`"metadata":{"source":"chat"}`:               "",
		`"metadata":"none"`:                          "",
		`"deleted":false,"deletedAt":null`:           "",
		`"private":"no"`:                             "",
		`"private":0`:                                "",
		`"scope":["work"]`:                           "scope=work",
	} {
		c := readLines(t, `{"text":"Tea",`+fields+`}`)
		if got := strings.TrimSpace(strings.TrimPrefix(describe(c.Entries[0]), "line 1  Tea")); got != want {
			t.Errorf("%s: %q, want %q", fields, got, want)
		}
		rows, skipped := export(t, c)
		if len(rows) != 1 || rows[0].Markdown == nil {
			t.Fatalf("%s: %d rows, left out: %v", fields, len(rows), skipped)
		}
		b := chunker.Blocks([]byte(*rows[0].Markdown), 0)
		if len(b) != 1 || b[0].Annotations.User != c.Entries[0].Declared.User || b[0].Annotations.Trust != c.Entries[0].Declared.Trust {
			t.Errorf("%s: the lines are %q", fields, *rows[0].Markdown)
		}
	}
}

func TestARowThatIsForgottenElsewhereIsLeftOut(t *testing.T) {
	for _, field := range []string{`"deleted":true`, `"is_deleted":1`, `"deletedAt":"2026-05-01T10:00:00Z"`, `"metadata":{"deleted":true}`} {
		if rows, _ := export(t, readLines(t, `{"id":"a","text":"Tea",`+field+`}`)); len(rows) != 0 {
			t.Errorf("a row with %s comes over", field)
		}
	}
	rows, skipped := export(t, readLines(t, `{"id":"a","text":"Tea","forgotten":true}`+"\n"+`{"id":"b","text":"Milk","forgotten":false}`))
	if want := (migrate.Skipped{Ref: "a", Reason: migrate.SkipForgotten}); len(rows) != 1 || !slices.Contains(skipped, want) {
		t.Errorf("%d memories, left out: %v", len(rows), skipped)
	}
}
