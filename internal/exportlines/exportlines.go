// Package exportlines writes the lines of an export, which [memory.ExportHeader] and its
// neighbours describe.
package exportlines

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"

	"github.com/memory-tiered/memory"
)

// Writer writes the lines of an export.
type Writer struct {
	out  *bufio.Writer
	sum  hash.Hash
	both io.Writer
	json *json.Encoder
	end  memory.ExportEnd
}

// New returns a writer of the lines of an export to out.
func New(out io.Writer) *Writer {
	w := &Writer{out: bufio.NewWriterSize(out, 1<<16), sum: sha256.New()}
	w.both = io.MultiWriter(w.out, w.sum)
	w.json = json.NewEncoder(w.both)
	w.json.SetEscapeHTML(false)
	return w
}

// Begin writes the first line.
func (w *Writer) Begin(h memory.ExportHeader) error {
	h.Format = memory.ExportFormat
	return w.json.Encode(h)
}

// Add writes the line of a memory, and gives it its number.
func (w *Writer) Add(row memory.ExportRow) error {
	w.end.Rows++
	row.N = w.end.Rows
	return w.json.Encode(row)
}

// End writes the last line.
func (w *Writer) End() (memory.ExportEnd, error) {
	w.end.End, w.end.SHA256 = true, hex.EncodeToString(w.sum.Sum(nil))
	if err := w.json.Encode(w.end); err != nil {
		return w.end, err
	}
	return w.end, w.out.Flush()
}
