package query

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/index/sqldb"
)

// textBreak is between two texts of a row: it is no white space, and no text has it.
const textBreak = "||'\x01'||"

// EachText passes the texts of each row of each table to see. It passes also a text that is
// divided between two pages of the file, which [Searcher.RawFiles] does not show as one.
func (s *Searcher) EachText(ctx context.Context, see func(table, texts string)) error {
	catalog, err := s.db.Catalog(ctx)
	texts := map[string][]string{}
	for _, c := range catalog {
		if c.IsText {
			texts[c.Table] = append(texts[c.Table], "coalesce("+c.Name+", '')")
		}
	}
	for _, table := range slices.Sorted(maps.Keys(texts)) {
		if err != nil {
			break
		}
		see(table, "") // one without rows was looked at too
		err = s.db.Read().Each(ctx, "SELECT "+strings.Join(texts[table], textBreak)+" FROM "+table, nil, func(scan func(...any) error) error {
			var all string
			err := scan(&all)
			see(table, all)
			return err
		})
	}
	return sqldb.Wrap("read the texts of all tables", err)
}

// RawFiles passes the bytes on disk of each database file to read: the database,
// its write-ahead log and the log's index. No other code in this process may open
// these files. Of a server, it passes the texts of all tables in place of the files.
func (s *Searcher) RawFiles(read func(path string, r io.Reader) error) error {
	if !s.db.OnServer() {
		return s.db.RawFiles(read)
	}
	rows := &rowReader{}
	next, stop := iter.Pull(func(yield func(string) bool) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		rows.err = s.EachText(ctx, func(_, texts string) {
			if ctx.Err() == nil && !yield(texts+"\x01") {
				cancel()
			}
		})
	})
	defer stop()
	rows.next = next
	return read("tables of "+s.db.Path(), rows)
}

// rowReader reads the texts of rows, one after another.
type rowReader struct {
	bytes.Buffer
	next func() (string, bool)
	err  error // after the last row
}

// Read reads texts.
func (r *rowReader) Read(p []byte) (int, error) {
	for r.Len() == 0 {
		texts, more := r.next()
		if !more {
			return 0, cmp.Or(r.err, io.EOF)
		}
		r.WriteString(texts)
	}
	return r.Buffer.Read(p)
}
