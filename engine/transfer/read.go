package transfer

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

// maxLine is the length of a line in bytes. No file of memories may be that large.
const maxLine = 64 << 20

// File is an export that was checked from the first line to the last one. It is a
// temporary file, because an export may come from a pipe and is read twice.
type File struct {
	Header memory.ExportHeader
	Lines  map[memory.ID]int // of the memories
	spool  *os.File
}

// Open checks an export. It keeps a copy in folder until Close.
func Open(ctx context.Context, in io.Reader, folder string) (*File, error) {
	return receive(ctx, in, folder, func(memory.Progress) {})
}

// Rows passes the memories in groups.
func (f *File) Rows(visit func([]memory.ExportRow) error) error {
	return f.each(func(rows []line) error { return visit(exportRows(rows)) })
}

// receive copies an export into a temporary file of folder, and checks it. Nothing of an
// export counts before its last line was checked.
func receive(ctx context.Context, in io.Reader, folder string, progress func(memory.Progress)) (_ *File, err error) {
	f := &File{}
	if f.spool, err = os.CreateTemp(folder, ".import-*"); err != nil {
		return nil, memory.Unavailable(err, "keep the export while it is checked")
	}
	_ = os.Remove(f.spool.Name()) // it stays open; where a system refuses that, close removes it
	if err := f.check(ctx, in, progress); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close removes the copy.
func (f *File) Close() {
	_ = f.spool.Close()
	_ = os.Remove(f.spool.Name()) // usually gone already
}

// checker checks the lines of an export in order.
type checker struct {
	line   int
	header *memory.ExportHeader
	ended  bool
	rows   int
	ids    map[memory.ID]int // the lines of the memories
}

func (f *File) check(ctx context.Context, in io.Reader, progress func(memory.Progress)) error {
	lines, sum, c := bufio.NewReaderSize(in, 1<<16), sha256.New(), checker{ids: map[memory.ID]int{}}
	out := bufio.NewWriterSize(f.spool, 1<<16)
	for {
		text, err := readLine(lines)
		if errors.Is(err, io.EOF) && len(text) == 0 {
			break
		}
		c.line++
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err := errors.Join(ctx.Err(), c.check(text, errors.Is(err, io.EOF), hex.EncodeToString(sum.Sum(nil)))); err != nil {
			return err
		}
		sum.Write(text)
		if _, err := out.Write(text); err != nil {
			return memory.Unavailable(err, "keep the export while it is checked")
		}
		if c.header != nil {
			progress(memory.Progress{Stage: "check", Done: c.rows, Total: c.header.Memories})
		}
	}
	if !c.ended {
		return memory.Invalid("", "the export is cut off after line %d: its last line is missing", c.line).WithHint("export the memories again, or copy the file again")
	}
	f.Header, f.Lines = *c.header, c.ids
	if err := out.Flush(); err != nil {
		return memory.Unavailable(err, "keep the export while it is checked")
	}
	return nil
}

// readLine reads a line with its line feed. The last one may lack it.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxLine {
			return nil, memory.Invalid("", "a line has more than %d bytes", maxLine)
		}
	}
}

// check checks the next line. sum is the SHA-256 of the lines before it.
func (c *checker) check(text []byte, isTorn bool, sum string) error {
	switch {
	case c.ended:
		return c.invalid("there is a line behind the last one")
	case isTorn:
		return c.invalid("it is cut off")
	case c.header == nil:
		return c.checkHeader(text)
	}
	var end memory.ExportEnd
	if bytes.HasPrefix(text, []byte(`{"end":`)) && json.Unmarshal(text, &end) == nil {
		return c.checkEnd(end, sum)
	}
	row, err := parseRow(text)
	switch {
	case err != nil:
		return c.invalid("it is no memory of an export: %v", err)
	case c.ids[row.Memory.ID] != 0:
		return c.invalid("the memory %s is on line %d already", row.Memory.ID.Short(), c.ids[row.Memory.ID])
	case row.N != c.rows+1:
		return c.invalid("it has the number %d, and %d comes next: a line is missing or in another place", row.N, c.rows+1)
	}
	c.rows++
	c.ids[row.Memory.ID] = c.line
	if err := checkRow(row, *c.header); err != nil {
		return c.invalid("%v", err)
	}
	return nil
}

func (c *checker) checkHeader(text []byte) error {
	var h memory.ExportHeader
	if json.Unmarshal(text, &h) != nil || h.Format == "" {
		return c.invalid("it is no header of an export").WithHint("memory import reads what memory export wrote; memory migrate reads other memory systems")
	}
	if h.Format != memory.ExportFormat {
		return c.invalid("the format is %q, and this version reads %q", h.Format, memory.ExportFormat).WithHint("use the version of memory that wrote the export")
	}
	c.header = &h
	return nil
}

func (c *checker) checkEnd(end memory.ExportEnd, sum string) error {
	switch {
	case end.Rows != c.rows || c.header.Memories != c.rows:
		return c.invalid("the export has %d memories, and there are %d lines of memories", end.Rows, c.rows)
	case end.SHA256 != sum:
		return c.invalid("the SHA-256 does not fit: a line before was changed")
	}
	c.ended = true
	return nil
}

func (c *checker) invalid(format string, args ...any) *memory.Error {
	return memory.Invalid("", "line %d: %s", c.line, fmt.Sprintf(format, args...)).WithHint("nothing was changed; export the memories again, or copy the file again")
}

func parseRow(text []byte) (row memory.ExportRow, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&row)
	return row, err
}

// checkRow checks that a row is about the text that it names.
func checkRow(row memory.ExportRow, h memory.ExportHeader) error {
	print, err := hex.DecodeString(row.Fingerprint)
	switch {
	case !isID(row.Memory.ID):
		return fmt.Errorf("%q is no id", row.Memory.ID)
	case err != nil || len(print) != len(memory.Fingerprint{}):
		return errors.New("the fingerprint is none")
	case h.From != "" && len(row.Tables) > 0:
		return errors.New("a memory of another system has no tables")
	case h.From == "" && len(row.Tables["memories"]) != 1:
		return errors.New("the row of the memory is missing")
	case h.WithText && row.Memory.Text == nil:
		return errors.New("the text is missing")
	}
	if row.Memory.Text != nil && chunker.Fingerprint(*row.Memory.Text) != memory.Fingerprint(print) {
		return errors.New("the fingerprint does not fit the text")
	}
	return nil
}

// isID reports whether an id is one of 36 characters, as the index has it.
func isID(id memory.ID) bool {
	parsed, err := memory.ParseIDPrefix(string(id))
	return err == nil && len(id) == 36 && parsed == string(id)
}

// page is a part of an export: the memories of some files.
const page = 500

// each passes the rows in groups. The memories of a file are in one group.
func (f *File) each(visit func(rows []line) error) error {
	if _, err := f.spool.Seek(0, io.SeekStart); err != nil {
		return memory.Unavailable(err, "read the export")
	}
	in, group := bufio.NewReaderSize(f.spool, 1<<16), []line(nil)
	for n := 1; n <= f.Header.Memories+1; n++ {
		text, err := readLine(in)
		if err != nil {
			return memory.Unavailable(err, "read the export")
		}
		if n == 1 {
			continue
		}
		row, err := parseRow(text)
		if err != nil {
			return memory.Unavailable(err, "read the export")
		}
		if len(group) >= page && group[len(group)-1].Memory.Path != row.Memory.Path {
			if err := visit(group); err != nil {
				return err
			}
			group = nil
		}
		group = append(group, line{row, n})
	}
	if len(group) == 0 {
		return nil
	}
	return visit(group)
}

// line is a row with the number of its line.
type line struct {
	memory.ExportRow
	number int
}
