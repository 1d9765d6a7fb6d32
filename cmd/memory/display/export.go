package display

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// ExportWriter gets the lines of an export and writes them in another format.
type ExportWriter struct {
	Format string // ndjson, which changes nothing, json or markdown
	Out    io.Writer
	Show   func(memory.Progress)

	begun   time.Time
	header  memory.ExportHeader
	rows    int
	path    string
	heading []string
	rest    []byte // of a line that is not complete
}

// shownAfter is how long an export takes before its progress is shown.
const shownAfter = 500 * time.Millisecond

// Write takes the next bytes of the export.
func (w *ExportWriter) Write(part []byte) (int, error) {
	if w.begun.IsZero() {
		w.begun = time.Now()
	}
	if w.Format == "ndjson" {
		if _, err := w.Out.Write(part); err != nil {
			return 0, err
		}
	}
	w.rest = append(w.rest, part...)
	for {
		at := bytes.IndexByte(w.rest, '\n')
		if at < 0 {
			return len(part), nil
		}
		if err := w.line(w.rest[:at]); err != nil {
			return 0, err
		}
		w.rest = w.rest[at+1:]
	}
}

func (w *ExportWriter) line(line []byte) error {
	switch {
	case w.header.Format == "":
		if err := json.Unmarshal(line, &w.header); err != nil {
			return err
		}
		return w.begin()
	case bytes.HasPrefix(line, []byte(`{"end":`)):
		if w.Format == "json" {
			_, err := io.WriteString(w.Out, "\n]}\n")
			return err
		}
		return nil
	}
	w.rows++
	if time.Since(w.begun) > shownAfter {
		w.Show(memory.Progress{Stage: "export", Done: w.rows, Total: w.header.Memories})
	}
	switch w.Format {
	case "json":
		_, err := fmt.Fprintf(w.Out, "%s%s", map[bool]string{true: "\n", false: ",\n"}[w.rows == 1], line)
		return err
	case "markdown":
		var row memory.ExportRow
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		return w.markdown(row)
	}
	return nil
}

func (w *ExportWriter) begin() (err error) {
	switch w.Format {
	case "json":
		_, err = fmt.Fprintf(w.Out, `{"format":%q,"workspace":%q,"with_text":%t,"memories":[`, w.header.Format, w.header.Workspace, w.header.WithText)
	case "markdown":
		_, err = fmt.Fprintf(w.Out, "# Memories of %s\n", w.header.Workspace)
	}
	return err
}

// markdown writes a memory as an item below its file and its headings.
func (w *ExportWriter) markdown(row memory.ExportRow) error {
	m := row.Memory
	var out bytes.Buffer
	if m.Path != w.path {
		fmt.Fprintf(&out, "\n## %s\n", m.Path)
		w.path, w.heading = m.Path, nil
	}
	if !slices.Equal(m.Heading, w.heading) && len(m.Heading) > 0 {
		fmt.Fprintf(&out, "\n### %s\n", strings.Join(m.Heading, " › "))
	}
	w.heading = m.Heading
	if row.N == 1 || bytes.HasSuffix(out.Bytes(), []byte("\n")) {
		out.WriteString("\n")
	}
	text := "(text left out)"
	if m.Text != nil {
		text = strings.ReplaceAll(*m.Text, "\n", "\n  ")
	}
	state := []string{m.ID.Short(), strings.ToLower(string(m.Tier)), m.CreatedAt.Format(time.DateOnly)}
	for word, is := range map[string]bool{"pinned": m.Pinned, "forgotten": m.Forgotten, "private": m.Private} {
		if is {
			state = append(state, word)
		}
	}
	slices.Sort(state[3:])
	fmt.Fprintf(&out, "- %s (%s)\n", text, strings.Join(state, ", "))
	_, err := w.Out.Write(out.Bytes())
	return err
}

// MaxFailures is the number of failures that are printed, a screen at most.
const MaxFailures = 20

// Imported prints what an import did.
func Imported(w io.Writer, a memory.ImportAnswer) {
	if a.DryRun {
		fmt.Fprint(w, "nothing was changed; an import would give: ")
	}
	counts := []string{fmt.Sprintf("%d added", a.Added), fmt.Sprintf("%d updated", a.Updated), fmt.Sprintf("%d unchanged", a.Unchanged)}
	for _, more := range []struct {
		n    int
		text string
	}{{a.Duplicates, "of these %d with the text of another memory"}, {a.Destroyed, "%d destroyed here before and left out"},
		{a.NoText, "%d not here, and the export has no text of them"}, {len(a.Failed), "%d failed"}} {
		if more.n > 0 {
			counts = append(counts, fmt.Sprintf(more.text, more.n))
		}
	}
	fmt.Fprintln(w, strings.Join(counts, ", "))
	for i, f := range a.Failed {
		if i == MaxFailures {
			fmt.Fprintf(w, "  and %d more; --json lists all\n", len(a.Failed)-i)
			break
		}
		fmt.Fprintf(w, "  line %d: %s\n", f.Line, f.Message)
	}
	for _, name := range a.Files {
		fmt.Fprintf(w, "  written: %s\n", Name(name))
	}
}
