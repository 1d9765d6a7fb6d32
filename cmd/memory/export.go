package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
				w := &display.ExportWriter{Format: format, Out: buffered, Show: a.show}
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
			return a.exportFile(args[0], format, &r, run)
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
func (a *app) exportFile(path, format string, r *memory.ExportRequest, run func(io.Writer) (memory.ExportEnd, error)) error {
	var err error
	if r.File, err = filepath.Abs(path); err != nil {
		return err
	}
	answer := exportAnswer{File: path, Format: format, WithText: r.WithText}
	err = writeExport(path, func(f *os.File) error {
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
	a.noteRedacted(*r)
	return printAnswer(a, answer, func(w io.Writer, answer exportAnswer) {
		fmt.Fprintf(w, "%d memories written to %s\n", answer.Memories, display.Name(answer.File))
	})
}

func (a *app) noteRedacted(r memory.ExportRequest) {
	if !r.WithText {
		a.note("texts are left out; --with-text writes them too")
	}
}
