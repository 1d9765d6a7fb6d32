package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/workspace"
)

// errFound is the exit code of an answer that is no failure of the command.
var errFound = errors.New("found")

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify ID|TEXT",
		Short: "look for a text on every route and in every file",
		Long: `verify asks every route for a memory's text, as an agent would, and looks for its
bytes in the workspace's Markdown, what .memoryignore names included, and in
every file of the state folder. It lists each with what it found, and exits with
1 where it found anything.

The text of a memory that is forgotten still stands in its Markdown file and in
the index: verify says so. On no route may it be found, unless somebody asks for
what is forgotten. Of a text that was destroyed nothing may be found anywhere.`,
		Example:           "  memory verify 3f8a91c2\n  memory verify \"The vault code is 4711\"",
		Args:              arguments(1, 1, "an id or a text"),
		ValidArgsFunction: a.completeID,
		RunE: func(c *cobra.Command, args []string) error {
			found, err := a.verify(c.Context(), args[0])
			if err != nil {
				return err
			}
			if err := a.answer(found, func(w io.Writer) error { return a.printVerified(w, found) }); err != nil || found.Found == 0 {
				return err
			}
			return errFound
		},
	}
}

// verify asks the routes first, and looks into the files when the session is
// over: while this process has a database open, opening its file as well would
// be the end of SQLite's locks on some systems.
func (a *app) verify(ctx context.Context, arg string) (memory.VerifyAnswer, error) {
	v := verifying{ctx: ctx}
	name := ""
	err := a.with(ctx, reads, func(s *session) (err error) {
		name, v.session = s.Workspace, s
		if v.text, err = textOf(ctx, s, arg); err == nil {
			err = v.routes()
		}
		return err
	})
	if err != nil {
		return v.found, err
	}
	look, done, err := a.look(ctx, name)
	if err != nil {
		return v.found, err
	}
	defer done()
	files, err := look.For(ctx, []string{v.text})
	v.found.Found += files.Found
	v.found.Checked = append(v.found.Checked, files.Checked...)
	return v.found, err
}

// look is where the files of a workspace are.
func (a *app) look(ctx context.Context, name string) (l engine.Look, done func(), err error) {
	cfg, stateDir, err := a.load()
	if err != nil {
		return l, nil, err
	}
	f, err := (&registry{file: cfg.File, environ: a.environ, stateDir: stateDir}).folder(cfg, name)
	if err != nil {
		return l, nil, err
	}
	bar := a.progress()
	l = engine.Look{StateDir: stateDir, Database: f.DBPath, Dir: f.Dir, Progress: bar.show}
	// A folder that is not there has no files to say anything of.
	if w, err := workspace.Open(f.Dir, f.Options); err == nil {
		if _, err := w.Scan(ctx); err == nil {
			l.Indexed = w.Indexable
		}
		return l, func() { bar.done(); _ = w.Close() }, nil
	}
	return l, bar.done, nil
}

// textOf is what an argument means: the text of a memory where it is an id, else
// itself.
func textOf(ctx context.Context, s *session, arg string) (string, error) {
	if _, err := memory.ParseIDPrefix(arg); err != nil {
		if folded(arg) == "" {
			return "", memory.Invalid("text", "there is no text to look for")
		}
		return arg, nil
	}
	m, err := s.Show(ctx, s.Workspace, arg)
	if errors.Is(err, memory.ErrNotFound) {
		gone, audit := s.Audit(ctx, memory.AuditRequest{Workspace: s.Workspace, ID: arg, Action: string(memory.ActionDestroy), Limit: 1})
		if audit == nil && gone.Total > 0 {
			return "", memory.NotFound(arg).WithHint("it was destroyed on %s, and nobody knows its text any more; give the text itself to look for it",
				local(gone.Audit[0].At))
		}
	}
	return m.Text, err
}

// folded is a text with its white space folded, as files may wrap it otherwise.
func folded(text string) string { return strings.Join(strings.Fields(text), " ") }

// verifying is one text on its way through the routes.
type verifying struct {
	ctx     context.Context
	session *session
	text    string
	private bool // a memory that says it is private
	found   memory.VerifyAnswer
}

func (v *verifying) says(other string) bool { return strings.Contains(folded(other), folded(v.text)) }

// among looks through memories. What is tagged as forgotten or missing is not
// given away: it was asked for.
func (v *verifying) among(memories []memory.Memory, asked bool) (in bool, note string) {
	for _, m := range memories {
		switch {
		case !v.says(m.Text):
		case asked && (m.Forgotten || m.Missing):
			note = "tagged as " + either(m.Forgotten, "forgotten", "missing") + ": shown to who asks for it"
		default:
			in, v.private = true, v.private || m.Private
		}
	}
	return in, note
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func (v *verifying) route(name string, in bool, note string) {
	v.found.Add(memory.CheckedPlace{Route: name, Found: in, Note: note})
}

// routes asks every route that gives texts.
func (v *verifying) routes() error {
	for _, ask := range []func() error{v.lists, v.searches, v.recall, v.others} {
		if err := ask(); err != nil {
			return err
		}
	}
	slices.SortStableFunc(v.found.Checked, func(a, b memory.CheckedPlace) int { return strings.Compare(a.Route, b.Route) })
	return nil
}

func (v *verifying) recall() error {
	no := false
	answer, err := v.session.Recall(v.ctx, memory.RecallRequest{Prompt: v.question(), Workspace: v.session.Workspace, Record: &no})
	in, _ := v.among(memoriesOf(answer.Hits), false)
	note := ""
	if v.private {
		note = "private: never injected, and never sent to another machine"
	}
	v.route("recall", in || v.says(answer.Context), note)
	return err
}

// question is the text as far as it makes a question: more would only make that
// slower.
func (v *verifying) question() string { return firstRunes(v.text, 2000) }

func (v *verifying) searches() error {
	ask := func(name string, lane memory.Lane, forgotten bool) error {
		answer, err := v.session.Search(v.ctx, memory.SearchRequest{Query: v.question(), Workspace: v.session.Workspace, Lane: lane,
			Filter: memory.Filter{Deep: true, Forgotten: forgotten}})
		in, note := v.among(memoriesOf(answer.Hits), forgotten)
		v.route(name, in, note)
		return err
	}
	err := ask("search --forgotten", "", true)
	for _, lane := range memory.Lanes {
		if err == nil {
			err = ask("search --lane "+string(lane), lane, false)
		}
	}
	return err
}

func memoriesOf(hits []memory.Hit) (memories []memory.Memory) {
	for _, h := range hits {
		memories = append(memories, h.Memory)
	}
	return memories
}

// lists goes through whole lists, page by page.
func (v *verifying) lists() error {
	for _, l := range []struct {
		name string
		memory.ListRequest
	}{
		{"list", memory.ListRequest{}},
		{"list --tier archive", memory.ListRequest{Filter: memory.Filter{Tier: memory.TierArchive}}},
		{"list --forgotten", memory.ListRequest{Filter: memory.Filter{Forgotten: true}}},
		{"list --missing", memory.ListRequest{Missing: true}},
	} {
		in, note := false, ""
		err := v.pages(l.ListRequest, func(page []memory.Memory) {
			found, why := v.among(page, l.Forgotten || l.Missing)
			in, note = in || found, note+why
		})
		if err != nil {
			return err
		}
		v.route(l.name, in, note)
	}
	return nil
}

func (v *verifying) pages(r memory.ListRequest, page func([]memory.Memory)) error {
	r.Workspace = v.session.Workspace
	for {
		answer, err := v.session.List(v.ctx, r)
		if err != nil {
			return err
		}
		page(answer.Memories)
		if r.Offset += len(answer.Memories); len(answer.Memories) == 0 || r.Offset >= answer.Total {
			return nil
		}
	}
}

// others are the routes that give texts by the way.
func (v *verifying) others() error {
	s := v.session
	audit, err := s.Audit(v.ctx, memory.AuditRequest{Workspace: s.Workspace})
	if err != nil {
		return err
	}
	rows, err := json.Marshal(audit)
	if err != nil {
		return err
	}
	v.route("audit", v.says(string(rows)), "")
	if err := v.receipts(); err != nil {
		return err
	}
	var paths []string
	for _, r := range []memory.ListRequest{{}, {Filter: memory.Filter{Forgotten: true}}} {
		if err := v.pages(r, func(page []memory.Memory) {
			for _, m := range page {
				paths = append(paths, m.Path)
			}
		}); err != nil {
			return err
		}
	}
	slices.Sort(paths)
	files, err := s.Files(v.ctx, memory.FilesRequest{Workspace: s.Workspace, Paths: slices.Compact(paths)})
	if err != nil {
		return err
	}
	v.route("files", slices.ContainsFunc(files.Files, func(f memory.ServedFile) bool { return v.says(f.Content) }), "")
	current, err := s.Context(v.ctx, s.Workspace)
	v.route("context", current.Context != nil && v.says(current.Context.Text), "")
	return err
}

// receipts are what was given before.
func (v *verifying) receipts() error {
	kept, err := v.session.Receipts(v.ctx, memory.ReceiptsRequest{Workspace: v.session.Workspace})
	if err != nil {
		return err
	}
	in := false
	for _, r := range kept.Receipts {
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		in = in || v.says(string(text))
	}
	v.route("receipts", in, "")
	last, err := v.session.Last(v.ctx, memory.LastRequest{Workspace: v.session.Workspace})
	if errors.Is(err, memory.ErrNotFound) {
		err = nil // nothing was recalled yet
	}
	told := slices.Concat([]memory.ReceiptMemory(last.Injected), last.NearMisses)
	v.route("last", slices.ContainsFunc(told, func(t memory.ReceiptMemory) bool { return t.Memory != nil && v.says(t.Memory.Text) }), "")
	return err
}

func firstRunes(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n])
	}
	return text
}

func (a *app) printVerified(w io.Writer, found memory.VerifyAnswer) error {
	for _, c := range found.Checked {
		mark := a.paint("no   ", color.FgGreen)
		switch {
		case c.Found:
			mark = a.paint("FOUND", color.FgRed)
		case c.Note != "" && c.File != "":
			mark = "?    "
		}
		what := c.File
		if c.Route != "" {
			what = c.Route
		}
		if _, err := fmt.Fprintf(w, "%s  %s  %s\n", mark, what, c.Note); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "found in %d of %d places; git's history and other copies were not looked at\n", found.Found, len(found.Checked))
	return err
}
