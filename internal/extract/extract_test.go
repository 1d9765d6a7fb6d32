package extract_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory/internal/extract"
)

// TestMain makes the test itself the program that reads a file.
func TestMain(m *testing.M) {
	extract.ServeIfChild()
	os.Exit(m.Run())
}

func read(kind, src string) ([]string, error) {
	return new(extract.Reader).Read(context.Background(), kind, []byte(src))
}

func fixture(t testing.TB, name string) string {
	t.Helper()
	src, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func TestRead(t *testing.T) {
	pages, err := read(".pdf", fixture(t, "manual.pdf"))
	want := `Heron 7 bilge pump

The pump starts at 42 mm of water, and it runs for ninety seconds. Clean the strainer every month.

Warranty: café caf(e) 3` + "\u00a0" + `5 years.
===
Spare parts

Impeller PN-IMP-9
Gasket PN-GAS-4

Printed in Rotterdam`
	if got := strings.Join(pages, "\n===\n"); err != nil || got != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
}

// printed.pdf is what a browser makes of a page: compressed, with fonts of glyphs by number.
func TestReadPrinted(t *testing.T) {
	pages, err := read(".pdf", fixture(t, "printed.pdf"))
	if err != nil || len(pages) != 2 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	got := strings.Join(pages, "\n===\n")
	for _, want := range []string{"Harbour pump “Heron 7”\n\nThe bilge", "Efficient offices affirm\nflow; naïve Übergröße costs €15", "Impeller PN-IMP-9\n", "\n===\nSecond page.", "Русский текст. Ελληνικά."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestPDFMayBeginBelowOtherLines(t *testing.T) {
	want, _ := read(".pdf", fixture(t, "manual.pdf"))
	if got, err := read(".pdf", "From: ada\r\n\r\n"+fixture(t, "manual.pdf")); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestEntitiesOfHTMLStay(t *testing.T) {
	got, err := read(".html", "<title>R&amp;D</title><p>&lt;!-- a --&gt; &amp;lt; <code>a &lt;&amp; b</code>")
	if want := "# R&amp;D\n\n&lt;!-- a --&gt; &amp;lt; `a <&amp; b`"; err != nil || strings.Join(got, "") != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

// It is encrypted so that only its owner may print it, and opens without a password.
func TestReadPDFWithoutPassword(t *testing.T) {
	want, _ := read(".pdf", fixture(t, "manual.pdf"))
	if got, err := read(".pdf", fixture(t, "restricted.pdf")); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestReadHTML(t *testing.T) {
	pages, err := read(".html", fixture(t, "page.html"))
	want := `# Boat handbook

## Mooring

Tie the bow line first, then the stern line.

### Lines

- Bow line: 12 m
- Spring: 9 m

| Knot    | Use               |
|---------|-------------------|
| Bowline | a loop that holds |

### Fenders

` + "```\nport  3\nstarboard  2\n```"
	if got := strings.ReplaceAll(strings.Join(pages, "\n===\n"), "\u00a0", " "); err != nil || got != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
	if _, err := read(".html", strings.Repeat("<div>", 100_000)); err == nil {
		t.Error("a page of a hundred thousand levels was read")
	}
}

func TestReadFails(t *testing.T) {
	manual := fixture(t, "manual.pdf")
	for _, tt := range []struct{ src, want string }{
		{fixture(t, "encrypted.pdf"), "is encrypted"},
		{"", "is damaged"},
		{"%PDF-1.7\nnothing", "is damaged"},
		{"MZ" + strings.Repeat("\x00", 4000), "is damaged"},
		{file("<< /Kids [2 0 R] >>", "<< /Type /Page >>"), "has no text"},
		{strings.ReplaceAll(manual, "/Pages 2 0 R", "/Pages 9 9 R"), "is damaged"},
		{manual[:strings.Index(manual, "xref")], "is damaged"},
	} {
		if pages, err := read(".pdf", tt.src); err == nil || !strings.Contains(err.Error(), "this file cannot be read: the PDF "+tt.want) || len(pages) > 0 {
			t.Errorf("%.20q: %v, want %q", tt.src, err, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := new(extract.Reader).Read(ctx, ".pdf", []byte(manual)); err != context.Canceled {
		t.Errorf("got %v after the end of the caller", err)
	}
}

// file returns a PDF of objects, the first of which is the tree of pages.
func file(objects ...string) string {
	var b, table strings.Builder
	b.WriteString("%PDF-1.4\n")
	objects = append(objects, "<< /Type /Catalog /Pages 1 0 R >>")
	for i, object := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start, n := b.Len(), len(objects)
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF", n+1, table.String(), n+1, n, start)
	return b.String()
}

// page returns a PDF of one page.
func page(content, font string) string {
	return file("<< /Kids [2 0 R] >>", "<< /Contents 3 0 R /Resources << /Font << /F 4 0 R >> /XObject << /X 3 0 R >> >> >>",
		fmt.Sprintf("<< /Subtype /Form /Length %d >>\nstream\n%s\nendstream", len(content), content), font)
}

// Files that make the library run without end, or take all memory, end their process alone.
func TestReadOfHostileFilesEnds(t *testing.T) {
	for name, src := range map[string]string{
		"pages in a circle":  file("<< /Kids [1 0 R 1 0 R] >>"),
		"forms within forms": page(strings.Repeat("/X Do ", 10_000), "null"),
		"states without end": page(strings.Repeat("q ", 10_000_000), "null"),
		"a huge table":       "%PDF-1.4\n1 0 obj << /Type /XRef /Size 9000000000 /W [1 1 1] /Length 0 >> stream\n\nendstream endobj\nstartxref\n9\n%%EOF",
		"a huge text":        page("/F 1 Tf "+strings.Repeat("("+strings.Repeat("x", 1000)+") Tj ", 18_000), "<< /Encoding /WinAnsiEncoding >>"),
	} {
		r := extract.Reader{MaxTime: 2 * time.Second}
		pages, err := r.Read(t.Context(), ".pdf", []byte(src))
		if err == nil || !strings.HasPrefix(err.Error(), "this file cannot be read: it needs more than 1024 MiB") || len(pages) > 0 {
			t.Errorf("%s: %d pages, %v", name, len(pages), err)
		}
	}
}

// Files with odd parts are read as far as they go.
func TestReadOddFiles(t *testing.T) {
	for name, src := range map[string]string{
		"a huge range of widths": page("/F 1 Tf (seen) Tj", "<< /Subtype /Type0 /DescendantFonts [<< /W [0 999999999 5] >>] >>"),
		"nested arrays":          page("/F 1 Tf (seen) Tj "+strings.Repeat("[", 1_000_000), "null"),
		"an operator that fails": page("/F 1 Tf (seen) Tj Q cm /None Tf end (hidden) Tj", "<< /Encoding /WinAnsiEncoding >>"),
		"another version":        strings.Replace(page("/F 1 Tf (seen) Tj", "null"), "%PDF-1.4", "%PDF-2.0", 1),
	} {
		if pages, err := read(".pdf", src); err != nil || len(pages) != 1 || pages[0] != "seen" {
			t.Errorf("%s: %q, %v", name, pages, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(".pdf", []byte(fixture(f, "manual.pdf")))
	f.Add(".html", []byte(fixture(f, "page.html")))
	f.Fuzz(func(t *testing.T, kind string, src []byte) {
		r := extract.Reader{MaxTime: 5 * time.Second}
		if pages, err := r.Read(t.Context(), kind, src); err != nil && (len(pages) > 0 || !strings.HasPrefix(err.Error(), "this file cannot be read: ")) {
			t.Errorf("%d pages, %v", len(pages), err)
		}
	})
}
