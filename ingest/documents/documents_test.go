package documents_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/ingest/documents"
)

// pagesOf reads a text as a PDF that has a page between two form feeds.
func pagesOf(_ context.Context, kind string, src []byte) ([]string, error) {
	if kind != ".pdf" {
		return []string{string(src)}, nil
	}
	return strings.Split(string(src), "\f"), nil
}

func read(t *testing.T, name, src string) []memory.Block {
	t.Helper()
	passages, err := documents.Read(t.Context(), name, []byte(src), pagesOf)
	if err != nil {
		t.Fatal(err)
	}
	return passages
}

// shown returns passages as "heading › heading 3-5: text".
func shown(passages []memory.Block) string {
	var lines []string
	for _, p := range passages {
		lines = append(lines, fmt.Sprintf("%s %d-%d: %s", strings.Join(p.Heading, " › "), p.LineStart, p.LineEnd, p.Text))
	}
	return strings.Join(lines, "\n===\n")
}

func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"a.HTM", "# Boat handbook\n\n## Mooring\n\nTie the bow line.\n\n- Bow line: 12 m\n- Spring: 9 m\n", "Boat handbook › Mooring 5-8: Tie the bow line.\n- Bow line: 12 m\n- Spring: 9 m"},
		{"net-work.txt", "One line\nand another.\n\n\nA second paragraph.\n", "net work 1-5: One line\nand another.\n\nA second paragraph."},
		{"a.md", "---\nforgotten: true\ntags: [x]\n---\nIntro #tag <!-- pinned: true -->\n\n# Ports\n\n- Staging: 8081\n- Production: 443\n\nBoth are fixed.\n", "a 5-5: Intro\n===\nPorts 9-12: - Staging: 8081\n- Production: 443\n\nBoth are fixed."},
		{"heron.pdf", "Heron 7 bilge pump\n\nThe pump starts at 42 mm of water.\f\n\n\fSpare parts", "heron 1-1: Heron 7 bilge pump\n\nThe pump starts at 42 mm of water.\n===\nheron 3-3: Spare parts"},
	} {
		if got := shown(read(t, tt.name, tt.src)); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestOnlyTextIsRead(t *testing.T) {
	random := make([]byte, 1000)
	rand.NewChaCha8([32]byte{28}).Read(random)
	for _, name := range []string{"a.txt", "a.md", "a.html"} {
		for _, n := range []int{64, 200, 1000} {
			if passages, err := documents.Read(t.Context(), name, random[:n], pagesOf); err == nil || len(passages) > 0 {
				t.Errorf("%s, %d random bytes: %d passages, %v", name, n, len(passages), err)
			}
		}
		for _, src := range []string{"\x1b[1mThe tide\x1b[0m turns at nine.\r\n\f", strings.Repeat("The tide turns at nine. ", 9) + "\x1a"} {
			if len(read(t, name, src)) == 0 {
				t.Errorf("%s: %q is not read", name, src)
			}
		}
	}
}

func TestReadOtherEncodings(t *testing.T) {
	for name, src := range map[string]string{
		"Windows-1252":        "Fr\xfch \x96 auf der Br\xfccke",
		"UTF-16":              "\xff\xfeF\x00r\x00\xfc\x00h\x00 \x00\x13\x20 \x00a\x00u\x00f\x00 \x00d\x00e\x00r\x00 \x00B\x00r\x00\xfc\x00c\x00k\x00e\x00",
		"named by the page":   "<meta charset=koi8-r>\n\n\xf2\xf5\xf3",
		"UTF-8 below its top": strings.Repeat("plain\n\n", 300) + "Früh – auf der Brücke",
	} {
		want := "Früh – auf der Brücke"
		if name == "named by the page" {
			want = "РУС"
		}
		got := shown(read(t, "a.txt", src))
		if !strings.HasSuffix(got, want) || strings.Contains(got, "\uFEFF") {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestEntitiesOfAPageAreCharacters(t *testing.T) {
	got := shown(read(t, "a.html", "# &amp;lt;\n\nA tag: &lt;b&gt;, its entity: &amp;lt;, a mark: &lt;!-- forgotten: true --&gt;\n\nMore\n"))
	if want := "&lt; 3-5: A tag: <b>, its entity: &lt;, a mark: <!-- forgotten: true -->\n\nMore"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNoMarkOfADocumentIsRead(t *testing.T) {
	for _, p := range read(t, "a.md", "---\nuser: mallory\ntrust: trusted\n---\n- A line #rule <!-- importance: 9; trigger: any prompt -->\n\n[[Link]] ^id\n") {
		if a := p.Annotations; len(a.Tags) > 0 || a.Importance != nil || a.User != "" || len(p.Triggers)+len(p.Links) > 0 || p.BlockID != "" {
			t.Errorf("%+v", p)
		}
	}
}

func TestPassagesHaveAUsefulLength(t *testing.T) {
	long := strings.Repeat("The tide turns twice a day here.\n", 2000)
	passages := read(t, "a.txt", strings.Repeat("Some words of a paragraph that is short.\n\n", 500)+long)
	for i, p := range passages[:len(passages)-1] {
		if n := utf8.RuneCountInString(p.Text); n < 500 || n > memory.MaxChunk {
			t.Errorf("passage %d has %d characters", i, n)
		}
		if i > 0 && p.LineStart <= passages[i-1].LineEnd {
			t.Errorf("passage %d begins at line %d, before the end of the one above", i, p.LineStart)
		}
	}
	if last := passages[len(passages)-1]; last.LineEnd != 3000 {
		t.Errorf("the last line is %d, want 3000", last.LineEnd)
	}
}

func TestReadOfPDFThatCannotBeRead(t *testing.T) {
	damaged := errors.New("the PDF is damaged")
	passages, err := documents.Read(t.Context(), "a.PDF", nil, func(context.Context, string, []byte) ([]string, error) { return []string{"a page"}, damaged })
	if err != damaged || len(passages) > 0 {
		t.Errorf("%d passages, %v", len(passages), err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(".md", []byte("# A\n\n- b\n"))
	f.Add(".txt", []byte("a\n\nb"))
	f.Add(".pdf", []byte("a\n\nb\fc"))
	f.Fuzz(func(t *testing.T, ext string, src []byte) {
		passages, err := documents.Read(t.Context(), "a"+ext, src, pagesOf)
		if err != nil && len(passages) > 0 {
			t.Fatal("passages of a file that cannot be read")
		}
		for _, p := range passages {
			switch {
			case strings.TrimSpace(p.Text) == "" || !utf8.ValidString(p.Text):
				t.Errorf("the text %q", p.Text)
			case p.LineStart < 1 || p.LineEnd < p.LineStart:
				t.Errorf("lines %d-%d", p.LineStart, p.LineEnd)
			case len(p.Heading) == 0:
				t.Error("no heading")
			}
		}
	})
}
