package memory

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
)

// ExportWriter writes the lines of an export.
type ExportWriter struct {
	out  *bufio.Writer
	sum  hash.Hash
	json *json.Encoder
	end  ExportEnd
}

// NewExportWriter returns a writer of the lines of an export to out.
func NewExportWriter(out io.Writer) *ExportWriter {
	w := &ExportWriter{out: bufio.NewWriterSize(out, 1<<16), sum: sha256.New()}
	w.json = json.NewEncoder(io.MultiWriter(w.out, w.sum))
	w.json.SetEscapeHTML(false)
	return w
}

// Begin writes the first line.
func (w *ExportWriter) Begin(h ExportHeader) error {
	h.Format = ExportFormat
	return w.json.Encode(h)
}

// Add writes the line of a memory, and gives it its number.
func (w *ExportWriter) Add(row ExportRow) error {
	w.end.Rows++
	row.N = w.end.Rows
	return w.json.Encode(row)
}

// End writes the last line.
func (w *ExportWriter) End() (ExportEnd, error) {
	w.end.End, w.end.SHA256 = true, hex.EncodeToString(w.sum.Sum(nil))
	if err := w.json.Encode(w.end); err != nil {
		return w.end, err
	}
	return w.end, w.out.Flush()
}
