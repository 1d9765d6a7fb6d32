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

// Golden is a query of which it is known what answers it.
type Golden struct {
	ID       string
	Query    string
	Category string       // what kind of query it is; empty: it counts in no category
	Scope    memory.Scope // the scope that it is asked in; empty: any
	AsOf     time.Time    // the moment at which it is asked; zero: now
	Relevant []Line       // none: nothing answers it

	Workspace string // that it is asked in; empty: the one that the run is for
}

// Line is a place that answers a query: a memory that stands on it is right.
type Line struct {
	Path string `json:"path"` // slash-separated, relative to the workspace
	Line int    `json:"line"` // from 1, front matter counted
}

// maxLine bounds a line of a golden file: far more than any query has, less than
// what a file of something else may ask to hold.
const maxLine = 1 << 20

// ReadGolden reads a JSON object a line:
//
//	{"id", "query", "category", "as_of", "scope", "workspace", "relevant": [{"path", "line"}]}
//
// Of these, query and relevant must be there; an empty list says that nothing
// answers. Other fields and blank lines are
// passed over. A time without a zone is in zone; a date means the end of its
// day. What is wrong is [memory.ErrInvalid], with the line.
func ReadGolden(r io.Reader, zone *time.Location) ([]Golden, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
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
			return nil, wrong(n, err)
		}
		golden = append(golden, g)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, wrong(n+1, fmt.Errorf("longer than %d bytes", maxLine))
	case err != nil:
		return nil, fmt.Errorf("read golden queries: %w", err)
	}
	return golden, check(golden)
}

func wrong(line int, err error) error {
	e := memory.Invalid("golden", "line %d", line)
	e.Cause = err
	return e.WithHint(`a golden query is one line: {"query": "…", "relevant": [{"path": "MEMORY.md", "line": 12}]}`)
}

func parseGolden(line []byte, n int, zone *time.Location) (Golden, error) {
	var in struct {
		ID       string       `json:"id"`
		Query    string       `json:"query"`
		Category string       `json:"category"`
		Scope    memory.Scope `json:"scope"`
		AsOf     string       `json:"as_of"`
		Relevant *[]Line      `json:"relevant"`

		Workspace string `json:"workspace"`
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return Golden{}, err
	}
	asOf, err := moment(in.AsOf, zone)
	if in.Relevant == nil {
		return Golden{}, errors.New("no relevant line, and no empty list")
	}
	g := Golden{ID: in.ID, Query: in.Query, Category: in.Category, Scope: in.Scope, AsOf: asOf, Relevant: *in.Relevant, Workspace: in.Workspace}
	if g.ID == "" {
		g.ID = fmt.Sprintf("line %d", n)
	}
	if err == nil {
		err = g.check()
	}
	return g, err
}

func (g *Golden) check() error {
	if strings.TrimSpace(g.Query) == "" {
		return errors.New("no query")
	}
	for i, r := range g.Relevant {
		if r.Path == "" || r.Line < 1 {
			return fmt.Errorf("relevant[%d] is line %d of %q", i, r.Line, r.Path)
		}
		g.Relevant[i].Path = path.Clean(r.Path)
	}
	return nil
}

func moment(s string, zone *time.Location) (time.Time, error) {
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
