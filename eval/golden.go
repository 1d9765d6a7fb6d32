package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
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

	Workspace string // empty: the workspace of the run
	FileLine  int    // the line of the golden file, from 1
}

// Line is a relevant line: memories that contain it answer the query.
type Line struct {
	Path string `json:"path"` // slash-separated, relative to the workspace
	Line int    `json:"line"` // from 1, front matter counted
}

// String returns the line as people write it: "memory/topics/house.md:19".
func (l Line) String() string { return fmt.Sprintf("%s:%d", l.Path, l.Line) }

// CoveredBy reports whether h finds l: it is one of the lines of h's memory.
func (l Line) CoveredBy(h memory.Hit) bool { return l.isIn(h.Memory) }

func (l Line) isIn(m memory.Memory) bool {
	return m.Path == l.Path && m.LineStart <= l.Line && l.Line <= m.LineEnd
}

// maxLineBytes is the size limit of a line in a golden file. It is far more than a
// query needs, and little enough for memory if the file is something else.
const maxLineBytes = 1 << 20

// ReadGolden reads one JSON object per line:
//
//	{"id", "query", "category", "as_of", "scope", "workspace", "relevant": [{"path", "line"}]}
//
// query and relevant are required; an empty list means that no memory answers the
// query. "allowed" lists lines like relevant: they may be injected. Other fields and blank
// lines are ignored. A time without a time zone is in zone; a date means the end of that
// day. Errors are [memory.ErrInvalid] and name the line.
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

		Workspace string `json:"workspace"`
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return Golden{}, plainError(err)
	}
	asOf, err := parseTime(in.AsOf, zone)
	if in.Relevant == nil {
		return Golden{}, errors.New("the field relevant is missing")
	}
	g := Golden{ID: in.ID, Query: in.Query, Category: in.Category, Scope: in.Scope, AsOf: asOf, Relevant: *in.Relevant,
		Allowed: in.Allowed, Workspace: in.Workspace, FileLine: n}
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
	if err := checkLines("allowed", g.Allowed); err != nil {
		return err
	}
	if err := checkLines("relevant", g.Relevant); err != nil {
		return err
	}
	g.Relevant = unique(g.Relevant)
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

// WithoutMemory lists the relevant and allowed lines of golden queries that belong to no
// memory of their workspace, so that nothing can find them.
func WithoutMemory(golden []Golden, memories []memory.Memory) (lost []string) {
	for _, g := range golden {
		for _, l := range slices.Concat(g.Relevant, g.Allowed) {
			if _, ok := MemoryAt(memories, l); !ok {
				lost = append(lost, fmt.Sprintf("line %d: %s is no memory", g.FileLine, l))
			}
		}
	}
	return lost
}

// MemoryAt returns the memory that contains a line.
func MemoryAt(memories []memory.Memory, l Line) (memory.Memory, bool) {
	at := slices.IndexFunc(memories, func(m memory.Memory) bool { return !m.Missing && l.isIn(m) })
	if at < 0 {
		return memory.Memory{}, false
	}
	return memories[at], true
}
