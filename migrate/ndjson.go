package migrate

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/memory-tiered/memory"
)

// schemaRow is the id of a row that memory-lancedb writes to give its table columns.
const schemaRow = "__schema__"

// ReadLines reads entries from lines of JSON objects. name is the file's, for errors.
// It reports each line as progress.
func ReadLines(name string, in io.Reader, now time.Time, progress func(lines int)) (Content, error) {
	var c Content
	rows, lines := rowReader{now: now}, bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var row map[string]any
			if err := json.Unmarshal(line, &row); err != nil || row == nil {
				return c, memory.Invalid("ndjson", "%s:%d is no JSON object: %s", name, n, cmp.Or(err, errors.New("it is null"))).
					WithHint(`each line is one JSON object: {"id": "…", "text": "…", "category": "fact", "importance": 0.7, "createdAt": 1767225600000}`)
			}
			if e := rows.read(row, fmt.Sprintf("line %d", n)); e.Ref != schemaRow {
				c.Entries = append(c.Entries, e)
			}
		}
		progress(n)
		if errors.Is(err, io.EOF) {
			c.noteDates(rows)
			return c, nil
		}
		if err != nil {
			return c, memory.Unavailable(err, "read %s", name)
		}
	}
}

// noteDates notes how many dates were not believed.
func (c *Content) noteDates(r rowReader) {
	if r.noDate > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d dates before 1990 or in the future are left out", r.noDate))
	}
}
