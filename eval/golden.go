package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Golden is a query whose relevant lines are known.
type Golden struct {
	ID       string
	Query    string
	Category string       // empty: none
	Scope    memory.Scope // empty: any
	AsOf     time.Time    // the time at which the query runs; zero: now
	Relevant []Line       // empty: no memory answers the query
	Allowed  []Line       // may be injected, and count neither for nor against
	Sessions []Session    // what has to be found instead of Relevant, if any

	Workspace string // empty: the workspace of the run
	FileLine  int    // the line of the golden file, from 1

	text string // of the memory that the query was proposed for; empty: unknown
	from Line   // where that memory was then; zero: unknown
}

// Line is a relevant line: memories that contain it answer the query.
type Line struct {
	Path string `json:"path"` // slash-separated, relative to the workspace
	Line int    `json:"line"` // from 1, front matter counted
}

// Session is a part of a file that has to be found: a hit in any of its lines finds it.
type Session struct {
	Path string `json:"path"`
	From int    `json:"from"` // first line, from 1
	To   int    `json:"to"`   // last line
}

// CoveredBy reports whether h is in the session, or overlaps it.
func (s Session) CoveredBy(h memory.Hit) bool {
	return h.Path == s.Path && h.LineStart <= s.To && s.From <= h.LineEnd
}

// targets returns what has to be found, without repeats: the sessions of a query that
// has some, else its relevant lines.
func (g Golden) targets() []Session {
	if len(g.Sessions) == 0 {
		return asSessions(g.Relevant)
	}
	return unique(g.Sessions)
}

func asSessions(lines []Line) []Session {
	sessions := make([]Session, len(lines))
	for i, l := range lines {
		sessions[i] = Session{l.Path, l.Line, l.Line}
	}
	return unique(sessions)
}

// maxLineBytes is the size limit of a line in a golden file. It is far more than a
// query needs, and little enough for memory if the file is something else.
const maxLineBytes = 1 << 20

// ReadGolden reads one JSON object per line:
//
//	{"id", "query", "category", "as_of", "scope", "workspace", "relevant": [{"path", "line"}]}
//
// query and relevant are required; an empty list means that no memory answers the
// query. "allowed" lists lines like relevant: they may be injected. "sessions" lists
// {"path", "from", "to"}: the parts of files that count instead of relevant. "text" and
// "from" are for [Locate]. Other fields and blank lines are ignored. A time without a time zone is
// in zone; a date means the end of that day. Errors are [memory.ErrInvalid] and name the
// line.
func ReadGolden(r io.Reader, zone *time.Location) ([]Golden, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLineBytes)
	var golden []Golden
	n := 0
	for lines.Scan() {
		n++
		line := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		g, err := parseGolden(line, n, zone)
		if err != nil {
			return nil, lineError(n, err)
		}
		golden = append(golden, g)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, lineError(n+1, fmt.Errorf("longer than %d bytes", maxLineBytes))
	case err != nil:
		return nil, fmt.Errorf("read golden queries: %w", err)
	}
	return golden, checkGolden(golden)
}

func lineError(line int, err error) error {
	e := memory.Invalid("golden", "line %d", line)
	e.Cause = err
	return e.WithHint(`a golden query is one line, for example {"query": "…", "relevant": [{"path": "MEMORY.md", "line": 12}]}`)
}

func parseGolden(line []byte, n int, zone *time.Location) (Golden, error) {
	var in struct {
		ID       string       `json:"id"`
		Query    string       `json:"query"`
		Category string       `json:"category"`
		Scope    memory.Scope `json:"scope"`
		AsOf     string       `json:"as_of"`
		Relevant *[]Line      `json:"relevant"`
		Allowed  []Line       `json:"allowed"`
		Sessions []Session    `json:"sessions"`

		Workspace string `json:"workspace"`
		Text      string `json:"text"`
		From      Line   `json:"from"`
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return Golden{}, plainError(err)
	}
	asOf, err := parseTime(in.AsOf, zone)
	if in.Relevant == nil {
		return Golden{}, errors.New("the field relevant is missing")
	}
	g := Golden{ID: in.ID, Query: in.Query, Category: in.Category, Scope: in.Scope, AsOf: asOf, Relevant: *in.Relevant,
		Allowed: in.Allowed, Sessions: in.Sessions, Workspace: in.Workspace,
		FileLine: n, text: in.Text, from: in.From}
	if g.ID == "" {
		g.ID = fmt.Sprintf("line %d", n)
	}
	if err == nil {
		err = g.check()
	}
	return g, err
}

// plainError describes a value of the wrong type without the names of Go.
func plainError(err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &wrong):
		return err
	case wrong.Field == "":
		return fmt.Errorf("it is a JSON %s, not an object", wrong.Value)
	}
	return fmt.Errorf("%s cannot be a JSON %s", wrong.Field, wrong.Value)
}

func (g *Golden) check() error {
	if strings.TrimSpace(g.Query) == "" {
		return errors.New("no query")
	}
	if err := errors.Join(checkLines("relevant", g.Relevant), checkLines("allowed", g.Allowed)); err != nil {
		return err
	}
	for i, s := range g.Sessions {
		if s.Path == "" || s.From < 1 || s.To < s.From {
			return fmt.Errorf("sessions[%d] is not valid: lines %d to %d of %q", i, s.From, s.To, s.Path)
		}
		g.Sessions[i].Path = path.Clean(s.Path)
	}
	if len(g.Sessions) > 0 && len(g.Relevant) == 0 {
		return errors.New("sessions without relevant: name a line of each session")
	}
	return nil
}

// checkLines checks the lines of a field, and cleans their paths.
func checkLines(field string, lines []Line) error {
	for i, l := range lines {
		if l.Path == "" || l.Line < 1 {
			return fmt.Errorf("%s[%d] is not valid: line %d of %q", field, i, l.Line, l.Path)
		}
		lines[i].Path = path.Clean(l.Path)
	}
	return nil
}

func parseTime(s string, zone *time.Location) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if zone == nil {
		zone = time.UTC
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"} {
		if at, err := time.ParseInLocation(layout, s, zone); err == nil {
			return at, nil
		}
	}
	day, err := time.ParseInLocation(time.DateOnly, s, zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("as_of %q is not a time", s)
	}
	return day.AddDate(0, 0, 1).Add(-time.Millisecond), nil
}
