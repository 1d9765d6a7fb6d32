package migrate

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// indexedFile is a file that memory-core has in its index, as overlapping chunks.
type indexedFile struct {
	lines  map[int64]string // by line number, from 1
	last   int64
	broken bool // a chunk has other lines than it says
}

// readChunks builds the files again from the index of memory-core. The index has every
// line, so a file that was deleted from the disk can be restored.
func readChunks(ctx context.Context, r *tableReader, table string) error {
	files, order, sessions := map[string]*indexedFile{}, []string(nil), 0
	err := r.each(ctx, table, []string{"path", "source", "start_line", "end_line", "text"}, func(row map[string]any) error {
		if source := firstText(row, "source"); source != "" && source != "memory" {
			sessions++
			return nil
		}
		name := firstText(row, "path")
		if files[name] == nil {
			files[name] = &indexedFile{lines: map[int64]string{}}
			order = append(order, name)
		}
		start, _ := row["start_line"].(int64)
		end, _ := row["end_line"].(int64)
		files[name].add(start, end, firstText(row, "text"))
		return nil
	})
	if err != nil {
		return err
	}
	times, err := r.fileTimes(ctx, table)
	if err != nil {
		return err
	}
	for _, name := range order {
		f := files[name]
		if f.broken {
			r.content.Notes = append(r.content.Notes, name+" has lines that memory-core indexed in parts; compare the copy with the file")
		}
		r.content.Documents = append(r.content.Documents, Document{Path: name, Text: f.text(), Time: times[name]})
	}
	if sessions > 0 {
		r.content.Notes = append(r.content.Notes, fmt.Sprintf("%d parts of session transcripts are left out", sessions))
	}
	return nil
}

// fileTimes returns when each file of the index was written.
func (r *tableReader) fileTimes(ctx context.Context, table string) (map[string]time.Time, error) {
	sources := map[string]string{"chunks": "files", "memory_index_chunks": "memory_index_sources"}[table]
	times := map[string]time.Time{}
	columns, err := r.db.Columns(ctx, sources)
	if err != nil || !containsAll(columns, []string{"path", "mtime"}) {
		return times, err
	}
	return times, r.each(ctx, sources, []string{"path", "mtime"}, func(row map[string]any) error {
		times[firstText(row, "path")] = r.rows.timeOf(row, "mtime")
		return nil
	})
}

// add adds the lines of a chunk. Chunks overlap.
func (f *indexedFile) add(start, end int64, text string) {
	lines := strings.Split(text, "\n")
	if int64(len(lines)) != end-start+1 {
		f.broken = true
	}
	f.last = max(f.last, end)
	for i, line := range lines {
		n := min(start+int64(i), end)
		switch had, known := f.lines[n]; {
		case !known:
			f.lines[n] = line
		case !strings.Contains(had, line): // a long line was indexed in parts
			f.lines[n] = had + line
		}
	}
}

// text returns the file. Behind its last line feed, memory-core counts an empty line.
func (f *indexedFile) text() []byte {
	var out strings.Builder
	for n := int64(1); n <= f.last; n++ {
		if n > 1 {
			out.WriteByte('\n')
		}
		out.WriteString(f.lines[n])
	}
	return []byte(out.String())
}
