package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/memory-tiered/memory"
)

// verified is where a text was looked for, and where it was found.
type verified struct {
	Found   int                     `json:"found"`
	Checked memory.List[oneChecked] `json:"checked"`
}

type oneChecked struct {
	Route string `json:"route,omitempty"`
	File  string `json:"file,omitempty"`
	Found bool   `json:"found"`
	Note  string `json:"note,omitempty"` // why it could not be looked at
}

// errFound is the exit code of an answer that is no failure of the command.
var errFound = errors.New("found")

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify ID|TEXT",
		Short: "look for a text on every route and in every file",
		Long: `verify asks every route for a memory's text, as an agent would, and looks for its
bytes in the workspace's Markdown and in every file of the state folder. It lists
each with what it found, and exits with 1 where it found anything.

The text of a memory that is forgotten still stands in its Markdown file and in
the index: verify says so. On no route may it be found.`,
		Example:           "  memory verify 3f8a91c2\n  memory verify \"The vault code is 4711\"",
		Args:              arguments(1, 1, "an id or a text"),
		ValidArgsFunction: a.completeID,
		RunE: func(c *cobra.Command, args []string) error {
			var found verified
			var text, dir string
			err := a.with(c.Context(), reads, func(s *session) (err error) {
				dir = s.Dir
				if text, err = textOf(c.Context(), s, args[0]); err == nil {
					found, err = askRoutes(c.Context(), s, text)
				}
				return err
			})
			if err == nil {
				err = a.scanFiles(c.Context(), &found, dir, text)
			}
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

// textOf is what an argument means: the text of a memory where it is an id, else
// itself.
func textOf(ctx context.Context, s *session, arg string) (string, error) {
	if _, err := memory.ParseIDPrefix(arg); err != nil {
		if folded(arg) == "" {
			return "", memory.Invalid("text", "there is no text to look for")
		}
		return arg, nil
	}
	m, err := s.Memory(ctx, s.Workspace, arg)
	return m.Text, err
}

// folded is a text with its white space folded, as files may wrap it otherwise.
func folded(text string) string { return strings.Join(strings.Fields(text), " ") }

func askRoutes(ctx context.Context, s *session, text string) (found verified, err error) {
	says := func(other string) bool { return strings.Contains(folded(other), folded(text)) }
	check := func(route string, in bool, failed error) {
		err = errors.Join(err, failed)
		found.add(oneChecked{Route: route, Found: in})
	}
	question := firstRunes(text, 2000) // more would only make the question slower
	no := false
	recalled, failed := s.Recall(ctx, memory.RecallRequest{Prompt: question, Workspace: s.Workspace, Record: &no})
	check("recall", says(recalled.Context) || hitSays(recalled.Hits, says), failed)
	for _, lane := range memory.Lanes {
		answer, failed := s.Search(ctx, memory.SearchRequest{Query: question, Workspace: s.Workspace, Lane: lane, Filter: memory.Filter{Deep: true}})
		check("search --lane "+string(lane), hitSays(answer.Hits, says), failed)
	}
	for name, r := range map[string]memory.ListRequest{"list": {}, "list --tier archive": {Filter: memory.Filter{Tier: memory.TierArchive}}} {
		r.Workspace = s.Workspace
		answer, failed := s.Memories(ctx, r)
		in := slices.ContainsFunc(answer.Memories, func(m memory.Memory) bool { return says(m.Text) })
		check(name, in, failed)
	}
	paths, failed := filesOf(ctx, s)
	check("audit", auditSays(ctx, s, says), failed)
	files, failed := s.Files(ctx, memory.FilesRequest{Workspace: s.Workspace, Paths: paths})
	check("files", slices.ContainsFunc(files.Files, func(f memory.ServedFile) bool { return says(f.Content) }), failed)
	current, failed := s.Context(ctx, s.Workspace)
	check("context", current.Context != nil && says(current.Context.Text), failed)
	slices.SortStableFunc(found.Checked, func(a, b oneChecked) int { return strings.Compare(a.Route, b.Route) })
	return found, err
}

func (v *verified) add(c oneChecked) {
	v.Checked = append(v.Checked, c)
	if c.Found {
		v.Found++
	}
}

func hitSays(hits []memory.Hit, says func(string) bool) bool {
	return slices.ContainsFunc(hits, func(h memory.Hit) bool { return says(h.Text) })
}

func auditSays(ctx context.Context, s *session, says func(string) bool) bool {
	answer, err := s.Audit(ctx, memory.AuditRequest{Workspace: s.Workspace})
	text, encoded := json.Marshal(answer)
	return err == nil && encoded == nil && says(string(text))
}

// filesOf are the files that hold memories.
func filesOf(ctx context.Context, s *session) (paths []string, err error) {
	for _, r := range []memory.ListRequest{{}, {Filter: memory.Filter{Forgotten: true}}} {
		r.Workspace = s.Workspace
		answer, err := s.Memories(ctx, r)
		if err != nil {
			return nil, err
		}
		for _, m := range answer.Memories {
			paths = append(paths, m.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

func firstRunes(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n])
	}
	return text
}

// scanFiles looks for a text in the Markdown below the workspace and in every
// file of the state folder.
func (a *app) scanFiles(ctx context.Context, found *verified, dir, text string) error {
	stateDir, err := a.stateDir()
	if err != nil {
		return err
	}
	for _, root := range []string{dir, stateDir} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				return found.unreadable(path, err)
			case d.IsDir() && root == dir && path != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
				return fs.SkipDir
			case !d.Type().IsRegular(), root == dir && filepath.Ext(path) != ".md" && filepath.Ext(path) != ".yaml":
				return nil
			}
			in, err := fileSays(path, text)
			c := oneChecked{File: path, Found: in}
			if err != nil {
				c.Note = err.Error()
			}
			found.add(c)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// scanBlock is how much of a file is looked at in one piece.
const scanBlock = 4 << 20

// fileSays looks for a text as it is, as JSON writes it, and with white space
// folded. Pieces overlap by more than the text is long.
func fileSays(path, text string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // it was only read
	quoted, err := json.Marshal(text)
	if err != nil {
		return false, err
	}
	asJSON := strings.Trim(string(quoted), `"`)
	overlap := 2*len(text) + len(asJSON)
	r := bufio.NewReaderSize(f, scanBlock)
	piece := make([]byte, 0, scanBlock+overlap)
	for {
		n, err := io.ReadFull(r, piece[len(piece):len(piece)+scanBlock])
		piece = piece[:len(piece)+n]
		s := string(piece)
		if strings.Contains(s, text) || strings.Contains(s, asJSON) || strings.Contains(folded(s), folded(text)) {
			return true, nil
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		keep := min(overlap, len(piece))
		piece = append(piece[:0], piece[len(piece)-keep:]...)
	}
}

func (a *app) printVerified(w io.Writer, found verified) error {
	for _, c := range found.Checked {
		mark := a.paint("no   ", color.FgGreen)
		if c.Found {
			mark = a.paint("FOUND", color.FgRed)
		}
		if c.Note != "" {
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

// unreadable notes what could not be looked at; the others are looked at all the
// same.
func (v *verified) unreadable(path string, err error) error {
	v.add(oneChecked{File: path, Note: err.Error()})
	return nil
}
