package migrate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// Database is a SQLite database of another program.
type Database interface {
	// Columns lists the columns of a table; none if it does not exist.
	Columns(ctx context.Context, table string) ([]string, error)
	// Rows passes these columns of every row of a table to row.
	Rows(ctx context.Context, table string, columns []string, row func(values []any) error) error
	Close() error
}

// tableReader reads one kind of database.
type tableReader struct {
	db       Database
	rows     rowReader
	progress func(rows int)
	content  Content
}

// layout is a form that the database of a system may have.
type layout struct {
	table string
	needs []string // columns by which the form is recognised
	read  func(ctx context.Context, r *tableReader, table string) error
}

// ReadDatabase reads the database of a system. name is the file's, for errors. Each row
// is reported as progress.
func ReadDatabase(ctx context.Context, system, name string, db Database, now time.Time, progress func(rows int)) (Content, error) {
	var seen []string
	for _, l := range systems[system].layouts {
		columns, err := db.Columns(ctx, l.table)
		if err != nil {
			return Content{}, memory.Invalid("path", "%s is no SQLite database that can be read: %s", name, err).
				WithHint("name the database file of %s, or export the memories and use --ndjson FILE", system)
		}
		seen = append(seen, l.table)
		if !containsAll(columns, l.needs) {
			continue
		}
		r := &tableReader{db: db, rows: rowReader{now: now}, progress: progress}
		switch err := l.read(ctx, r, l.table); {
		case errors.Is(err, memory.ErrInvalid):
			return Content{}, memory.Invalid("path", "%s cannot be read: %s", name, err).
				WithHint("mend it with the program of %s, or export the memories and use --ndjson FILE", system)
		case err != nil:
			return Content{}, memory.Unavailable(err, "read %s", name)
		}
		r.content.noteDates(r.rows)
		return r.content, nil
	}
	return Content{}, memory.Invalid("path", "%s is no database of a known form of %s: it lacks a known table (%s)", name, system, strings.Join(seen, ", ")).
		WithHint("export the memories, one JSON object a line, and use --ndjson FILE; memory migrate --help shows the fields")
}

func containsAll(list, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(list, w) })
}

// each passes the rows of a table by the names of their columns. It leaves out columns
// that the table does not have.
func (r *tableReader) each(ctx context.Context, table string, columns []string, row func(map[string]any) error) error {
	has, err := r.db.Columns(ctx, table)
	if err != nil {
		return err
	}
	columns = slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return !slices.Contains(has, c) })
	n := 0
	return r.db.Rows(ctx, table, columns, func(values []any) error {
		n++
		r.progress(n)
		fields := make(map[string]any, len(columns))
		for i, c := range columns {
			fields[c] = values[i]
		}
		return row(fields)
	})
}

// readObservations reads what openclaw-mem observed. What a tool or an assistant said
// is not the user's own words.
func readObservations(ctx context.Context, r *tableReader, table string) error {
	return r.each(ctx, table, []string{"id", "ts", "kind", "summary", "tool_name", "detail_json"}, func(row map[string]any) error {
		detail := map[string]any{}
		_ = json.Unmarshal([]byte(firstText(row, "detail_json")), &detail) // a detail that cannot be read has no fields
		row["text"], row["importance"], row["scope"] = row["summary"], detail["importance"], detail["scope"]
		e := r.rows.read(row, "")
		e.Ref = "observation " + firstText(row, "id")
		if !isOfUser(firstText(row, "kind"), firstText(row, "tool_name"), firstText(detail, "role")) {
			e.Declared.Trust = memory.TrustUntrusted
		}
		r.content.Entries = append(r.content.Entries, e)
		return nil
	})
}

// isOfUser reports whether an observation may be of the user's own words.
func isOfUser(kind, tool, role string) bool {
	switch {
	case tool != "", kind == "tool", kind == "assistant", strings.HasPrefix(kind, "tool."):
		return false
	case strings.HasPrefix(kind, "conversation.") && kind != "conversation.user":
		return false
	}
	return role == "" || strings.EqualFold(role, "user")
}

// readCells reads the cells of the oc-memory that is written in Python.
func readCells(ctx context.Context, r *tableReader, table string) error {
	columns := []string{"id", "scene", "cell_type", "salience", "content", "tags", "owner_id", "visibility", "created_at"}
	return r.each(ctx, table, columns, func(row map[string]any) error {
		if firstText(row, "visibility") != "shared" {
			row["user_id"] = row["owner_id"]
		}
		e := r.rows.read(row, "")
		e.Ref = "cell " + firstText(row, "id")
		r.content.Entries = append(r.content.Entries, e)
		return nil
	})
}

// readTitled reads the memories of the oc-memory that is written in Rust. Their title
// becomes the label of the text.
func readTitled(ctx context.Context, r *tableReader, table string) error {
	columns := []string{"id", "content", "title", "memory_type", "priority", "tags", "created_at"}
	return r.each(ctx, table, columns, func(row map[string]any) error {
		e := r.rows.read(row, "")
		if title := strings.TrimSpace(firstText(row, "title")); title != "" && !strings.HasPrefix(e.Text, title) {
			e.Text = title + ": " + e.Text
		}
		r.content.Entries = append(r.content.Entries, e)
		return nil
	})
}

// readCollections reads the documents of ClawMem, which are Markdown files.
func readCollections(ctx context.Context, r *tableReader, table string) error {
	bodies := map[string]string{}
	err := r.each(ctx, "content", []string{"hash", "doc"}, func(row map[string]any) error {
		bodies[firstText(row, "hash")] = firstText(row, "doc")
		return nil
	})
	if err != nil {
		return err
	}
	inactive := 0
	err = r.each(ctx, table, []string{"collection", "path", "hash", "active", "created_at"}, func(row map[string]any) error {
		if active, _ := row["active"].(int64); active == 0 {
			inactive++
			return nil
		}
		name := path.Join(firstText(row, "collection"), firstText(row, "path"))
		r.content.Documents = append(r.content.Documents, Document{Path: name, Text: []byte(bodies[firstText(row, "hash")]), Time: r.rows.timeOf(row, "created_at")})
		return nil
	})
	if inactive > 0 {
		r.content.Notes = append(r.content.Notes, fmt.Sprintf("%d documents that ClawMem marks as inactive are left out", inactive))
	}
	return err
}
