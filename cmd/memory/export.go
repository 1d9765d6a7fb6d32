package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/internal/atomicfile"
)

// exportFormats lists the formats of an export; the first is the default. Only that one
// can be imported.
var exportFormats = []string{"ndjson", "markdown", "json"}

// exportAnswer is the answer of export into a file.
type exportAnswer struct {
	File     string `json:"file"`
	Format   string `json:"format"`
	Memories int    `json:"memories"`
	WithText bool   `json:"with_text"`
	SHA256   string `json:"sha256"` // of the lines of the ndjson format
}

func (a *app) exportCommand() *cobra.Command {
	var r memory.ExportRequest
	format := exportFormats[0]
	c := &cobra.Command{
		Use:  "export [FILE]",
		Args: argumentCount(0, 1, ""),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
	}
	filterFlags(c, &r.Filter)
	flags := c.Flags()
	flags.BoolVar(&r.Forgotten, "forgotten", false, "only forgotten memories")
	flags.BoolVar(&r.Pinned, "pinned", false, "only pinned memories")
	flags.BoolVar(&r.WithText, "with-text", false, "write texts, headings and lines of Markdown as well")
	flags.StringVar(&format, "format", format, "`format`: "+strings.Join(exportFormats, ", "))
	completeWords(c, "format", exportFormats)
	c.RunE = func(c *cobra.Command, args []string) error {
		if !slices.Contains(exportFormats, format) {
			return memory.Invalid("format", "unknown format %q", format).WithHint("one of: %s", strings.Join(exportFormats, ", "))
		}
		return a.withSession(c.Context(), readsIndex, func(s *session) error {
			r.Workspace = s.Workspace
			run := func(out io.Writer) (memory.ExportEnd, error) {
				buffered := bufio.NewWriter(out)
				w := &exportWriter{format: format, out: buffered, show: a.show}
				r.Out = w
				end, err := s.Export(c.Context(), r)
				a.endProgress()
				if err == nil {
					err = buffered.Flush()
				}
				return end, err
			}
			if len(args) == 0 {
				if _, err := run(a.out); err != nil {
					return err
				}
				a.noteRedacted(r)
				return nil
			}
			return a.exportFile(args[0], format, r, run)
		})
	}
	return c
}

// writeExport replaces a file in one step: it has the whole export or is as it was. A link
// stays, and its target is replaced. Devices and pipes are written to.
func writeExport(path string, write func(*os.File) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() {
		return atomicfile.WriteWith(path, 0o600, write)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// exportFile writes an export into a file.
func (a *app) exportFile(path, format string, r memory.ExportRequest, run func(io.Writer) (memory.ExportEnd, error)) error {
	answer := exportAnswer{File: path, Format: format, WithText: r.WithText}
	err := writeExport(path, func(f *os.File) error {
		end, err := run(f)
		answer.Memories, answer.SHA256 = end.Rows, end.SHA256
		return err
	})
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		err = memory.Unavailable(pathError.Err, "write %s", path)
	}
	if err != nil {
		return err
	}
	a.noteRedacted(r)
	return printAnswer(a, answer, func(w io.Writer, answer exportAnswer) {
		fmt.Fprintf(w, "%d memories written to %s\n", answer.Memories, display.Name(answer.File))
	})
}

func (a *app) noteRedacted(r memory.ExportRequest) {
	if !r.WithText {
		a.note("texts are left out; --with-text writes them too")
	}
}

// exportWriter gets the lines of an export and writes them in another format.
type exportWriter struct {
	format string
	out    io.Writer
	show   func(memory.Progress)

	begun   time.Time
	header  memory.ExportHeader
	rows    int
	path    string
	heading []string
	rest    []byte // of a line that is not complete
}

// shownAfter is how long an export takes before its progress is shown.
const shownAfter = 500 * time.Millisecond

func (w *exportWriter) Write(part []byte) (int, error) {
	if w.begun.IsZero() {
		w.begun = time.Now()
	}
	if w.format == "ndjson" {
		if _, err := w.out.Write(part); err != nil {
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

func (w *exportWriter) line(line []byte) error {
	switch {
	case w.header.Format == "":
		if err := json.Unmarshal(line, &w.header); err != nil {
			return err
		}
		return w.begin()
	case bytes.HasPrefix(line, []byte(`{"end":`)):
		if w.format == "json" {
			_, err := io.WriteString(w.out, "\n]}\n")
			return err
		}
		return nil
	}
	w.rows++
	if time.Since(w.begun) > shownAfter {
		w.show(memory.Progress{Stage: "export", Done: w.rows, Total: w.header.Memories})
	}
	switch w.format {
	case "json":
		_, err := fmt.Fprintf(w.out, "%s%s", map[bool]string{true: "\n", false: ",\n"}[w.rows == 1], line)
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

func (w *exportWriter) begin() (err error) {
	switch w.format {
	case "json":
		_, err = fmt.Fprintf(w.out, `{"format":%q,"workspace":%q,"with_text":%t,"memories":[`, w.header.Format, w.header.Workspace, w.header.WithText)
	case "markdown":
		_, err = fmt.Fprintf(w.out, "# Memories of %s\n", w.header.Workspace)
	}
	return err
}

// markdown writes a memory as an item below its file and its headings.
func (w *exportWriter) markdown(row memory.ExportRow) error {
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
	_, err := w.out.Write(out.Bytes())
	return err
}
