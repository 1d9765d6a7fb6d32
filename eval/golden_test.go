package eval_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
	"github.com/memory-tiered/memory/internal/must"
)

func TestReadGolden(t *testing.T) {
	zone := time.FixedZone("east", 2*60*60)
	line := func(asOf string) string {
		return `{"id":"q1","query":"who?","category":"temporal","as_of":"` + asOf + `","relevant":[{"path":"MEMORY.md","line":3}]}`
	}
	for _, tt := range []struct {
		name, in string
		want     string // AsOf in RFC 3339
	}{
		{"UTC", line("2026-11-20T09:00:00Z"), "2026-11-20T09:00:00Z"},
		{"another time zone", line("2026-11-20T09:00:00-05:00"), "2026-11-20T14:00:00Z"},
		{"the workspace's time zone", line("2026-11-20T09:00:00"), "2026-11-20T07:00:00Z"},
		{"without seconds", line("2026-11-20T09:00"), "2026-11-20T07:00:00Z"},
		{"with a blank", line("2026-11-20 09:00:00"), "2026-11-20T07:00:00Z"},
		{"end of a day", line("2026-11-20"), "2026-11-20T21:59:59.999Z"},
		{"byte order mark, CRLF, blank lines", "\ufeff\r\n" + line("2026-11-20T09:00:00") + "\r\n\r\n", "2026-11-20T07:00:00Z"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := eval.ReadGolden(strings.NewReader(tt.in), zone)
			if err != nil || len(got) != 1 {
				t.Fatalf("ReadGolden = %v, %v", got, err)
			}
			if at := got[0].AsOf.UTC().Format(time.RFC3339Nano); at != tt.want {
				t.Errorf("AsOf = %s, want %s", at, tt.want)
			}
			got[0].AsOf = time.Time{}
			want := eval.Golden{ID: "q1", Query: "who?", Category: "temporal", Relevant: []eval.Line{{Path: "MEMORY.md", Line: 3}}, FileLine: 1 + strings.Count(tt.in[:strings.Index(tt.in, "{")], "\n")}
			if !reflect.DeepEqual(got[0], want) {
				t.Errorf("ReadGolden = %+v, want %+v", got[0], want)
			}
		})
	}
}

func TestReadGoldenWithoutOptionalFields(t *testing.T) {
	in := "\n" + `{"query":"a","relevant":[{"path":"./memory//a.md","line":1}],"remark":"ignored"}`
	got := must.Get(eval.ReadGolden(strings.NewReader(in), nil))(t)
	want := []eval.Golden{{ID: "line 2", Query: "a", Relevant: []eval.Line{{Path: "memory/a.md", Line: 1}}, FileLine: 2}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("ReadGolden = %+v, want %+v", got, want)
	}
}

func TestReadGoldenAcceptsLinesOf100kB(t *testing.T) {
	in := `{"query":"` + strings.Repeat("x", 100_000) + `","relevant":[]}` + "\n" + `{"query":"a","relevant":[{"path":"a.md","line":1}]}`
	if got, err := eval.ReadGolden(strings.NewReader(in), nil); err != nil || len(got) != 2 {
		t.Errorf("%d golden queries, %v", len(got), err)
	}
}

func TestReadGoldenRefusesInvalidLines(t *testing.T) {
	good := `{"query":"a","relevant":[{"path":"a.md","line":1}]}` + "\n"
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", "there is no golden query"},
		{"blank", "\n \n", "there is no golden query"},
		{"not JSON", good + "who?", "line 2"},
		{"cut short", good + good + good[:20], "line 3"},
		{"two in a line", good[:len(good)-1] + good, "line 1"},
		{"an array", "[]", "line 1: it is a JSON array, not an object"},
		{"no query", `{"relevant":[{"path":"a.md","line":1}]}`, "line 1: no query"},
		{"a blank query", `{"query":"  ","relevant":[{"path":"a.md","line":1}]}`, "line 1: no query"},
		{"nothing relevant", good + "\n" + `{"query":"a"}`, "line 3: the field relevant is missing"},
		{"line 0", `{"query":"a","relevant":[{"path":"a.md","line":1},{"path":"a.md"}]}`, `line 1: relevant[1] is not valid: line 0 of "a.md"`},
		{"no path", `{"query":"a","relevant":[{"line":1}]}`, `line 1: relevant[0] is not valid: line 1 of ""`},
		{"a line in words", `{"query":"a","relevant":[{"path":"a.md","line":"one"}]}`, "line 1: relevant.line cannot be a JSON string"},
		{"a day that is none", `{"query":"a","as_of":"2026-02-30","relevant":[{"path":"a.md","line":1}]}`, `line 1: as_of "2026-02-30" is not a time`},
		{"too long", good + `{"query":"` + strings.Repeat("x", 1<<20) + `"}`, "line 2: longer than"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := eval.ReadGolden(strings.NewReader(tt.in), nil)
			if !errors.Is(err, memory.ErrInvalid) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("ReadGolden = %v, %v; want invalid, %q", got, err, tt.want)
			}
		})
	}
	failed := errors.New("read failed")
	if _, err := eval.ReadGolden(iotest.ErrReader(failed), nil); !errors.Is(err, failed) {
		t.Errorf("a reader that fails: %v", err)
	}
}

// TestGoldenLinesOfExamplesWorkspaceExist reads the golden queries of
// examples-workspace.
func TestGoldenLinesOfExamplesWorkspaceExist(t *testing.T) {
	const dir = "../examples-workspace/"
	f := must.Get(os.Open(dir + "golden.jsonl"))(t)
	defer f.Close()
	golden, err := eval.ReadGolden(f, time.UTC)
	if err != nil || len(golden) < 60 {
		t.Fatalf("%d golden queries, %v; want 60 or more", len(golden), err)
	}
	for _, g := range golden {
		for _, r := range g.Relevant {
			src, err := os.ReadFile(dir + r.Path)
			lines := strings.Split(string(src), "\n")
			if err != nil || r.Line > len(lines) || strings.TrimSpace(lines[r.Line-1]) == "" {
				t.Errorf("%s: line %d of %s is empty or missing (%v)", g.ID, r.Line, r.Path, err)
			}
		}
	}
}

func FuzzReadGolden(f *testing.F) {
	f.Add(`{"id":"q","query":"a","category":"c","as_of":"2026-11-20","relevant":[{"path":"a.md","line":1}]}`)
	f.Add("\ufeff\n{}\n")
	f.Fuzz(func(t *testing.T, in string) {
		golden, err := eval.ReadGolden(strings.NewReader(in), nil)
		if err != nil {
			if !errors.Is(err, memory.ErrInvalid) {
				t.Errorf("%v is not invalid", err)
			}
			return
		}
		for _, g := range golden {
			if g.ID == "" || g.Query == "" || len(g.Relevant) == 0 {
				t.Errorf("%+v is not complete", g)
			}
		}
	})
}
