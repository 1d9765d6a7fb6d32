package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/display"
	"github.com/memory-tiered/memory/internal/atomicfile"
	"github.com/memory-tiered/memory/internal/folder"
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
	format, file := exportFormats[0], ""
	c := newCommand("export [FILE]", fileArgument(0, &file), func(c *cobra.Command) error { return a.export(c.Context(), file, format, r) })
	filterFlags(c, &r.Filter)
	flags := c.Flags()
	flags.BoolVar(&r.Forgotten, "forgotten", false, "only forgotten memories")
	flags.BoolVar(&r.Pinned, "pinned", false, "only pinned memories")
	flags.BoolVar(&r.WithText, "with-text", false, "write texts, headings and lines of Markdown as well")
	flags.StringVar(&format, "format", format, "`format`: "+strings.Join(exportFormats, ", "))
	completeWords(c, "format", exportFormats)
	return c
}

// export writes an export into a file, or without one to standard output.
func (a *app) export(ctx context.Context, file, format string, r memory.ExportRequest) error {
	if err := knownFormat(format, exportFormats); err != nil {
		return err
	}
	return a.withSession(ctx, readsIndex, func(s *session) error {
		r.Workspace = s.Workspace
		run := func(out io.Writer) (memory.ExportEnd, error) {
			buffered := bufio.NewWriter(out)
			r.Out = &display.ExportWriter{Format: format, Out: buffered, Show: a.show}
			end, err := s.Export(ctx, r)
			a.endProgress()
			if err == nil {
				err = buffered.Flush()
			}
			return end, err
		}
		if file != "" {
			return a.exportFile(file, format, &r, run)
		}
		_, err := run(a.out)
		if err == nil {
			a.noteRedacted(r)
		}
		return err
	})
}

// writeExport replaces a file in one step: it has the whole export or is as it was. A link
// stays, and its target is replaced. Devices and pipes are written to.
func writeExport(path string, write func(*os.File) error) error {
	path = folder.RealPath(path)
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
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
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

func (a *app) snapshotCommand() *cobra.Command {
	group := &cobra.Command{Use: "snapshot"}
	create, createRequest := a.newSnapshotCommand("create", new(true))
	create.Flags().StringVar(&createRequest.Tag, "tag", "", "a `name` for you to know it by")
	yes := false
	restore, restoreRequest := a.newSnapshotCommand("restore ID", &yes)
	restore.Flags().BoolVar(&restoreRequest.Preview, "preview", false, "show what would change, and change nothing")
	restore.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	list, _ := a.newSnapshotCommand("list", new(true))
	remove, _ := a.newSnapshotCommand("remove ID", new(true))
	group.AddCommand(create, list, restore, remove)
	return group
}

// newSnapshotCommand makes the command of an action. It asks first unless yes.
func (a *app) newSnapshotCommand(use string, yes *bool) (*cobra.Command, *memory.SnapshotRequest) {
	action, needsID := strings.CutSuffix(use, " ID")
	c, r := &cobra.Command{Use: use}, &memory.SnapshotRequest{Action: action}
	if needsID {
		c.Args, c.ValidArgsFunction = argumentCount(1, 1, "ID"), firstArgument(a.snapshotIDs)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		r.ID = strings.Join(args, "")
		return a.withSession(c.Context(), writesUnless(r.Preview || action == "list"), func(s *session) error {
			return a.runSnapshot(c.Context(), s, *r, *yes)
		})
	}
	return c, r
}

func (a *app) runSnapshot(ctx context.Context, s *session, r memory.SnapshotRequest, yes bool) error {
	r.Workspace = s.Workspace
	if !r.Preview && !yes {
		r.Preview = true
		answer, err := s.Snapshots(ctx, r)
		if err != nil {
			return err
		}
		if a.terminal && !a.json {
			display.Restored(a.err, answer, a.width)
		}
		agreed, err := a.confirmed(len(answer.Restored.Changed) == 0, "restore this snapshot?")
		if err != nil || !agreed {
			return err
		}
		r.Preview = false
	}
	answer, err := s.Snapshots(ctx, r)
	if err != nil {
		return err
	}
	if answer.Restored != nil {
		a.notes(answer.Restored.Notices)
		return printAnswer(a, answer, func(w io.Writer, answer memory.SnapshotAnswer) { display.Restored(w, answer, a.width) })
	}
	return printAnswer(a, answer, func(w io.Writer, answer memory.SnapshotAnswer) {
		display.Columns(w, 0, func(table io.Writer) { display.Snapshots(table, answer) })
	})
}

// snapshotIDs completes the id of a snapshot.
func (a *app) snapshotIDs(c *cobra.Command, typed string) (ids []string) {
	_ = a.withoutRefresh(c.Context(), readsIndex, func(s *session) error { // an error completes nothing
		answer, err := s.Snapshots(c.Context(), memory.SnapshotRequest{Action: "list", Workspace: s.Workspace})
		for _, each := range answer.Snapshots {
			if strings.HasPrefix(each.ID, typed) {
				ids = append(ids, each.ID+"\t"+strings.TrimSpace(each.Cause+" "+each.Tag))
			}
		}
		return err
	})
	return ids
}
